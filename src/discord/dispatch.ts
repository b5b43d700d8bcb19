import {
  type APIInteraction,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  type REST,
} from "discord.js";
import { AccessError, BotError } from "../errors.ts";
import type { Log } from "../log.ts";
import { acknowledge, type FirstAnswer } from "./acknowledge.ts";
import type { Action, Answer, Ctx } from "./command.ts";
import { cancelRow } from "./components.ts";
import { type Asker, askerOf, makeCtx, type Services } from "./context.ts";
import { decodeCancelId, encodeCancelId, encodeCustomId } from "./custom-id.ts";
import { explain } from "./explain.ts";
import { drawForm } from "./form.ts";
import { type Demands, requireCredentials, requireRank, storeUnavailable } from "./guard.ts";
import { type Job, type Jobs, notYours } from "./jobs.ts";
import { createMemory } from "./memory.ts";
import { type Pressed, planFor, tooOld, type Work } from "./plan.ts";
import { createProgress } from "./progress.ts";
import { type Message, type Rendered, render } from "./render.ts";
import type { Form, Notice, Press, Reply } from "./reply.ts";
import type { Routes } from "./routes.ts";
import { deleteOriginal, editOriginal, followUpPrivately } from "./send.ts";
import { suggestionsFor } from "./suggest.ts";

export interface DispatchParts {
  readonly applicationId: string;
  readonly routes: Routes;
  readonly services: Services;
  /** For first answers: `retries: 0`. */
  readonly callbackRest: REST;
  /** For everything after. */
  readonly rest: REST;
  readonly jobs: Jobs;
}

/** Buttons and forms work this long after their reply. */
const continuationMs = 30 * 24 * 3_600_000;

/** One interaction on its road: what every step knows. */
interface Journey {
  readonly interaction: APIInteraction;
  readonly arrivedAt: number;
  readonly id: string;
  /** Names the interaction in every line; made when the first line is written. */
  readonly log: () => Log;
  /** Command, menu or action, once it is known. */
  name?: string;
}

/**
 * The road of every interaction: plan, acknowledge, guard, run, render, send. Holds the one catch; never throws.
 */
