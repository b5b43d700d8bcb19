import {
  type APIInteraction,
  type APIMessage,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
} from "discord.js";
import { BotError } from "../../errors.ts";
import type { Answer } from "../declare/command.ts";
import type { ProgressNotice } from "../declare/interaction-context.ts";
import type { SuggestedChoice } from "../declare/suggest.ts";
import { cancelRow, progressBar } from "../draw/components.ts";
import { describeFailure } from "../draw/explain.ts";
import { acknowledgeMs } from "../draw/limits.ts";
import { type MessageReply, type RenderedMessage, render } from "../draw/render.ts";
import type { Button, Form, Notice, Reply } from "../draw/reply.ts";
import { join } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
import { reaches } from "../rank.ts";
import {
  type AcknowledgeResult,
  acknowledge,
  type FirstAnswer,
  findAcknowledged,
  isDeferral,
  showsProgress,
} from "../wire/acknowledge.ts";
import { encodeCancelId } from "../wire/custom-id.ts";
import { isRequestTooLarge, readOriginal } from "../wire/send.ts";
import {
  addressOf,
  type DeliveryDeps,
  type DeliveryTarget,
  type DrawnAnswer,
  deliverAnswer,
  deliverProgress,
  redeliver,
  sendDepsOf,
} from "./deliver.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { answerFileTooLarge } from "./made-file.ts";
import { pathOf } from "./plan.ts";
import {
  interactionFailureOf,
  interruptedError,
  type ReceivedInteraction,
} from "./received-interaction.ts";
import { inviteButtons, remedyButtons } from "./remedies.ts";
import { reopenPress } from "./reopen-form.ts";
import { type Requester, wordsFor } from "./requester.ts";
import { tryAgainButton } from "./try-again.ts";

/** What answering an interaction needs. */
type RespondDeps = DeliveryDeps & Pick<InteractionDeps, "callbackRest" | "drawing">;

/** Who gets an answer. */
interface AnswerTarget {
  readonly received: ReceivedInteraction;
  readonly requester: Requester;
}

type AcknowledgedTarget = AnswerTarget & DeliveryTarget;

const deferrals = {
  public: { type: InteractionResponseType.DeferredChannelMessageWithSource },
  private: {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  },
  update: { type: InteractionResponseType.DeferredMessageUpdate },
} as const satisfies Record<Answer, FirstAnswer>;

async function sendFirst(
  { services: { random, now }, callbackRest: rest }: RespondDeps,
  received: ReceivedInteraction,
  answer: FirstAnswer,
): Promise<AcknowledgeResult> {
  const { interaction, arrivedAt, respond, interrupted } = received;
  // The process that ended has sent it, or it is too late for one.
  if (interrupted !== undefined) return "expired";
  const send = respond === undefined ? acknowledge : answerOverHttp(respond);
  const outcome = await send({ interaction, answer, arrivedAt }, { rest, random, now });
  if (outcome === "accepted") received.acknowledgedAt = now();
  else received.log().error("was not acknowledged in time");
  return outcome;
}

/**
 * Discord waits 3 s for the response, but a response that left may lie in the kernel or in a proxy for a while. After this age,
 * which few have, Discord is asked whether it came in time before any work begins.
 */
const surelyInTimeMs = 1_000;

function answerOverHttp(respond: (answer: FirstAnswer) => Promise<boolean>): typeof acknowledge {
  return async (acknowledgement, deps) => {
    const { answer, arrivedAt } = acknowledgement;
    if (deps.now() - arrivedAt >= acknowledgeMs || !(await respond(answer))) return "expired";
    const isSure = deps.now() - arrivedAt <= surelyInTimeMs || !isDeferral(answer);
    return isSure ? "accepted" : (await findAcknowledged(acknowledgement, deps)).result;
  };
}

/** Acknowledges the interaction; the work follows. */
export function defer(deps: RespondDeps, received: ReceivedInteraction, answer: Answer) {
  return sendFirst(deps, received, deferrals[answer]);
}

/** For a press that cancelled other work, and changes nothing by itself. */
export function deferUpdate(deps: RespondDeps, received: ReceivedInteraction) {
  return sendFirst(deps, received, deferrals.update);
}

export function offerSuggestions(
  deps: RespondDeps,
  received: ReceivedInteraction,
  choices: readonly SuggestedChoice[],
): Promise<AcknowledgeResult> {
  const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
  return sendFirst(deps, received, { type, data: { choices } });
}

export async function openForm(
  deps: RespondDeps,
  { received, requester }: AnswerTarget,
  form: Form,
): Promise<AcknowledgeResult> {
  const data = await deps.drawing.form(form, requester, received.as);
  return sendFirst(deps, received, { type: InteractionResponseType.Modal, data });
}

