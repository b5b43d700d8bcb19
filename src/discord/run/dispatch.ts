import { type APIInteraction, type APIMessage, InteractionType, MessageFlags } from "discord.js";
import { createLocks } from "../../store/index.ts";
import { authorise, requireServer, tooOld } from "../access/authorise.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import { createKept } from "../access/kept.ts";
import { createMemory } from "../access/memory.ts";
import type { GuildRolesCache } from "../access/roles/guild-roles-cache.ts";
import { createNearSettings } from "../access/settings.ts";
import type { View } from "../access/video-access.ts";
import type { Answer, Input } from "../declare/command.ts";
import type { Asked, Ctx } from "../declare/ctx.ts";
import type { Reading } from "../declare/options.ts";
import { requireInputWithin } from "../declare/text-limits.ts";
import type { Reply } from "../draw/reply.ts";
import { decodeCancelId, type PressAnswer } from "../wire/custom-id.ts";
import { createAdmission } from "./admission.ts";
import { type Asker, askerOf } from "./context.ts";
import { pressAnswerOf } from "./drawing.ts";
import { refilled } from "./form-again.ts";
import { createHandle, type Who } from "./handle.ts";
import { type Journey, setOut } from "./journey.ts";
import { failureOf, observed } from "./observer.ts";
import { createPlaces } from "./places.ts";
import { type Pressed, planFor, type Work } from "./plan.ts";
import { createPresses, type Found } from "./presses.ts";
import { createRespond, type RespondParts } from "./respond.ts";
import type { RunningHandlers } from "./running-handlers.ts";
import { soon } from "./soon.ts";
import { suggestionsFor } from "./suggest.ts";

export interface DispatchParts extends RespondParts {
  readonly running: RunningHandlers;
  readonly create: CreateExpressions;
  readonly guildRoles: GuildRolesCache;
}

/** Before the first answer, which has until 2.3 s, the server's roles are waited for until then; after it, so long. */
const rolesBeforeMs = 1_000;
const rolesAfterMs = 5_000;

/** Deals with one interaction that arrived at that time; never throws. */
export type Dispatch = (interaction: APIInteraction, arrivedAt: number) => Promise<void>;

