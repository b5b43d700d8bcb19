import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIInteraction,
  InteractionType,
} from "discord.js";
import { LimitError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { LostError } from "../../ownership.ts";
import { authorise, requireServer, tooOld } from "../access/authorise.ts";
import { acknowledgeMs } from "../draw/limits.ts";
import { createSentTimes } from "../snowflake.ts";
import { decodeCancelId } from "../wire/custom-id.ts";
import { interactionFault } from "../wire/interaction-shape.ts";
import { type DispatchDeps, type InteractionDeps, interactionDeps } from "./interaction-deps.ts";
import { isTyped, type PlannedWork, planFor } from "./plan.ts";
import { beginPress } from "./press.ts";
import {
  createReceivedInteraction,
  type InteractionArrival,
  interactionFailureOf,
  outcomeOfInteraction,
  type ReceivedInteraction,
} from "./received-interaction.ts";
import { recoverInteractions } from "./recover-interactions.ts";
import { readRequester, requestInfoOf } from "./requester.ts";
import { deferUpdate, offerSuggestions, openForm, sendRefusal } from "./respond.ts";
import { runAndReply, type StartedInteraction } from "./run-and-reply.ts";
import { runWork } from "./run-work.ts";
import { suggestionsFor } from "./suggest.ts";

/** How long to wait for the server's roles: before the first answer (due at 2.3 s) until 1 s after the arrival, after it 5 s. */
const rolesBeforeMs = 1_000;
const rolesAfterMs = 5_000;

/** Handles one interaction; never throws. */
export type Dispatch = (interaction: APIInteraction, arrival: InteractionArrival) => Promise<void>;

/** Dispatches interactions, and goes on with those of processes that ended. */
export interface Dispatcher {
  readonly receive: Dispatch;
  /** Answers, or tells the people of, the open interactions of a process that ended. @throws ServiceError `store_unavailable` */
  recover(processId: string, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Every interaction goes through here: claim, plan, acknowledge, guard, run, render, send. The only catch for all of it is here. */
export function createDispatcher(dispatchDeps: DispatchDeps): Dispatcher {
  const deps = interactionDeps(dispatchDeps);
  const { services, routes } = deps;

  async function receive(interaction: APIInteraction, arrival: InteractionArrival): Promise<void> {
    const received = createReceivedInteraction(interaction, arrival, services);
    if (isTooLate(received, services.now())) {
      received.log().warn("came too late to be answered");
      return services.observer?.(outcomeOfInteraction(received, routes, services.now()));
    }
    const isSuggestion = interaction.type === InteractionType.ApplicationCommandAutocomplete;
    if (!isSuggestion && !(await claim(deps, received))) return;
    try {
      await (isSuggestion ? suggest(deps, interaction, received) : answer(deps, received));
    } catch (error) {
      if (error instanceof LostError) received.isHandedOver = true;
      else {
        received.isLost = true;
        received.log().error("Discord took no answer", { name: received.name, error });
      }
    } finally {
      if (received.isHandedOver !== true) {
        services.observer?.(outcomeOfInteraction(received, routes, services.now()));
        if (!isSuggestion) await deps.open.close(received);
      }
    }
  }

  return {
    receive,
    recover: (processId, signal) => recoverInteractions({ deps, receive, signal }, processId),
    stop: deps.open.stop,
  };
}

/** Whether no first answer would be taken any more, so that nothing may begin. */
function isTooLate({ interrupted, arrivedAt }: InteractionArrival, now: number): boolean {
  return interrupted === undefined && now - arrivedAt >= acknowledgeMs;
}

/** Whether this process answers it. Where nobody can know, its person is told so. */
async function claim(deps: InteractionDeps, received: ReceivedInteraction): Promise<boolean> {
  if (received.interrupted !== undefined) return true;
  try {
    if (!(await deps.open.claim(received))) return false;
  } catch (error) {
    received.refusal = error;
    return true;
  }
  if (isTooBusy(deps) && !isCancel(received.interaction)) received.refusal = tooBusy();
  return true;
}

/** A wait this long for the database makes every answer late. New commands are refused until it is shorter. */
const busyMs = 300;

function isTooBusy({ services: { store } }: InteractionDeps): boolean {
  return store.database.waitingMs() > busyMs;
}

function tooBusy(): LimitError {
  return new LimitError("statements wait too long for the database", { code: "too_busy" });
}

/** A press of Cancel makes room, so it is always taken. */
function isCancel(interaction: APIInteraction): boolean {
  if (interaction.type !== InteractionType.MessageComponent) return false;
  return decodeCancelId(interaction.data.custom_id) !== undefined;
}

async function suggest(
  deps: InteractionDeps,
  interaction: APIApplicationCommandAutocompleteInteraction,
  received: ReceivedInteraction,
): Promise<void> {
  const suggestions = async () => (isTooBusy(deps) ? [] : suggestionsFor(interaction, deps));
  const choices = runForGuild(deps, interaction, suggestions);
  const offered = choices.catch((error: unknown) => {
    received.failure = interactionFailureOf(error);
    return [];
  });
  await offerSuggestions(deps, received, await offered);
}

async function answer(deps: InteractionDeps, received: ReceivedInteraction): Promise<void> {
  await runForGuild(deps, received.interaction, () => begin(deps, received)).catch(
    (error: unknown) => {
      if (error instanceof LostError) throw error;
      return sendRefusal(deps, received, error);
    },
  );
}

/** If the server is erased meanwhile, everything that the work writes after that is refused. */
async function runForGuild<T>(
  { services }: InteractionDeps,
  { guild_id: id }: APIInteraction,
  work: () => Promise<T>,
): Promise<T> {
  return id === undefined ? work() : services.store.database.servers.answerFor(id, work);
}

/** Everything that is decided before the first answer; a failure here becomes the first answer. */
async function begin(deps: InteractionDeps, received: ReceivedInteraction): Promise<void> {
  const { interaction, arrivedAt, refusal } = received;
  if (refusal !== undefined) throw refusal;
  const { now } = deps.services;
  const patienceMs = () =>
    received.acknowledgedAt === undefined ? arrivedAt + rolesBeforeMs - now() : rolesAfterMs;
  const requester = await readRequester(interaction, deps, patienceMs);
  requireServer(requester);
  const started = { received, requester };
  if (interaction.type === InteractionType.MessageComponent) {
    const stopped = decodeCancelId(interaction.data.custom_id);
    if (stopped !== undefined) return cancelWork(deps, started, stopped);
  }
  const plan = planFor(interaction, deps.routes);
  received.name = plan.name;
  return plan.kind === "press" ? beginPress(deps, started, plan) : beginWork(deps, started, plan);
}

async function cancelWork(
  deps: InteractionDeps,
  { received, requester }: StartedInteraction,
  stopped: string,
): Promise<void> {
  received.name = "cancel";
  const isStopped =
    deps.running.cancel(stopped, requester) || (await deps.open.cancel(stopped, requester));
  if (!isStopped) throw tooOld("cancelled work");
  await deferUpdate(deps, received);
}

async function beginWork(
  deps: InteractionDeps,
  started: StartedInteraction,
  plan: PlannedWork,
): Promise<void> {
  const { received, requester } = started;
  await authorise(plan.declaration, requester, { isActing: plan.as !== undefined });
  if (plan.as !== undefined) received.as = plan.as;
  const form = plan.form(requestInfoOf(requester, deps.services.now));
  if (form !== undefined) {
    await deps.features.requireForForm(
      { ...requestInfoOf(requester, deps.services.now), rank: requester.rank },
      plan.declaration,
    );
    await openForm(deps, started, form);
    return;
  }
  const { answer, opensForm } = plan;
  const to = { received, requester, answer, opensForm };
  const { interaction } = received;
  // What a menu was opened on is other people's message, and is not stored.
  if (isTyped(interaction)) received.origin = { kind: "command", data: interaction.data };
  return runAndReply(deps, to, (who) => runWork(deps, who, plan));
}

interface InteractionReceiverDeps {
  /** Resolves when the commands are loaded; earlier interactions wait for it. */
  readonly dispatch: Promise<Dispatch>;
  /** Whether new work is begun at all. */
  readonly mayBegin: () => boolean;
  readonly log: Log;
  readonly now: () => number;
}

/** Where interactions come in: they are checked here first, and no error gets past it. */
interface InteractionReceiver {
  /**
   * Answers when Discord sent what was taken, by our clock; `malformed` for what can't be an interaction, `refused` where nothing
   * new is begun. `respond` sends the first answer, where it came over HTTP.
   */
  readonly take: (
    interaction: unknown,
    respond?: InteractionArrival["respond"],
  ) => number | "malformed" | "refused";
  /** Resolves when the interaction with this id is handled; at once for an id that is not under way. */
  settled(interactionId: string): Promise<void>;
  underWay(): readonly Promise<void>[];
}

export function createInteractionReceiver({
  dispatch,
  mayBegin,
  log,
  now,
}: InteractionReceiverDeps): InteractionReceiver {
  const underWay = new Map<string, Promise<void>>();
  const sentAt = createSentTimes(now);

  return {
    take(raw, respond) {
      const at = interactionFault(raw);
      if (at !== undefined) {
        // Only where the fault is: the value itself may be a token.
        log.warn("a malformed interaction is dropped", { at });
        return "malformed";
      }
      if (!mayBegin()) return "refused";
      // Checked by `interactionFault`: a field that is read anywhere has to be in that shape.
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
    settled: (interactionId) => underWay.get(interactionId) ?? Promise.resolve(),
    underWay: () => [...underWay.values()],
  };
}
