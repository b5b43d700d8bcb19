import { type APIInteraction, InteractionType } from "discord.js";
import { AccessError } from "../errors.ts";
import type { Action, Answer, Ctx } from "./command.ts";
import { type Asker, askerOf, makeCtx } from "./context.ts";
import { decodeCancelId } from "./custom-id.ts";
import { type Demands, requireCredentials, requireRank, storeUnavailable } from "./guard.ts";
import { type Job, type Jobs, notYours } from "./jobs.ts";
import { type Journey, setOut } from "./journey.ts";
import { createMemory } from "./memory.ts";
import { type Pressed, planFor, tooOld, type Work } from "./plan.ts";
import { createProgress } from "./progress.ts";
import type { Press, Reply } from "./reply.ts";
import { createRespond, type RespondParts } from "./respond.ts";
import { suggestionsFor } from "./suggest.ts";

export interface DispatchParts extends RespondParts {
  readonly jobs: Jobs;
}

/** Deals with one interaction that arrived at that time; never throws. */
export type Dispatch = (interaction: APIInteraction, arrivedAt: number) => Promise<void>;

/** The road of every interaction: plan, acknowledge, guard, run, render, send. Holds the one catch. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { services, routes, jobs } = parts;
  const memory = createMemory(services.now);
  const respond = createRespond(parts);

  return async function receive(interaction, arrivedAt) {
    const journey = setOut(interaction, arrivedAt, services);
    try {
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
        const choices = suggestionsFor(interaction, routes, services, memory);
        await respond.suggest(journey, await choices.catch(() => []));
      } else {
        await begin(journey).catch((error: unknown) => respond.refuse(journey, error));
      }
    } catch (error) {
      journey.log().error("the platform took no answer", { name: journey.name, error });
    }
  };

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
      return work(journey, answer, asker, (job) => press(journey, asker, plan, job));
    }
    requireRank(plan.demands, asker.rank);
    if (plan.kind === "open") {
      await respond.openForm(journey, asker, plan.opening.form());
      return;
    }
    return work(journey, plan.answer, asker, (job) => runWork(journey, asker, plan, job));
  }

  async function cancel(journey: Journey, stopped: string, asker: Asker): Promise<void> {
    if (!jobs.cancel(stopped, asker)) throw tooOld("cancelled work");
    await respond.deferUpdate(journey);
  }

  /** Acknowledges, works, answers; a failure is told where the answer would have been. */
  async function work(
    journey: Journey,
    answer: Answer,
    asker: Asker,
    run: (job: Job) => Promise<Reply>,
  ): Promise<void> {
    if ((await respond.defer(journey, answer)) === "expired") return;
    const job = jobs.start(journey.interaction.id, asker);
    try {
      await respond.reply(journey, asker, await run(job));
      const ms = services.now() - journey.arrivedAt;
      journey.log().info("answered", { name: journey.name, ms });
    } catch (error) {
      await respond.fail(journey, answer, error).catch((lost: unknown) => {
        journey.log().error("a failure was not told", { name: journey.name, error: lost });
      });
    } finally {
      job.end();
    }
  }

  function runWork(journey: Journey, asker: Asker, plan: Work, job: Job): Promise<Reply> {
    return withCtx({ journey, asker, job, ...plan }, (ctx) => plan.run(ctx));
  }

  async function press(journey: Journey, asker: Asker, plan: Pressed, job: Job): Promise<Reply> {
    const { action, state } = await lookUp(plan, asker);
    journey.name = action.name;
    requireRank(action, asker.rank);
    const parts = { journey, asker, job, demands: action, options: {} };
    return withCtx(parts, (ctx) => action.run(ctx, state, plan.fields));
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

  interface Run {
    readonly journey: Journey;
    readonly asker: Asker;
    readonly job: Job;
    readonly demands: Demands;
    readonly options: Readonly<Record<string, unknown>>;
  }

  async function withCtx(
    { journey, asker, job, demands, options }: Run,
    run: (ctx: Ctx) => Promise<Reply>,
  ): Promise<Reply> {
    const { guildId, rank } = asker;
    const opened = await requireCredentials(demands, guildId, rank, services.store.credentials);
    const progress = createProgress(
      (notice) => respond.progress(journey, notice),
      (error) => journey.log().warn("progress was not shown", { error }),
    );
    const show: Ctx["progress"] = (notice) =>
      progress.show({ kind: "notice", tone: "info", ...notice });
    const { signal } = job;
    try {
      const command = journey.name ?? "";
      const of = { asker, command, demands, options, opened };
      const ctx = makeCtx({ ...of, progress: show, signal, log: journey.log }, services);
      return await Promise.race([run(ctx), aborted(signal)]);
    } finally {
      await progress.stop();
    }
  }
}

/** A form that a command opened has no message to update: its answer is a new one. */
function settledAnswer(answer: Answer, interaction: APIInteraction): Answer {
  const hasMessage = "message" in interaction && interaction.message !== undefined;
  return answer === "update" && !hasMessage ? "private" : answer;
}

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
