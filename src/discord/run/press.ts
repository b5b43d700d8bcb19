import { type APIInteraction, type APIMessage, MessageFlags } from "discord.js";
import { withTimeout } from "../../clock.ts";
import { authorise, tooOld } from "../access/authorise.ts";
import type { View } from "../access/video-access.ts";
import type { Answer } from "../declare/command.ts";
import type { Ctx } from "../declare/ctx.ts";
import { requireInputWithin } from "../declare/text-limits.ts";
import { helpMs } from "../draw/limits.ts";
import type { Reply } from "../draw/reply.ts";
import type { PressAnswer } from "../wire/custom-id.ts";
import { type Asker, askedOf } from "./context.ts";
import { pressAnswerOf } from "./drawing.ts";
import { refilled } from "./form-again.ts";
import { handle } from "./handle.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { Pressed } from "./plan.ts";
import type { FoundPress } from "./presses.ts";
import { openForm } from "./respond.ts";
import { type RunningInteraction, type StartedInteraction, workFor } from "./work.ts";

/** A button, a select or a form that was used. */
export async function beginPress(
  deps: InteractionDeps,
  started: StartedInteraction,
  plan: Pressed,
): Promise<void> {
  if (plan.answer === "form") return openPressedForm(deps, started, plan);
  const { journey, asker } = started;
  const answer = settledAnswer(plan.answer, journey.interaction, asker);
  const to = { journey, asker, answer };
  return workFor(deps, to, (who) => runPress(deps, { ...who, answer }, plan));
}

async function openPressedForm(
  deps: InteractionDeps,
  started: StartedInteraction,
  plan: Pressed,
): Promise<void> {
  const { services } = deps;
  const { asker } = started;
  const { action, state } = await find(deps, started, plan);
  if (!("form" in action)) throw tooOld("press");
  const readReplies = () => services.moderation.of(asker.guildId).replies.all();
  const savedReplies = () => withTimeout(readReplies, { ms: helpMs }).catch(() => []);
  const form = await action.form({ ...askedOf(asker, services.now), savedReplies }, state);
  await openForm(deps, started, form);
}

/** What was pressed, for whoever may use it. */
async function find(
  { presses }: InteractionDeps,
  { journey, asker }: StartedInteraction,
  plan: Pressed,
): Promise<FoundPress> {
  const found = await presses.lookUp(plan);
  const { action, begun, as } = found;
  journey.name = action.name;
  await authorise(action, asker, { by: action.by, begun });
  // Whoever changes the letter would have an answer shown to all that is for one.
  if (pressAnswerOf(action) !== plan.answer) throw tooOld("press");
  if (as !== undefined) journey.as = as;
  return found;
}

async function runPress(
  deps: InteractionDeps,
  who: RunningInteraction & { readonly answer: Answer },
  plan: Pressed,
): Promise<Reply> {
  const { journey, answer } = who;
  const { action, state, form, isKept } = await find(deps, who, plan);
  if (form !== undefined) {
    requireInputWithin(plan.input, form);
    journey.form = refilled(form, plan.input);
  }
  journey.isOnce = action.isOnce === true;
  if (!("run" in action)) throw tooOld("press");
  const message = messageOf(journey.interaction);
  const view = viewOf(answer, message);
  const run = (ctx: Ctx) => action.run(ctx, state, plan.input);
  const carryOut = () => handle(deps, { ...who, demands: action, options: {}, view, message }, run);
  return action.isOnce === true ? deps.presses.once({ ...plan, isKept }, carryOut) : carryOut();
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
