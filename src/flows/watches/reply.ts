import { setTimeout as delay } from "node:timers/promises";
import {
  card,
  type Form,
  type FormField,
  form,
  isCancelled,
  join,
  limits,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { DecisionResult, HeldComment, ItemRef, SavedReply } from "../../moderation/index.ts";
import { pages, replyToComment } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FlowAction } from "../declarations/index.ts";
import { quoteLines } from "./comment.ts";
import { cardPresses } from "./presses.ts";
import { alreadyDecidedNotice, findQueuedComment } from "./redraw.ts";
import { actorOf, commentStateLine, describeCommentState, isDecidable } from "./state.ts";

const openForm = actionFor(cardPresses.reply, {
  by: "anyone",
  rank: "moderator",
  answer: "form",
  form: async ({ words, savedReplies }, ref) => replyForm(ref, await savedReplies(), words),
});

/** The calls of a reply: the reads before it, and the reply itself. */
const replyCalls = {
  method: "comments.insert",
  uses: ["comments.list", "commentThreads.list"],
} as const;

const send = action<ItemRef>({
  ...replyCalls,
  name: "watch.send-reply",
  by: "requester",
  answer: "private",
  run: async (ctx, ref, { fields }) => {
    const text = fields.text?.trim() || (await savedText(ctx, fields.saved));
    if (text === "") {
      throw new InputError("neither a text nor a saved reply", { code: "comment_text_required" });
    }
    const found = await findQueuedComment(ctx, ref);
    if ("refusal" in found) return found.refusal;
    const { item } = found;
    if (isPublished(item)) return sendReply(ctx, item, text);
    if (isDecidable(item) || item.status === "held" || isApproving(item)) {
      return approveFirst(ctx, ref, text);
    }
    return unsentNotice(ctx, item);
  },
});

const approveAndSend = action<ItemRef & { readonly text: string }>({
  ...replyCalls,
  name: "watch.approve-reply",
  by: "requester",
  answer: "update",
  isOnce: true,
  run: async (ctx, { text, ...ref }) => {
    const { queue } = ctx.moderation;
    const decision = { items: [ref], kind: "approve", by: actorOf(ctx), from: "card" } as const;
    const [decided] = await queue.decide(decision);
    const { item } = decided ?? {};
    if (item === undefined || !(isApproving(item) || item.status === "approved")) {
      return alreadyDecidedNotice(ctx, decided ?? { ref, state: "absent" });
    }
    const after = await waitForApproval(ctx, ref);
    if (ctx.signal.aborted) return cancelReply(ctx, ref, decided);
    return after?.status === "approved" ? sendReply(ctx, after, text) : unsentNotice(ctx, after);
  },
});

function replyForm(ref: ItemRef, saved: readonly SavedReply[], words: Words): Form {
  const hasSaved = saved.length > 0;
  const field: FormField = {
    name: "text",
    label: words.say("watch.reply.text"),
    style: "paragraph",
    maxLength: limits.form.text,
    ...(hasSaved && { required: false, description: words.say("watch.reply.about") }),
  };
  return form({
    title: words.say("watch.reply.title"),
    isReturned: true,
    fields: [...(hasSaved ? [savedField(saved, words)] : []), field],
    submit: send.press(ref),
  });
}

function savedField(saved: readonly SavedReply[], words: Words): FormField {
  return {
    kind: "select",
    name: "saved",
    label: words.say("watch.reply.saved"),
    placeholder: words.say("watch.reply.choose"),
    required: false,
    options: saved
      .slice(0, limits.select.options)
      .map(({ id, name, text }) => ({ label: name, value: id, description: text })),
  };
}

/** The chosen saved reply's text; empty if none was chosen. */
async function savedText({ moderation }: Ctx, id: string | undefined): Promise<string> {
  if (id === undefined) return "";
  const all = await moderation.replies.all();
  return all.find((one) => one.id === id)?.text ?? "";
}

/** The service accepts replies only to published comments. */
function isPublished({ status, comment }: HeldComment): boolean {
  return status === "approved" || (status === "open" && comment.state === "published");
}

function isApproving({ status, decision }: HeldComment): boolean {
  return (status === "pending" || status === "sending") && decision?.kind === "approve";
}

function approveFirst({ words }: Ctx, ref: ItemRef, text: string): Reply {
  return notice({
    tone: "neutral",
    title: words.say("watch.reply.first_title"),
    text: join([words.say("watch.reply.first_text"), quoteLines(text)]),
    buttons: [
      {
        label: words.say("watch.reply.first_button"),
        style: "success",
        press: approveAndSend.press({ ...ref, text }),
      },
    ],
  });
}

/** @throws what `replyToComment` throws */
async function sendReply(ctx: Ctx, item: HeldComment, text: string): Promise<Reply> {
  const { own, signal, words, moderation } = ctx;
  const { comment, watchId, id } = item;
  const sent = await replyToComment(own, { commentId: comment.id, text }, { signal });
  const ref = { watchId, itemId: id };
  await moderation.queue.recordReply(ref, actorOf(ctx), text);
  const { videoId } = comment;
  const url =
    videoId === undefined || sent.id === undefined ? undefined : pages.comment(videoId, sent.id);
  return card({
    tone: "good",
    title: words.say("watch.reply.sent"),
    text: quoteLines(text),
    ...(url !== undefined && { buttons: [{ label: words.say("common.open"), url }] }),
  });
}

/** How often to look, and how long to wait: the queue collects decisions for some seconds before it sends them. */
const pollMs = 500;
const maxWaitMs = 90_000;

/** The comment after its approval was sent or the wait has ended; undefined if the queue no longer knows it. */
async function waitForApproval(ctx: Ctx, ref: ItemRef): Promise<HeldComment | undefined> {
  const { words, moderation, signal, now } = ctx;
  ctx.progress({
    title: words.say("watch.reply.waiting_title"),
    text: words.say("watch.reply.waiting_text"),
  });
  const end = now() + maxWaitMs;
  for (;;) {
    const item = await moderation.queue.item(ref);
    if (item === undefined || !isApproving(item) || now() > end || signal.aborted) return item;
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * For a reply that its author cancelled while the approval was pending: undoes the approval if that is still possible.
 * @throws the signal's reason if it was not the person who cancelled
 */
async function cancelReply(
  ctx: Ctx,
  ref: ItemRef,
  decided: DecisionResult | undefined,
): Promise<Reply> {
  const { words, moderation, signal } = ctx;
  if (!isCancelled(signal)) throw signal.reason;
  const { queue } = moderation;
  const isOwn = decided?.state === "pending";
  const undone = isOwn ? await queue.undo(ref, actorOf(ctx)) : undefined;
  const item = undone?.item ?? (await queue.item(ref));
  return notice({
    tone: "neutral",
    title: words.say("watch.reply.unsent_title"),
    ...(item !== undefined && { text: join(describeCommentState(item, words)) }),
  });
}

function unsentNotice(ctx: Ctx, item: HeldComment | undefined): Reply {
  const { words } = ctx;
  return notice({
    tone: "warning",
    title: words.say("watch.reply.unsent_title"),
    text: join([
      words.say("watch.reply.unsent_text"),
      item !== undefined && commentStateLine(item, words),
    ]),
  });
}

export const cardReplyActions: readonly FlowAction<never>[] = [openForm, send, approveAndSend];