/** Sends a failure as the first answer, for the person alone. */
export async function sendRefusal(
  deps: RespondDeps,
  received: ReceivedInteraction,
  cause: unknown,
): Promise<AcknowledgeResult> {
  const error = failureOf(received, cause);
  const words = wordsFor(received.interaction, deps.services);
  const buttons = inviteButtons(error, words, invitedBot(deps, received));
  const drawn = renderPlain({ ...noticeOf(received, error, words), buttons }, words);
  if (received.interrupted !== undefined) {
    const answer = await awaitedAnswer(deps, received);
    if (answer === undefined) return "expired";
    const to = { received, answer };
    await deliverAnswer(deps, to, { drawn, isBeside: isFailureBeside(to) });
    return "accepted";
  }
  const { attachments: _, ...data } = drawn.payload;
  return sendFirst(deps, received, {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { ...data, flags: data.flags | MessageFlags.Ephemeral },
  });
}

/** Returns the message that shows it; undefined where it was sent beside the one that was pressed. */
export async function sendReply(
  deps: RespondDeps,
  to: AcknowledgedTarget,
  reply: Reply,
): Promise<APIMessage | undefined> {
  const answer = await drawReply(deps, to, reply);
  try {
    return await deliverAnswer(deps, to, answer);
  } catch (error) {
    const isTooLarge = answer.drawn.files.length > 0 && isRequestTooLarge(error);
    throw isTooLarge ? answerFileTooLarge(to.requester.attachmentLimit, error) : error;
  }
}

async function drawReply(
  { drawing }: RespondDeps,
  to: AcknowledgedTarget,
  reply: Reply,
): Promise<DrawnAnswer> {
  if (reply.kind === "form") throw new TypeError("a form has to be the first answer");
  const { received, requester, answer } = to;
  const isShownToAll =
    answer === "public" || (answer === "update" && !isEphemeral(received.interaction));
  const isPrivate = reply.isPrivate === true || !isShownToAll;
  const shown = isPrivate ? reply : signed(reply, to);
  const { as, origin } = received;
  const drawn = await drawing.message(shown, { ...requester, isPrivate }, { as, origin });
  return { drawn, isBeside: isPrivate && isShownToAll };
}

/** Discord names who used a command above its answer, but not who sent a form or tried again. */
function signed(
  reply: MessageReply,
  { received: { interaction, isAgain }, requester: { words, userName } }: AcknowledgedTarget,
): MessageReply {
  if (interaction.type !== InteractionType.ModalSubmit && isAgain !== true) return reply;
  const by = words.say("common.asked_by", { name: userName });
  if (reply.kind === "list") return { ...reply, footer: join([reply.footer, by], " · ") };
  return { ...reply, footer: reply.footer === undefined ? by : `${reply.footer} · ${by}` };
}

/** Replaces an answer by a later one, unless the message has other buttons by now: then somebody went on with it. */
export async function replaceReply(
  deps: RespondDeps,
  to: AcknowledgedTarget,
  { shown, reply }: { readonly shown: APIMessage; readonly reply: Reply },
): Promise<void> {
  const { received } = to;
  const now = await readOriginal(addressOf(received), sendDepsOf(deps, received));
  const buttonsOf = (message: APIMessage) => JSON.stringify(message.components ?? []);
  if (now === undefined || buttonsOf(now) !== buttonsOf(shown)) return;
  await redeliver(deps, received, (await drawReply(deps, to, reply)).drawn);
}

export async function showProgress(
  deps: RespondDeps,
  received: ReceivedInteraction,
  { done, ...progress }: ProgressNotice,
): Promise<void> {
  received.hasProgress = true;
  const { interaction } = received;
  const words = wordsFor(interaction, deps.services);
  const bar = done === undefined ? undefined : progressBar(done, words);
  const text = [bar, progress.text].filter((line) => line !== undefined);
  const notice = { kind: "notice", tone: "neutral", ...progress } as const;
  const drawn = renderPlain(
    { ...notice, ...(text.length > 0 && { text: join(text, "\n") }) },
    words,
  );
  const components = [cancelRow(words.say("common.cancel"), encodeCancelId(interaction.id))];
  const payload = { ...drawn.payload, components };
  await deliverProgress(deps, received, { ...drawn, payload });
}

/** Sends a failure after the first answer, in its place or in a message of its own. */
export async function sendFailure(
  deps: RespondDeps,
  to: AcknowledgedTarget,
  cause: unknown,
): Promise<void> {
  const { received, answer } = to;
  const error = failureOf(received, cause);
  const isBeside = isFailureBeside(to);
  // Where the pressed message stays as it was, its own button is there to press again.
  const isPressable = answer !== "update" || !isBeside;
  const { words } = to.requester;
  const again = isPressable ? tryAgainButton(received, { answer, error, words }) : undefined;
  const drawn = await drawFailure(deps, to, { error, again });
  await deliverAnswer(deps, to, { drawn, isBeside });
}

