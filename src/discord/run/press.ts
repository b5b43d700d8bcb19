import type { APIInteraction, APIMessage } from "discord.js";
import { MessageFlags } from "discord-api-types/v10";
import { authorise, tooOld } from "../access/authorise.ts";
import type { Answer, HandledAction } from "../declare/command.ts";
import { requireInputWithin } from "../declare/text-limits.ts";
import { ask, type Press, type Reply } from "../draw/reply.ts";
import { join, time } from "../draw/text.ts";
import type { PressAnswer } from "../wire/custom-id.ts";
import { type AskedPress, askAgainMs, type QuestionOrigin } from "./asked-press.ts";
import {
  type AskedWork,
  refillForm,
  tryAgainPrivately,
  tryAgainPublicly,
} from "./failure-buttons.ts";
import type { DispatchDeps, View } from "./feature-contexts.ts";
import { handle, refuseInterrupted, runAndReply, runWork } from "./handle.ts";
import type { AskedInteraction, RunningInteraction } from "./interaction.ts";
import { type PlannedPress, planCommand, planFor } from "./plan.ts";
import { findPress, pressOnce } from "./presses.ts";
import { pressAnswerFor } from "./reply-renderer.ts";
import { requestInfo } from "./requester.ts";
import { openForm } from "./respond.ts";

/** A button, a select or a form that was used. */
export async function beginPress(
  deps: DispatchDeps,
  interaction: AskedInteraction,
  plan: PlannedPress,
): Promise<void> {
  if (plan.answer === "form") return openPressedForm(deps, interaction, plan);
  const answer = settledAnswer(plan.answer, interaction);
  return runAndReply(deps, interaction, { answer }, (running) => runPress(deps, running, plan));
}

async function openPressedForm(
  deps: DispatchDeps,
  interaction: AskedInteraction,
  plan: PlannedPress,
): Promise<void> {
  const { requester } = interaction;
  const { action, state } = await find(deps, interaction, plan);
  if (!("form" in action)) throw tooOld("press");
  await deps.features.requireForForm(requester, action);
  const ctx = deps.features.openForm(requestInfo(requester, deps.services.now));
  const form = await action.form(ctx as never, state as never);
  await openForm(deps, interaction, form);
}

/** Looks up what was pressed, and checks that the person may use it. */
async function find(deps: DispatchDeps, interaction: AskedInteraction, plan: PlannedPress) {
  const found = await findPress(deps, plan);
  const { action, begun, as } = found;
  interaction.name = action.name;
  await authorise(action, interaction.requester, { by: action.by, begun });
  // A forged letter could make a private answer public.
  if (pressAnswerFor(action) !== plan.answer) throw tooOld("press");
  if (as !== undefined) interaction.as = as;
  return found;
}

async function runPress(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  plan: PlannedPress,
): Promise<Reply> {
  const { action, state, form, isKept, asked } = await find(deps, interaction, plan);
  const once = { ...plan, isKept, interaction };
  if (action.name === tryAgainPublicly.name || action.name === tryAgainPrivately.name) {
    // The button never stores its own press.
    if (interaction.isAgain === true) throw tooOld("press");
    return pressOnce(deps, once, () => runAgain(deps, interaction, state as AskedWork));
  }
  const press = { action: action.name, state };
  if (asked !== undefined && deps.services.now() - asked.at > askAgainMs) {
    return askAgain(deps, interaction, { asked, press });
  }
  if (form !== undefined) {
    requireInputWithin(plan.input, form);
    interaction.form = refillForm(form, plan.input);
  }
  interaction.isOnce = action.isOnce === true;
  if (!("run" in action)) throw tooOld("press");
  const work = { action, origin: { kind: "press", press, input: plan.input } } as const;
  if (action.isOnce !== true) return runAction(deps, interaction, work);
  return pressOnce(deps, once, async () => runAction(deps, interaction, work));
}

type PressOrigin = Extract<QuestionOrigin, { kind: "press" }>;

function runAction(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  { action, origin }: { readonly action: HandledAction; readonly origin: PressOrigin },
): Promise<Reply> {
  interaction.origin = origin;
  refuseInterrupted(deps, interaction, action);
  return handle(deps, interaction, {
    declaration: action,
    view: viewFor(interaction),
    options: {},
    message: pressedMessage(interaction.raw),
    run: (ctx) => action.run(ctx, origin.press.state as never, origin.input),
  });
}

/** Goes on as if what failed had been asked just now; ids and rights are those of the press. */
async function runAgain(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  { as, message, ...asked }: AskedWork,
): Promise<Reply> {
  const { raw, requester } = interaction;
  const shown = { ...pressedMessage(raw), ...message };
  // Stored as it came from Discord.
  interaction.raw = { ...raw, ...asked, message: shown } as APIInteraction;
  interaction.isAgain = true;
  if (as !== undefined) interaction.as = as;
  const plan = planFor(interaction.raw, deps.routes);
  interaction.name = plan.name;
  if (plan.kind === "press") return runPress(deps, interaction, plan);
  await authorise(plan.declaration, requester, { isActing: plan.as !== undefined });
  if (plan.as !== undefined) interaction.as = plan.as;
  return runWork(deps, interaction, { plan, view: plan.answer });
}

/** Asks again in place of what an old button would do, with what applies now. */
async function askAgain(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  { asked, press }: { readonly asked: AskedPress; readonly press: Press },
): Promise<Reply> {
  const { words } = interaction.requester;
  const at = new Date(asked.at);
  const note = words.md("common.asked_again", { at: time(at), moment: time(at, "f") });
  const { label, origin } = asked;
  if (origin === undefined) {
    const confirm = { label, style: "danger", press } as const;
    return ask({ title: words.say("common.still", { label }), text: note, confirm });
  }
  const reply = await makeAgain(deps, interaction, origin);
  return reply.kind === "ask" || reply.kind === "list"
    ? { ...reply, text: join([note, reply.text]) }
    : reply;
}

async function makeAgain(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  origin: QuestionOrigin,
): Promise<Reply> {
  const { requester, as } = interaction;
  interaction.origin = origin;
  if (origin.kind === "command") {
    const plan = planCommand(origin.data, deps.routes);
    await authorise(plan.declaration, requester, { isActing: as !== undefined });
    return runWork(deps, interaction, { plan, view: viewFor(interaction) });
  }
  const action = deps.routes.actions.get(origin.press.action);
  if (action === undefined || !("run" in action)) throw tooOld("press");
  await authorise(action, requester, {});
  return runAction(deps, interaction, { action, origin });
}

/** A form that a command opened has no message to update, and somebody else's message is not to be changed. */
function settledAnswer(
  answer: Exclude<PressAnswer, "form">,
  { raw, requester }: AskedInteraction,
): Answer {
  if (answer === "public" || answer === "private") return answer;
  const message = pressedMessage(raw);
  if (message === undefined) return "private";
  const ownerId = message.interaction_metadata?.user.id;
  const isTheirs = ownerId === undefined || ownerId === requester.userId;
  return answer === "each" && !isTheirs ? "private" : "update";
}

function pressedMessage(raw: APIInteraction): APIMessage | undefined {
  return "message" in raw ? raw.message : undefined;
}

/** Who will read it: what changes a message of one person stays with that person. */
function viewFor({ answer, raw }: RunningInteraction): View {
  if (answer !== "update") return answer;
  const flags = pressedMessage(raw)?.flags ?? 0;
  return (flags & MessageFlags.Ephemeral) !== 0 ? "private" : "public";
}
