import { type APIInteraction, type APIMessage, InteractionType } from "discord.js";
import { authorise, requireServer, tooOld } from "../access/authorise.ts";
import type { Reading } from "../declare/option.ts";
import type { Reply } from "../draw/reply.ts";
import { decodeCancelId } from "../wire/custom-id.ts";
import { type Asker, askedOf, askerOf } from "./context.ts";
import { handle } from "./handle.ts";
import { type DispatchDeps, type InteractionDeps, interactionDeps } from "./interaction-deps.ts";
import { type Journey, setOut } from "./journey.ts";
import { failureOf, observed } from "./observer.ts";
import { planFor, type Work } from "./plan.ts";
import { beginPress } from "./press.ts";
import { deferUpdate, offerSuggestions, openForm, refuse } from "./respond.ts";
import { suggestionsFor } from "./suggest.ts";
import { type RunningInteraction, type StartedInteraction, workFor } from "./work.ts";

/** Before the first answer, which has until 2.3 s, the server's roles are waited for until then; after it, so long. */
const rolesBeforeMs = 1_000;
const rolesAfterMs = 5_000;

/** Deals with one interaction that arrived at that time; never throws. */
export type Dispatch = (interaction: APIInteraction, arrivedAt: number) => Promise<void>;

/** What becomes of every interaction: plan, acknowledge, guard, run, render, send. The one catch for all of it is here. */
export function createDispatch(given: DispatchDeps): Dispatch {
  const deps = interactionDeps(given);
  const { services, routes } = deps;
  return async function receive(interaction, arrivedAt) {
    const journey = setOut(interaction, arrivedAt, services);
    try {
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
        const choices = ownWork(deps, interaction, () => suggestionsFor(interaction, deps));
        const offered = choices.catch((error: unknown) => {
          journey.failure = failureOf(error);
          return [];
        });
        await offerSuggestions(deps, journey, await offered);
      } else {
        await ownWork(deps, interaction, () => begin(deps, journey)).catch((error: unknown) =>
          refuse(deps, journey, error),
        );
      }
    } catch (error) {
      journey.isLost = true;
      journey.log().error("the platform took no answer", { name: journey.name, error });
    } finally {
      services.observer?.(observed(journey, routes, services.now()));
    }
  };
}

/** Should its server be erased meanwhile, what it writes after that is refused. */
async function ownWork<T>(
  { services }: InteractionDeps,
  { guild_id: id }: APIInteraction,
  work: () => Promise<T>,
): Promise<T> {
  return id === undefined ? work() : services.store.database.servers.answerFor(id, work);
}

/** Everything that is decided before the first answer; what fails here is told as the first answer. */
async function begin(deps: InteractionDeps, journey: Journey): Promise<void> {
  const { interaction } = journey;
  const { now } = deps.services;
  const patienceMs = () =>
    journey.acknowledgedAt === undefined ? journey.arrivedAt + rolesBeforeMs - now() : rolesAfterMs;
  const asker = await askerOf(interaction, deps, patienceMs);
  requireServer(asker);
  const started = { journey, asker };
  if (interaction.type === InteractionType.MessageComponent) {
    const stopped = decodeCancelId(interaction.data.custom_id);
    if (stopped !== undefined) return cancel(deps, started, stopped);
  }
  const plan = planFor(interaction, deps.routes);
  journey.name = plan.name;
  return plan.kind === "press" ? beginPress(deps, started, plan) : beginWork(deps, started, plan);
}

async function cancel(
  deps: InteractionDeps,
  { journey, asker }: StartedInteraction,
  stopped: string,
): Promise<void> {
  journey.name = "cancel";
  if (!deps.running.cancel(stopped, asker)) throw tooOld("cancelled work");
  await deferUpdate(deps, journey);
}

async function beginWork(
  deps: InteractionDeps,
  started: StartedInteraction,
  plan: Work,
): Promise<void> {
  const { journey, asker } = started;
  await authorise(plan.demands, asker, { isActing: plan.as !== undefined });
  if (plan.as !== undefined) journey.as = plan.as;
  const form = plan.form(askedOf(asker, deps.services.now));
  if (form !== undefined) {
    await openForm(deps, started, form);
    return;
  }
  const { answer } = plan;
  return workFor(deps, { journey, asker, answer }, (who) => runWork(deps, who, plan));
}

async function runWork(deps: InteractionDeps, who: RunningInteraction, plan: Work): Promise<Reply> {
  const { demands, answer: view } = plan;
  const options = await plan.options(readingFor(who.asker, deps.services.now));
  const message = plan.message as APIMessage | undefined;
  return handle(deps, { ...who, demands, options, view, message }, plan.run);
}

function readingFor({ guildId, settings, words }: Asker, now: () => number): Reading {
  return { guildId, now: now(), tag: words.tag, timeZone: settings.timeZone ?? "UTC" };
}
