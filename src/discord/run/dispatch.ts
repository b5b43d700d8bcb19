import type { APIApplicationCommandAutocompleteInteraction, APIInteraction } from "discord.js";
import { InteractionResponseType, InteractionType } from "discord-api-types/v10";
import { LimitError } from "../../errors.ts";
import { LostError } from "../../ownership.ts";
import { authorise, requireServer, tooOld } from "../access/authorise.ts";
import { createSettingsCache } from "../access/settings-cache.ts";
import { acknowledgeMs } from "../draw/limits.ts";
import { createSentTimes } from "../snowflake.ts";
import { decodeCancelId } from "../wire/custom-id.ts";
import { malformedField } from "../wire/interaction-shape.ts";
import { createAdmission } from "./admission.ts";
import { createServerInfoCache } from "./channel-messages/server-info-cache.ts";
import type { DispatchDeps } from "./feature-contexts.ts";
import { runAndReply, runWork } from "./handle.ts";
import {
  type AskedInteraction,
  countedFailure,
  createInteraction,
  type Interaction,
  type InteractionArrival,
  observe,
} from "./interaction.ts";
import type { SharedState } from "./interaction-deps.ts";
import { createOpenInteractions } from "./open-interactions.ts";
import { isTyped, type PlannedWork, planFor, readCommandPath } from "./plan.ts";
import { beginPress } from "./press.ts";
import { type Dispatch, recoverInteractions } from "./recover-interactions.ts";
import { createReplyRenderer } from "./reply-renderer.ts";
import { readRequester, requestInfo } from "./requester.ts";
import { deferrals, openForm, sendEarlyFailure, sendFirst } from "./respond.ts";
import type { Services } from "./services.ts";
import { suggestionsFor } from "./suggest.ts";

/** How long to wait for the server's roles: before the first answer (due at 2.3 s) until 1 s after the arrival, after it 5 s. */
const rolesBeforeMs = 1_000;
const rolesAfterMs = 5_000;

/** Every interaction goes through here: claim, plan, acknowledge, guard, run, render, send. The only catch for all of it is here. */
export function createDispatcher(given: Omit<DispatchDeps, keyof SharedState>) {
  const { services, routes, running, rest } = given;
  const { store, now } = services;
  const deps: DispatchDeps = {
    ...given,
    open: createOpenInteractions(services, running),
    drawing: createReplyRenderer(routes, services),
    admission: createAdmission(),
    turns: store.turns,
    settings: createSettingsCache(store.settings, now, store.database.servers.version),
    serverInfo: createServerInfoCache(rest, now),
  };

  async function receive(raw: APIInteraction, arrival: InteractionArrival): Promise<void> {
    const interaction = createInteraction(raw, arrival, services);
    const { interrupted, arrivedAt } = interaction;
    const isOver = () => services.observer?.(observe(interaction, routes, services.now()));
    // No first answer would be taken any more, so nothing may begin.
    if (interrupted === undefined && services.now() - arrivedAt >= acknowledgeMs) {
      interaction.log().warn("came too late to be answered");
      return isOver();
    }
    const isSuggestion = raw.type === InteractionType.ApplicationCommandAutocomplete;
    if (!isSuggestion && !(await claim(deps, interaction))) return;
    try {
      await (isSuggestion ? suggest(deps, interaction, raw) : answer(deps, interaction));
    } catch (error) {
      if (error instanceof LostError) interaction.isHandedOver = true;
      else {
        interaction.isLost = true;
        interaction.log().error("Discord took no answer", { name: interaction.name, error });
      }
    } finally {
      if (interaction.isHandedOver !== true) {
        isOver();
        if (!isSuggestion) await deps.open.close(interaction);
      }
    }
  }

  return {
    receive,
    /** Answers, or tells the people of, the open interactions of a process that ended. @throws ServiceError `store_unavailable` */
    recover: (processId: string, signal: AbortSignal) =>
      recoverInteractions(deps, processId, { receive, signal }),
    stop: deps.open.stop,
  };
}

/** A wait this long for the database makes every answer late. New commands are refused until it is shorter. */
const busyMs = 300;

/** Whether this process answers it. Where nobody can know, its person is told so. */
async function claim(deps: DispatchDeps, interaction: Interaction): Promise<boolean> {
  if (interaction.interrupted !== undefined) return true;
  try {
    if (!(await deps.open.claim(interaction))) return false;
  } catch (error) {
    interaction.earlyError = error;
    return true;
  }
  // A press of Cancel makes room, so it is always taken.
  const isTooBusy = deps.services.store.database.waitingMs() > busyMs;
  if (isTooBusy && cancelledId(interaction) === undefined) {
    interaction.earlyError = new LimitError("statements wait too long for the database", {
      code: "too_busy",
    });
  }
  return true;
}

/** For a press of Cancel: the interaction whose work it stops. */
function cancelledId({ raw }: Interaction): string | undefined {
  return raw.type === InteractionType.MessageComponent
    ? decodeCancelId(raw.data.custom_id)
    : undefined;
}

