import { isDeepStrictEqual } from "node:util";
import type { APIInteraction, APIMessage } from "discord.js";
import { InteractionResponseType, InteractionType, MessageFlags } from "discord-api-types/v10";
import { BotError } from "../../errors.ts";
import type { Answer } from "../declare/command.ts";
import type { ProgressNotice } from "../declare/interaction-context.ts";
import { buttonRows, progressBar } from "../draw/components.ts";
import { describeFailure } from "../draw/explain.ts";
import { acknowledgeMs } from "../draw/limits.ts";
import { type MessageReply, type RenderedMessage, render, withFoot } from "../draw/render.ts";
import type { Form, Notice, Reply } from "../draw/reply.ts";
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
  type DrawnAnswer,
  deliverAnswer,
  deliverProgress,
  redeliver,
  sendDeps,
} from "./deliver.ts";
import { failureButtons, inviteButtons } from "./failure-buttons.ts";
import type { DispatchDeps } from "./feature-contexts.ts";
import {
  type AcknowledgedInteraction,
  type AskedInteraction,
  countedFailure,
  type Interaction,
  interruptedError,
  type RunningInteraction,
} from "./interaction.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { answerFileTooLarge } from "./made-file.ts";
import { isTyped, readCommandPath } from "./plan.ts";
import { wordsIn } from "./requester.ts";

/** First answers after which the work follows. */
export const deferrals = {
  public: { type: InteractionResponseType.DeferredChannelMessageWithSource },
  private: {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  },
  update: { type: InteractionResponseType.DeferredMessageUpdate },
} as const satisfies Record<Answer, FirstAnswer>;

export async function openForm(
  deps: InteractionDeps,
  interaction: AskedInteraction,
  form: Form,
): Promise<AcknowledgeResult> {
  const data = await deps.drawing.form(form, interaction.requester, interaction.as);
  return sendFirst(deps, interaction, { type: InteractionResponseType.Modal, data });
}