export function createDispatch(parts: DispatchParts) {
  const { services, routes, jobs } = parts;
  const memory = createMemory(services.now);
  const tools = { rest: parts.rest, random: services.random };
  const callbackTools = {
    rest: parts.callbackRest,
    random: services.random,
    now: services.now,
  };

  return async function receive(interaction: APIInteraction, arrivedAt: number): Promise<void> {
    const journey = setOut(interaction, arrivedAt, services);
    try {
      await travel(journey);
    } catch (error) {
      journey.log().error("interaction was lost", { error });
    }
  };

  async function travel(journey: Journey): Promise<void> {
    const { interaction } = journey;
    if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
      const choices = await suggestionsFor(interaction, routes, services, memory).catch((error) => {
        journey.log().debug("no suggestions", { error });
        return [];
      });
      await first(journey, {
        type: InteractionResponseType.ApplicationCommandAutocompleteResult,
        data: { choices },
      });
      return;
    }
    try {
      await begin(journey);
    } catch (error) {
      await refuse(journey, error);
    }
  }

  /** Everything that can be decided without waiting; what fails here is told as the first answer. */
  async function begin(journey: Journey): Promise<void> {
    const { interaction } = journey;
    const asker = askerOf(interaction);
    if (asker === undefined) throw onlyInServers();
    if (interaction.type === InteractionType.MessageComponent) {
      const stopped = decodeCancelId(interaction.data.custom_id);
      if (stopped !== undefined) return cancel(journey, stopped, asker);
    }
    const plan = planFor(interaction, routes);
    journey.name = plan.name;
    if (plan.kind === "press") {
      const answer = settledAnswer(plan.answer, interaction);
      return work(journey, asker, answer, (job) => press(journey, asker, plan, job));
    }
    requireRank(plan.demands, asker.rank);
    if (plan.kind === "open") return openForm(journey, asker, plan.opening.form());
    return work(journey, asker, plan.answer, (job) => runWork(journey, asker, plan, job));
  }

  async function openForm(journey: Journey, asker: Asker, form: Form): Promise<void> {
    const handle = await keep(asker, [form.submit]);
    const customId = encodeCustomId({ answer: answerOf(form.submit), handle, index: 0 });
    await first(journey, {
      type: InteractionResponseType.Modal,
      data: drawForm(form, customId),
    });
  }

  async function cancel(journey: Journey, stopped: string, asker: Asker): Promise<void> {
    const found = jobs.cancel(stopped, asker);
    if (!found) throw tooOld("cancelled work");
    await first(journey, { type: InteractionResponseType.DeferredMessageUpdate });
  }

  /** Acknowledges, works, answers; a failure is told where the answer would have been. */
  async function work(
    journey: Journey,
    asker: Asker,
    answer: Answer,
    run: (job: Job) => Promise<Reply>,
  ): Promise<void> {
    if ((await first(journey, deferrals[answer])) === "expired") return;
    const job = jobs.start(journey.interaction.id, asker);
    try {
      await answerWith(journey, asker, await run(job));
      journey
        .log()
        .info("answered", { name: journey.name, ms: services.now() - journey.arrivedAt });
    } catch (error) {
      await tellFailure(journey, answer, error);
    } finally {
      job.end();
    }
  }

  function runWork(journey: Journey, asker: Asker, plan: Work, job: Job): Promise<Reply> {
    return withCtx(journey, asker, plan.demands, plan.options, job, (ctx) => plan.run(ctx));
  }

  async function press(journey: Journey, asker: Asker, plan: Pressed, job: Job): Promise<Reply> {
    const { action, state } = await lookUp(plan, asker);
    journey.name = action.name;
    requireRank(action, asker.rank);
    return withCtx(journey, asker, action, {}, job, (ctx) => action.run(ctx, state, plan.fields));
  }

  async function lookUp(plan: Pressed, asker: Asker): Promise<{ action: Action; state: unknown }> {
    const read = await services.store.continuations.read(plan.handle);
    if (read.state === "failed") throw storeUnavailable(read.error);
    if (read.state === "absent" || read.value.guildId !== asker.guildId) throw tooOld("handle");
    const presses = read.value.state as readonly Press[];
    const pressed = presses[plan.index];
    const action = pressed === undefined ? undefined : routes.actions.get(pressed.action);
    if (pressed === undefined || action === undefined) throw tooOld("press");
    if (action.by === "requester" && read.value.userId !== asker.userId) throw notYours();
    return { action, state: pressed.state };
  }

  async function withCtx(
    journey: Journey,
    asker: Asker,
    demands: Demands,
    options: Readonly<Record<string, unknown>>,
    job: Job,
    run: (ctx: Ctx) => Promise<Reply>,
  ): Promise<Reply> {
    const { guildId, rank } = asker;
    const opened = await requireCredentials(demands, guildId, rank, services.store.credentials);
    const progress = createProgress(
      (notice) => editOriginal(address(journey), drawProgress(notice, journey), tools),
      (error) => journey.log().warn("progress was not shown", { error }),
    );
    const show: Ctx["progress"] = (notice) =>
      progress.show({ kind: "notice", tone: "info", ...notice });
    const { signal } = job;
    try {
      const parts = { asker, options, opened, progress: show, signal, log: journey.log };
      return await Promise.race([run(makeCtx(parts, services)), aborted(signal)]);
    } finally {
      await progress.stop();
    }
  }

  async function answerWith(journey: Journey, asker: Asker, reply: Reply): Promise<void> {
    if (reply.kind === "form") throw new TypeError("a form has to be the first answer");
    await editOriginal(address(journey), await draw(reply, asker), tools);
  }

  async function draw(reply: Message, asker: Asker): Promise<Rendered> {
    const presses: Press[] = [];
    const drawn = render(reply, (press) => {
      presses.push(press);
      return "pending";
    });
    if (presses.length === 0) return drawn;
    const handle = await keep(asker, presses);
    let index = 0;
    return render(reply, (press) =>
      encodeCustomId({ answer: answerOf(press), handle, index: index++ }),
    );
  }

  function keep(asker: Asker, presses: readonly Press[]): Promise<string> {
    const { guildId, userId } = asker;
    return services.store.continuations.put({ guildId, userId, state: presses }, continuationMs);
  }

  function answerOf(press: Press): Answer {
    const action = routes.actions.get(press.action);
    if (action === undefined) throw new TypeError(`nothing is called ${press.action}`);
    return action.answer;
  }

  async function tellFailure(journey: Journey, answer: Answer, error: unknown): Promise<void> {
    const drawn = failure(journey, error);
    if (answer === "private") return editOriginal(address(journey), drawn, tools);
    // The first answer was for all to see and can't become private, so it goes and the failure is told beside it.
    if (answer === "public") await deleteOriginal(address(journey), tools);
    await followUpPrivately(address(journey), drawn, tools);
  }

  async function refuse(journey: Journey, error: unknown): Promise<void> {
    const { payload } = failure(journey, error);
    const { attachments: _, ...data } = payload;
    await first(journey, {
      type: InteractionResponseType.ChannelMessageWithSource,
      data: { ...data, flags: data.flags | MessageFlags.Ephemeral },
    });
  }

  function failure(journey: Journey, error: unknown): Rendered {
    // Known failures are told whole by their code; a stack helps only with what nobody foresaw.
    if (error instanceof BotError) {
      const { code, message, cause } = error;
      const facts = { name: journey.name, code, reason: message };
      journey.log().warn("failed", cause === undefined ? facts : { ...facts, cause });
    } else journey.log().error("failed", { name: journey.name, code: "bug", error });
    return render(explain(error, journey.id), () => "none");
  }

  function drawProgress(notice: Notice, journey: Journey): Rendered {
    const drawn = render(notice, () => "none");
    const row = cancelRow(encodeCancelId(journey.interaction.id));
    return { ...drawn, payload: { ...drawn.payload, components: [row] } };
  }

  async function first(journey: Journey, answer: FirstAnswer) {
    const { interaction, arrivedAt } = journey;
    const outcome = await acknowledge(interaction, answer, arrivedAt, callbackTools);
    if (outcome === "expired") journey.log().error("was not acknowledged in time");
    return outcome;
  }

  function address(journey: Journey) {
    return { applicationId: parts.applicationId, token: journey.interaction.token };
  }
}