async function suggest(
  deps: DispatchDeps,
  interaction: Interaction,
  raw: APIApplicationCommandAutocompleteInteraction,
): Promise<void> {
  const { database } = deps.services.store;
  const suggestions = async () => (database.waitingMs() > busyMs ? [] : suggestionsFor(raw, deps));
  const choices = await database.servers
    .answerFor(raw.guild_id, suggestions)
    .catch((error: unknown) => {
      interaction.failure = countedFailure(error);
      return [];
    });
  const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
  await sendFirst(deps, interaction, { type, data: { choices } });
}

async function answer(deps: DispatchDeps, interaction: Interaction): Promise<void> {
  try {
    const { servers } = deps.services.store.database;
    // If the server is erased meanwhile, everything that the work writes after that is refused.
    await servers.answerFor(interaction.raw.guild_id, () => begin(deps, interaction));
  } catch (error) {
    if (error instanceof LostError) throw error;
    await sendEarlyFailure(deps, interaction, error);
  }
}

/** Everything that is decided before the first answer; a failure here becomes the first answer. */
async function begin(deps: DispatchDeps, interaction: Interaction): Promise<void> {
  const { raw, arrivedAt, earlyError } = interaction;
  if (earlyError !== undefined) throw earlyError;
  const { now } = deps.services;
  const patienceMs = () =>
    interaction.acknowledgedAt === undefined ? arrivedAt + rolesBeforeMs - now() : rolesAfterMs;
  const requester = await readRequester(raw, deps, patienceMs);
  requireServer(requester);
  const asked = Object.assign(interaction, { requester });
  const cancelled = cancelledId(interaction);
  if (cancelled !== undefined) return cancelWork(deps, asked, cancelled);
  if (isTyped(raw)) {
    const { path } = readCommandPath(raw.data);
    // Known before its options are read, which may fail.
    if (deps.routes.commands.has(path)) interaction.name = path;
  }
  const plan = planFor(raw, deps.routes);
  interaction.name = plan.name;
  return plan.kind === "press" ? beginPress(deps, asked, plan) : beginWork(deps, asked, plan);
}

async function cancelWork(
  deps: DispatchDeps,
  interaction: AskedInteraction,
  id: string,
): Promise<void> {
  const { requester } = interaction;
  interaction.name = "cancel";
  const isStopped = deps.running.cancel(id, requester) || (await deps.open.cancel(id, requester));
  if (!isStopped) throw tooOld("cancelled work");
  // The press changes nothing by itself.
  await sendFirst(deps, interaction, deferrals.update);
}

async function beginWork(
  deps: DispatchDeps,
  interaction: AskedInteraction,
  plan: PlannedWork,
): Promise<void> {
  const { raw, requester } = interaction;
  await authorise(plan.declaration, requester, { isActing: plan.as !== undefined });
  if (plan.as !== undefined) interaction.as = plan.as;
  const form = plan.form?.(requestInfo(requester, deps.services.now));
  if (form !== undefined) {
    await deps.features.requireForForm(requester, plan.declaration);
    await openForm(deps, interaction, form);
    return;
  }
  // What a menu was opened on is other people's message, and is not stored.
  if (isTyped(raw)) interaction.origin = { kind: "command", data: raw.data };
  const view = plan.answer;
  return runAndReply(deps, interaction, plan, (running) => runWork(deps, running, { plan, view }));
}

interface InteractionReceiverDeps extends Pick<Services, "log" | "now"> {
  /** Resolves when the commands are loaded; earlier interactions wait for it. */
  readonly dispatch: Promise<Dispatch>;
  /** Whether new work is begun at all. */
  readonly mayBegin: () => boolean;
}

/** Where interactions come in: they are checked here first, and no error gets past it. */
export function createInteractionReceiver({
  dispatch,
  mayBegin,
  log,
  now,
}: InteractionReceiverDeps) {
  const underWay = new Map<string, Promise<void>>();
  const sentAt = createSentTimes(now);

  return {
    /** As `Discord.take`; `respond` is absent for what came over the gateway. */
    take(raw: unknown, respond?: InteractionArrival["respond"]): number | "malformed" | "refused" {
      const at = malformedField(raw);
      if (at !== undefined) {
        // Only the field's name: its value may be a token.
        log.warn("a malformed interaction is dropped", { at });
        return "malformed";
      }
      if (!mayBegin()) return "refused";
      // Checked by `malformedField`: a field that is read anywhere has to be in that shape.
      const interaction = raw as APIInteraction;
      const { id } = interaction;
      const arrivedAt = sentAt(id);
      const work = dispatch
        .then((handleInteraction) => handleInteraction(interaction, { arrivedAt, respond }))
        .catch((error: unknown) =>
          log.error("an interaction was lost", { interaction: id, error }),
        );
      // An interaction that is delivered twice is settled when both of its runs are.
      const all = Promise.all([work, underWay.get(id)]).then(() => {
        if (underWay.get(id) === all) underWay.delete(id);
      });
      underWay.set(id, all);
      return arrivedAt;
    },
    /** Resolves when the interaction with this id is handled; at once for an id that is not under way. */
    settled: (interactionId: string) => underWay.get(interactionId) ?? Promise.resolve(),
    underWay: () => [...underWay.values()],
  };
}