/** Acknowledges the interaction, or answers it whole. */
export async function sendFirst(
  { services: { random, now }, callbackRest: rest }: InteractionDeps,
  interaction: Interaction,
  answer: FirstAnswer,
): Promise<AcknowledgeResult> {
  const { raw, arrivedAt, respond, interrupted } = interaction;
  // The process that ended has sent it, or it is too late for one.
  if (interrupted !== undefined) return "expired";
  const send = respond === undefined ? acknowledge : answerOverHttp(respond);
  const outcome = await send({ interaction: raw, answer, arrivedAt }, { rest, random, now });
  if (outcome === "accepted") interaction.acknowledgedAt = now();
  else interaction.log().error("was not acknowledged in time");
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

/**
 * How an interrupted interaction was acknowledged, as its message at Discord says; undefined where nobody waits any more. Notes
 * whether that message shows progress.
 *
 * Where Discord can't be asked, the person gets an answer that they may not need. It is sent as if a message that was pressed
 * is to stay, and as if a "thinking…" is public and has to be deleted: the first follow-up takes its place, and is as public.
 */
export async function awaitedAnswer(
  { callbackRest: rest, services: { random, now } }: InteractionDeps,
  interaction: Interaction,
): Promise<Answer | undefined> {
  const { raw, arrivedAt } = interaction;
  const { result, message } = await findAcknowledged(
    { interaction: raw, arrivedAt },
    { rest, random, now },
  );
  if (result === "expired") return undefined;
  if (message === undefined) return "message" in raw ? "update" : "public";
  if (showsProgress(message, raw)) interaction.hasProgress = true;
  if ("message" in raw && message.id === raw.message?.id) return "update";
  return ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0 ? "private" : "public";
}

/** Returns the message that shows it; undefined where it was sent beside the one that was pressed. */
export async function sendReply(
  deps: InteractionDeps,
  interaction: RunningInteraction,
  reply: Reply,
): Promise<APIMessage | undefined> {
  const answer = await drawReply(deps, interaction, reply);
  try {
    return await deliverAnswer(deps, interaction, answer);
  } catch (error) {
    const isTooLarge = answer.drawn.files.length > 0 && isRequestTooLarge(error);
    throw isTooLarge ? answerFileTooLarge(interaction.requester.attachmentLimit, error) : error;
  }
}

async function drawReply(
  { drawing }: InteractionDeps,
  interaction: RunningInteraction,
  reply: Reply,
): Promise<DrawnAnswer> {
  if (reply.kind === "form") throw new TypeError("a form has to be the first answer");
  const { raw, requester, answer, as, origin } = interaction;
  const isShownToAll = answer === "public" || (answer === "update" && !isEphemeral(raw));
  const isPrivate = reply.isPrivate === true || !isShownToAll;
  const shown = isPrivate ? reply : signed(reply, interaction);
  const drawn = await drawing.message(shown, { ...requester, isPrivate }, { as, origin });
  return { drawn, isBeside: isPrivate && isShownToAll };
}

/** Discord names who used a command above its answer, but not who sent a form or tried again. */
function signed(
  reply: MessageReply,
  { raw, isAgain, requester: { words, userName } }: RunningInteraction,
): MessageReply {
  if (raw.type !== InteractionType.ModalSubmit && isAgain !== true) return reply;
  return withFoot(reply, words.say("common.asked_by", { name: userName }));
}

/** Replaces an answer by a later one, unless the message has other buttons by now: then somebody went on with it. */
export async function replaceReply(
  deps: InteractionDeps,
  interaction: RunningInteraction,
  { shown, reply }: { readonly shown: APIMessage; readonly reply: Reply },
): Promise<void> {
  const now = await readOriginal(sendDeps(deps, interaction));
  const isUnchanged = isDeepStrictEqual(now?.components ?? [], shown.components ?? []);
  if (now === undefined || !isUnchanged) return;
  await redeliver(deps, interaction, (await drawReply(deps, interaction, reply)).drawn);
}

export async function showProgress(
  deps: InteractionDeps,
  interaction: RunningInteraction,
  { done, ...progress }: ProgressNotice,
): Promise<void> {
  interaction.hasProgress = true;
  const { raw, requester } = interaction;
  const { words } = requester;
  const bar = done === undefined ? undefined : progressBar(done, words);
  const text = [bar, progress.text].filter((line) => line !== undefined);
  const notice = { kind: "notice", tone: "neutral", ...progress } as const;
  const drawn = renderPlain(
    { ...notice, ...(text.length > 0 && { text: join(text, "\n") }) },
    words,
  );
  // The button's id names the interaction, so its press needs no state.
  const cancel = { label: words.say("common.cancel"), press: { action: "cancel", state: null } };
  const components = buttonRows([cancel], () => encodeCancelId(raw.id));
  await deliverProgress(deps, interaction, {
    ...drawn,
    payload: { ...drawn.payload, components },
  });
}

/** Sends a failure as the first answer, for the person alone. */
export async function sendEarlyFailure(
  deps: DispatchDeps,
  interaction: Interaction,
  cause: unknown,
): Promise<AcknowledgeResult> {
  const { raw } = interaction;
  const error = shownFailure(deps, interaction, cause);
  const words = wordsIn("locale" in raw ? raw.locale : "en-US", deps.services);
  const buttons = inviteButtons(error, { interaction, words, services: deps.services });
  const drawn = renderPlain(
    { ...failureNotice(deps, interaction, { error, words }), buttons },
    words,
  );
  if (interaction.interrupted !== undefined) {
    const answer = await awaitedAnswer(deps, interaction);
    if (answer === undefined) return "expired";
    const to = Object.assign(interaction, { answer });
    await deliverAnswer(deps, to, { drawn, isBeside: isFailureBeside(to) });
    return "accepted";
  }
  const { attachments: _, ...data } = drawn.payload;
  return sendFirst(deps, interaction, {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { ...data, flags: data.flags | MessageFlags.Ephemeral },
  });
}

/** Sends a failure after the first answer, in its place or in a message of its own. */
export async function sendFailure(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  cause: unknown,
): Promise<void> {
  const { requester, as } = interaction;
  const { words } = requester;
  const error = shownFailure(deps, interaction, cause);
  const isBeside = isFailureBeside(interaction);
  const isOwner = reaches(requester.rank, "owner");
  const notice = failureNotice(deps, interaction, { error, words, isOwner });
  const buttons = failureButtons(error, interaction, {
    // Where the pressed message stays as it was, its own button is there to press again.
    isPressable: interaction.answer !== "update" || !isBeside,
    services: deps.services,
  });
  const plain = renderPlain(notice, words);
  const drawn =
    buttons.length === 0
      ? plain
      : // Without buttons where the store fails.
        await deps.drawing
          .message({ ...notice, buttons }, { ...requester, isPrivate: true }, { as })
          .catch(() => plain);
  await deliverAnswer(deps, interaction, { drawn, isBeside });
}

/**
 * Whether a failure is sent as a message of its own: in place of a public answer all would read it, and a message that was
 * pressed stays, unless progress has replaced it and only its person sees it.
 */
function isFailureBeside({ raw, answer, hasProgress, isAgain }: AcknowledgedInteraction): boolean {
  if (answer !== "update") return answer === "public";
  // Left there, progress would look as if the work went on.
  const isReplaced = hasProgress === true || isAgain === true;
  return !isReplaced || !isEphemeral(raw);
}

/** An early failure says nothing about what an interrupted process had done, so its person is told of the interruption. */
function shownFailure(
  { features }: DispatchDeps,
  { interrupted, declaration }: Interaction,
  error: unknown,
): unknown {
  if (interrupted === undefined) return error;
  if (!(error instanceof BotError) || error.outcome !== "nothing") return error;
  const isRepeated = declaration !== undefined && features.mayRepeat(declaration);
  return isRepeated ? error : interruptedError({}, error);
}

interface FailureToShow {
  readonly error: unknown;
  readonly words: Words;
  readonly isOwner?: boolean;
}

/** Logs the failure and words it. Known failures are logged by their code; only an unforeseen one needs its stack. */
function failureNotice(
  { features }: DispatchDeps,
  interaction: Interaction,
  { error, words, isOwner }: FailureToShow,
): Notice {
  const { raw, name, reference, spent, declaration } = interaction;
  const mayChange = declaration && features.mayChange(declaration);
  interaction.failure = countedFailure(error);
  if (error instanceof BotError) {
    const { code, message: reason, cause } = error;
    interaction.log().warn("failed", { name, code, reason, ...(cause ? { cause } : {}) });
  } else interaction.log().error("failed", { name, code: "bug", error });
  const path = isTyped(raw) ? readCommandPath(raw.data).path : undefined;
  return describeFailure(error, reference, words, { path, spent, mayChange, isOwner });
}

/** Draws a message without presses. */
function renderPlain(notice: Notice, words: Words): RenderedMessage {
  return render(notice, { words, name: () => "none" });
}

function isEphemeral(raw: APIInteraction): boolean {
  const flags = "message" in raw ? (raw.message?.flags ?? 0) : 0;
  return (flags & MessageFlags.Ephemeral) !== 0;
}