/**
 * Whether a failure is sent as a message of its own: in place of a public answer all would read it, and a message that was
 * pressed stays, unless progress has replaced it and only its person sees it.
 */
function isFailureBeside({ received, answer }: DeliveryTarget): boolean {
  if (answer !== "update") return answer === "public";
  // Left there, progress would look as if the work went on.
  const isReplaced = received.hasProgress === true || received.isAgain === true;
  return !isReplaced || !isEphemeral(received.interaction);
}

/** An early failure says nothing about what an interrupted process had done, so its person is told of the interruption. */
function failureOf({ interrupted, isRepeatable }: ReceivedInteraction, error: unknown): unknown {
  const isKnown = interrupted === undefined || isRepeatable === true;
  if (isKnown || !(error instanceof BotError) || error.outcome !== "nothing") return error;
  return interruptedError({}, error);
}

/** With buttons to try again and back to the form, so that nothing typed is lost; without them where the store fails. */
async function drawFailure(
  deps: RespondDeps,
  { received, requester }: AnswerTarget,
  { error, again }: { readonly error: unknown; readonly again: Button | undefined },
): Promise<RenderedMessage> {
  const { form, isOnce } = received;
  const { words } = requester;
  const mayBeDone = !(error instanceof BotError) || error.outcome !== "nothing";
  const notice = noticeOf(received, error, words, reaches(requester.rank, "owner"));
  const plain = renderPlain(notice, words);
  const isForGood = form === undefined || (isOnce === true && mayBeDone);
  const retry = again === undefined ? [] : [again];
  const style = again === undefined ? "primary" : "secondary";
  const back = isForGood ? [] : [{ ...backButton(form, words), style } as const];
  const invite = inviteButtons(error, words, invitedBot(deps, received));
  const buttons = [...retry, ...back, ...remedyButtons(error, requester, received.as), ...invite];
  if (buttons.length === 0) return plain;
  return deps.drawing
    .message({ ...notice, buttons }, { ...requester, isPrivate: true }, { as: received.as })
    .catch(() => plain);
}

/**
 * How an interrupted interaction was acknowledged, as its message at Discord says; undefined where nobody waits any more. Notes
 * whether that message shows progress.
 *
 * Where Discord can't be asked, the person gets an answer that they may not need. It is sent as if a message that was pressed
 * is to stay, and as if a "thinking…" is public and has to be deleted: the first follow-up takes its place, and is as public.
 */
export async function awaitedAnswer(
  { callbackRest: rest, services: { random, now } }: RespondDeps,
  received: ReceivedInteraction,
): Promise<Answer | undefined> {
  const { interaction } = received;
  const { result, message } = await findAcknowledged(received, { rest, random, now });
  if (result === "expired") return undefined;
  if (message === undefined) return "message" in interaction ? "update" : "public";
  if (showsProgress(message, interaction)) received.hasProgress = true;
  if ("message" in interaction && message.id === interaction.message?.id) return "update";
  return ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0 ? "private" : "public";
}

function invitedBot({ services: { siteUrl } }: RespondDeps, { interaction }: ReceivedInteraction) {
  return { applicationId: interaction.application_id, siteUrl };
}

/** Draws a message without presses. */
function renderPlain(notice: Notice, words: Words): RenderedMessage {
  return render(notice, { words, name: () => "none" });
}

function isEphemeral(interaction: APIInteraction): boolean {
  const flags = "message" in interaction ? (interaction.message?.flags ?? 0) : 0;
  return (flags & MessageFlags.Ephemeral) !== 0;
}

function backButton(form: Form, words: Words): Button {
  return { label: words.say("common.back_to_form"), press: reopenPress(form) };
}

/** Logs the failure and words it. Known failures are logged by their code; only an unforeseen one needs its stack. */
function noticeOf(
  received: ReceivedInteraction,
  error: unknown,
  words: Words,
  isOwner?: boolean,
): Notice {
  const { name, reference } = received;
  received.failure = interactionFailureOf(error);
  if (error instanceof BotError) {
    const { code, message: reason, cause } = error;
    received.log().warn("failed", { name, code, reason, ...(cause ? { cause } : {}) });
  } else received.log().error("failed", { name, code: "bug", error });
  const { spent, mayChange } = received;
  const around = { path: pathOf(received.interaction), spent, mayChange, isOwner };
  return describeFailure(error, reference, words, around);
}