/** A form that a command opened has no message to update: its answer is a new one. */
function settledAnswer(answer: Answer, interaction: APIInteraction): Answer {
  const hasMessage = "message" in interaction && interaction.message !== undefined;
  return answer === "update" && !hasMessage ? "private" : answer;
}

const deferrals = {
  public: { type: InteractionResponseType.DeferredChannelMessageWithSource },
  private: {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  },
  update: { type: InteractionResponseType.DeferredMessageUpdate },
} as const satisfies Record<Answer, FirstAnswer>;

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function onlyInServers(): AccessError {
  return new AccessError("used outside a server", {
    code: "only_in_servers",
    hint: "Use me in a server: every connection belongs to one.",
  });
}

function setOut(interaction: APIInteraction, arrivedAt: number, services: Services): Journey {
  const id = shortId(services.random);
  let log: Log | undefined;
  return {
    interaction,
    arrivedAt,
    id,
    log: () => {
      log ??= services.log.child({
        reference: id,
        interaction: interaction.id,
        guild: interaction.guild_id,
        user: interaction.member?.user.id,
      });
      return log;
    },
  };
}

// Crockford's alphabet has no letters that are mistaken for others when read aloud.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function shortId(random: () => number): string {
  return Array.from({ length: 6 }, () => alphabet[Math.floor(random() * 32)]).join("");
}