/** The road of every interaction: plan, acknowledge, guard, run, render, send. Holds the one catch. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { services, routes, running, create, guildRoles } = parts;
  const { languages, store, now } = services;
  const memory = createMemory(services.now);
  const kept = createKept(services.now);
  const admission = createAdmission();
  const turns = createLocks();
  const settings = createNearSettings(store.settings, services.now);
  const respond = createRespond(parts);
  const { rest } = parts;
  const places = createPlaces(rest, services.now);
  const suggesting = { routes, services, memory, settings, places, guildRoles };
  const handle = createHandle({
    ...{ services, respond, memory, kept, admission, create, turns, settings, rest },
  });
  const { continuations } = store;
  const { lookUp, once } = createPresses({ routes, continuations, log: services.log });

  return async function receive(interaction, arrivedAt) {
    const journey = setOut(interaction, arrivedAt, services);
    try {
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
        const choices = ownWork(interaction, () => suggestionsFor(interaction, suggesting));
        const offered = choices.catch((error: unknown) => {
          journey.failure = failureOf(error);
          return [];
        });
        await respond.suggest(journey, await offered);
      } else {
        await ownWork(interaction, () => begin(journey)).catch((error: unknown) =>
          respond.refuse(journey, error),
        );
      }
    } catch (error) {
      journey.isLost = true;
      journey.log().error("the platform took no answer", { name: journey.name, error });
    } finally {
      services.observer?.(observed(journey, routes, services.now()));
    }
  };

  /** Should its server be erased meanwhile, what it writes after that is refused. */
  async function ownWork<T>({ guild_id: id }: APIInteraction, work: () => Promise<T>): Promise<T> {
    return id === undefined ? work() : store.database.servers.answerFor(id, work);
  }

  /** Everything that is decided before the first answer; what fails here is told as the first answer. */
  async function begin(journey: Journey): Promise<void> {
    const { interaction } = journey;
    const patienceMs = () =>
      journey.acknowledgedAt === undefined
        ? journey.arrivedAt + rolesBeforeMs - now()
        : rolesAfterMs;
    const asker = await askerOf(interaction, { languages, settings, guildRoles, now, patienceMs });
    requireServer(asker);
    if (interaction.type === InteractionType.MessageComponent) {
      const stopped = decodeCancelId(interaction.data.custom_id);
      if (stopped !== undefined) return cancel(journey, stopped, asker);
    }
    const plan = planFor(interaction, routes);
    journey.name = plan.name;
    return plan.kind === "press"
      ? beginPress(journey, asker, plan)
      : beginWork(journey, asker, plan);
  }

  async function beginWork(journey: Journey, asker: Asker, plan: Work): Promise<void> {
    await authorise(plan.demands, asker, { isActing: plan.as !== undefined });
    if (plan.as !== undefined) journey.as = plan.as;
    const form = plan.form(askedOf(asker));
    if (form !== undefined) {
      await respond.openForm(journey, asker, form);
      return;
    }
    return work(journey, plan.answer, asker, (own) => runWork({ journey, asker, ...own }, plan));
  }

  async function beginPress(journey: Journey, asker: Asker, plan: Pressed): Promise<void> {
    if (plan.answer === "form") return openForm(journey, asker, plan);
    const answer = settledAnswer(plan.answer, journey.interaction, asker);
    return work(journey, answer, asker, (own) => press({ journey, asker, ...own, answer }, plan));
  }

  async function openForm(journey: Journey, asker: Asker, plan: Pressed): Promise<void> {
    const { action, state } = await find(journey, asker, plan);
    if (!("form" in action)) throw tooOld("press");
    const { guildId } = asker;
    const savedReplies = () => soon(() => services.moderation.of(guildId).replies.all(), []);
    const form = await action.form({ ...askedOf(asker), savedReplies }, state);
    await respond.openForm(journey, asker, form);
  }

  /** What was pressed, for whoever may use it. */
  async function find(journey: Journey, asker: Asker, plan: Pressed): Promise<Found> {
    const found = await lookUp(plan);
    const { action, begun, as } = found;
    journey.name = action.name;
    await authorise(action, asker, { by: action.by, begun });
    // Whoever changes the letter would have an answer shown to all that is for one.
    if (pressAnswerOf(action) !== plan.answer) throw tooOld("press");
    if (as !== undefined) journey.as = as;
    return found;
  }

  async function cancel(journey: Journey, stopped: string, asker: Asker): Promise<void> {
    journey.name = "cancel";
    if (!running.cancel(stopped, asker)) throw tooOld("cancelled work");
    await respond.deferUpdate(journey);
  }

  /** Acknowledges, works, answers; a failure is told where the answer would have been. */
  async function work(
    journey: Journey,
    answer: Answer,
    asker: Asker,
    run: (own: Pick<Who, "running" | "held">) => Promise<Reply>,
  ): Promise<void> {
    if ((await respond.defer(journey, answer)) === "expired") return;
    const handler = running.start(journey.interaction.id, asker);
    const held = admission.hold({ tenant: asker.guildId, person: asker.userId });
    try {
      await respond.reply(journey, { asker, answer }, await run({ running: handler, held }));
      const ms = services.now() - journey.arrivedAt;
      journey.log().info("answered", { name: journey.name, ms });
    } catch (error) {
      await respond.fail(journey, { asker, answer }, error).catch((lost: unknown) => {
        journey.isLost = true;
        journey.log().error("a failure was not told", { name: journey.name, error: lost });
      });
    } finally {
      handler.end();
      held.close();
    }
  }

  async function runWork(who: Who, plan: Work): Promise<Reply> {
    const view = plan.answer;
    const options = await plan.options(readingFor(who.asker));
    const message = plan.message as APIMessage | undefined;
    return handle({ ...who, demands: plan.demands, options, view, message }, plan.run);
  }

  async function press(who: Who & { readonly answer: Answer }, plan: Pressed): Promise<Reply> {
    const { journey, asker, answer } = who;
    const { action, state, form, isKept } = await find(journey, asker, plan);
    if (form !== undefined) {
      requireInputWithin(plan.input, form);
      journey.form = refilled(form, plan.input);
    }
    journey.isOnce = action.isOnce === true;
    if (!("run" in action)) throw tooOld("press");
    const message = messageOf(journey.interaction);
    const view = viewOf(answer, message);
    const run = (ctx: Ctx) => action.run(ctx, state, plan.input satisfies Input);
    const carryOut = () => handle({ ...who, demands: action, options: {}, view, message }, run);
    return action.isOnce === true ? once({ ...plan, isKept }, carryOut) : carryOut();
  }

  function readingFor({ guildId, settings: chosen, words }: Asker): Reading {
    const timeZone = chosen.timeZone ?? "UTC";
    return { guildId, now: services.now(), tag: words.tag, timeZone };
  }

  function askedOf({ guildId, userId, words }: Asker): Asked {
    return { guildId, userId, words, now };
  }
}

/** A form that a command opened has no message to update, and somebody else's message is not to be changed. */
function settledAnswer(
  answer: Exclude<PressAnswer, "form">,
  interaction: APIInteraction,
  asker: Asker,
): Answer {
  if (answer === "public" || answer === "private") return answer;
  const message = messageOf(interaction);
  if (message === undefined) return "private";
  const requester = message.interaction_metadata?.user.id;
  const isTheirs = requester === undefined || requester === asker.userId;
  return answer === "each" && !isTheirs ? "private" : "update";
}

function messageOf(interaction: APIInteraction): APIMessage | undefined {
  return "message" in interaction ? interaction.message : undefined;
}

/** Who will read it: what changes a message of one person stays with that person. */
function viewOf(answer: Answer, message: APIMessage | undefined): View {
  if (answer !== "update") return answer;
  return ((message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0 ? "private" : "public";
}
