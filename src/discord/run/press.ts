import { type APIInteraction, type APIMessage, MessageFlags } from "discord.js";
import { authorise, tooOld } from "../access/authorise.ts";
import type { Answer } from "../declare/command.ts";
import { requireInputWithin } from "../declare/text-limits.ts";
import type { Reply } from "../draw/reply.ts";
import type { PressAnswer } from "../wire/custom-id.ts";
import { askAgain } from "./ask-again.ts";
import { askAgainMs } from "./asked-press.ts";
import type { View } from "./feature-contexts.ts";
import { handle } from "./handle.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { type PlannedPress, planFor } from "./plan.ts";
import type { FoundPress } from "./presses.ts";
import { refillForm } from "./reopen-form.ts";
import { pressAnswerOf } from "./reply-renderer.ts";
import { type Requester, requestInfoOf } from "./requester.ts";
import { openForm } from "./respond.ts";
import {
  type RunningInteraction,
  refuseInterrupted,
  runAndReply,
  type StartedInteraction,
} from "./run-and-reply.ts";
import { runWork } from "./run-work.ts";
import { type AskedWork, isTryAgain } from "./try-again.ts";

/** A button, a select or a form that was used. */
export async function beginPress(
  deps: InteractionDeps,
  started: StartedInteraction,
  plan: PlannedPress,
): Promise<void> {
  const { received, requester } = started;
  if (plan.answer === "form") return openPressedForm(deps, started, plan);
  const answer = settledAnswer(plan.answer, received.interaction, requester);
  const to = { received, requester, answer };
  return runAndReply(deps, to, (who) => runPress(deps, { ...who, answer }, plan));
}

async function openPressedForm(
  deps: InteractionDeps,
  started: StartedInteraction,
  plan: PlannedPress,
): Promise<void> {
  const { services } = deps;
  const { requester } = started;
  const { action, state } = await find(deps, started, plan);
  if (!("form" in action)) throw tooOld("press");
  const request = requestInfoOf(requester, services.now);
  await deps.features.requireForForm({ ...request, rank: requester.rank }, action);
  const ctx = deps.features.openForm(request);
  const form = await action.form(ctx as never, state as never);
  await openForm(deps, started, form);
}

/** Looks up what was pressed, and checks that the person may use it. */
async function find(
  { presses }: InteractionDeps,
  { received, requester }: StartedInteraction,
  plan: PlannedPress,
): Promise<FoundPress> {
  const found = await presses.lookUp(plan);
  const { action, begun, as } = found;
  received.name = action.name;
  await authorise(action, requester, { by: action.by, begun });
  // A forged letter could make a private answer public.
  if (pressAnswerOf(action) !== plan.answer) throw tooOld("press");
  if (as !== undefined) received.as = as;
  return found;
}

async function runPress(
  deps: InteractionDeps,
  who: RunningInteraction & { readonly answer: Answer },
  plan: PlannedPress,
): Promise<Reply> {
  const { received, answer } = who;
  const { action, state, form, isKept, asked } = await find(deps, who, plan);
  if (isTryAgain(action)) {
    // The button never stores its own press.
    if (received.isAgain === true) throw tooOld("press");
    const again = () => runAgain(deps, who, state as AskedWork);
    return deps.presses.once({ ...plan, isKept, received }, again);
  }
  const message = messageOf(received.interaction);
  const view = viewOf(answer, message);
  if (asked !== undefined && deps.services.now() - asked.at > askAgainMs) {
    return askAgain(deps, who, { asked, press: { action: action.name, state }, view, message });
  }
  if (form !== undefined) {
    requireInputWithin(plan.input, form);
    received.form = refillForm(form, plan.input);
  }
  received.isOnce = action.isOnce === true;
  if (!("run" in action)) throw tooOld("press");
  received.origin = { kind: "press", press: { action: action.name, state }, input: plan.input };
  const run = (ctx: never) => action.run(ctx, state as never, plan.input);
  const called = { ...who, declaration: action, options: {}, view, message };
  const carryOut = async () => {
    refuseInterrupted(deps, received, action);
    return handle(deps, called, run);
  };
  if (action.isOnce !== true) return carryOut();
  return deps.presses.once({ ...plan, isKept, received }, carryOut);
}

/** Goes on as if what failed had been asked just now; ids and rights are those of the press. */
async function runAgain(
  deps: InteractionDeps,
  who: RunningInteraction & { readonly answer: Answer },
  { as, message, ...asked }: AskedWork,
): Promise<Reply> {
  const { received, requester } = who;
  const { interaction } = received;
  const shown = { ...messageOf(interaction), ...message };
  // Stored as it came from Discord.
  received.interaction = { ...interaction, ...asked, message: shown } as APIInteraction;
  received.isAgain = true;
  if (as !== undefined) received.as = as;
  const plan = planFor(received.interaction, deps.routes);
  received.name = plan.name;
  if (plan.kind === "press") return runPress(deps, who, plan);
  await authorise(plan.declaration, requester, { isActing: plan.as !== undefined });
  if (plan.as !== undefined) received.as = plan.as;
  return runWork(deps, who, plan);
}

/** A form that a command opened has no message to update, and somebody else's message is not to be changed. */
function settledAnswer(
  answer: Exclude<PressAnswer, "form">,
  interaction: APIInteraction,
  requester: Requester,
): Answer {
  if (answer === "public" || answer === "private") return answer;
  const message = messageOf(interaction);
  if (message === undefined) return "private";
  const ownerId = message.interaction_metadata?.user.id;
  const isTheirs = ownerId === undefined || ownerId === requester.userId;
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
