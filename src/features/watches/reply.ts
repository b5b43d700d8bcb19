import { setTimeout as delay } from "node:timers/promises";
import {
  ask,
  type Button,
  card,
  compact,
  cut,
  type Form,
  type FormField,
  form,
  isCancelled,
  join,
  limits,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  type DecisionResult,
  type HeldComment,
  type ItemRef,
  isUnsettled,
  isWaiting,
  toItemRef,
} from "../../moderation/index.ts";
import { replyToComment } from "../../video/index.ts";
import { withTyped } from "../comments/index.ts";
import type { Ctx, FormContext } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { byModerators, cardPresses } from "./card-buttons.ts";
import {
  commentAuthorName,
  commentBeginning,
  commentUrl,
  quoteForForm,
  quoteLines,
} from "./comment.ts";
import { decideOne } from "./decide.ts";
import { absentCommentNotice, alreadyDecidedNotice } from "./redraw.ts";
import { describeCommentState, toActor } from "./state.ts";

const openForm = actionFor(cardPresses.reply, {
  ...byModerators,
  answer: "form",
  form: replyForm,
});

/** Opens it again with the text that was not sent. */
const openAgain = action<DraftReply>({
  name: "watch.reply-again",
  rank: "moderator",
  answer: "form",
  form: replyForm,
});

interface DraftReply extends ItemRef {
  readonly text: string;
}

/** The calls of a reply: the reads before it, and the reply itself. */
const replyCalls = {
  method: "comments.insert",
  uses: ["comments.list", "commentThreads.list"],
} as const;

const send = action<ItemRef>({
  ...replyCalls,
  name: "watch.send-reply",
  answer: "private",
  run: async (ctx, ref, { fields }) => {
    const typed = fields.text?.trim();
    const saved = typed || !fields.saved ? [] : await ctx.moderation.replies.all();
    const text = typed || saved.find(({ id }) => id === fields.saved)?.text;
    if (!text) {
      throw new InputError("neither a text nor a saved reply", { code: "comment_text_required" });
    }
    const item = await ctx.moderation.queue.item(ref);
    if (item === undefined) return withTyped(absentCommentNotice(ctx), text, ctx.words);
    // YouTube accepts replies only to published comments.
    const isPublished = item.status === "open" && item.comment.state === "published";
    if (isPublished || item.status === "approved") return sendReply(ctx, item, text);
    if (isWaiting(item) || item.status === "held" || isApproving(item)) {
      return approveFirst(ctx, item, text);
    }
    return unsentNotice(ctx, item, { ...ref, text });
  },
});

const approveAndSend = action<DraftReply>({
  ...replyCalls,
  name: "watch.approve-reply",
  isOnce: true,
  run: async (ctx, { text, ...ref }) => {
    const decided = await decideOne(ctx, ref, "approve");
    const { item } = decided;
    if (item === undefined || !(isApproving(item) || item.status === "approved")) {
      return withTyped(await alreadyDecidedNotice(ctx, decided, "approve"), text, ctx.words);
    }
    const after = await waitForApproval(ctx, ref);
    if (ctx.signal.aborted) return cancelReply(ctx, { ...ref, text }, decided);
    if (after?.status === "approved") return sendReply(ctx, after, text);
    return unsentNotice(ctx, after, { ...ref, text });
  },
});

async function replyForm(
  { words, savedReplies, heldComment }: FormContext,
  { text, ...ref }: ItemRef & Partial<DraftReply>,
): Promise<Form> {
  const [saved, item] = await Promise.all([savedReplies(), heldComment(ref)]);
  const hasSaved = saved.length > 0;
  return form({
    title: words.say("watch.reply.title"),
    ...(item !== undefined && { intro: quoteForForm(item, words) }),
    isReturned: true,
    fields: compact<FormField>([
      hasSaved && {
        kind: "select",
        name: "saved",
        label: words.say("watch.reply.saved"),
        placeholder: words.say("watch.reply.choose"),
        required: false,
        options: saved
          .slice(0, limits.select.options)
          .map(({ id, name, text }) => ({ label: name, value: id, description: text })),
      },
      {
        name: "text",
        label: words.say("watch.reply.text"),
        style: "paragraph",
        maxLength: limits.form.text,
        ...(text !== undefined && { value: text }),
        ...(hasSaved && { required: false, description: words.say("watch.reply.about") }),
      },
    ]),
    submit: send.press(ref),
  });
}

function isApproving(item: HeldComment): boolean {
  return isUnsettled(item) && item.decision?.kind === "approve";
}

/** Only published comments can be answered, so it asks whether to publish this one. */
function approveFirst({ words }: Ctx, item: HeldComment, text: string): Reply {
  const draft = { ...toItemRef(item), text };
  return ask({
    title: words.say("watch.reply.first_title"),
    text: words.say("watch.reply.first_text"),
    fields: [
      {
        name: commentAuthorName(item.comment, words),
        value: commentBeginning(item.comment, words, 600),
      },
      { name: words.say("watch.reply.yours"), value: cut(text, 900) },
    ],
    confirm: {
      label: words.say("watch.reply.first_button"),
      style: "success",
      press: approveAndSend.press(draft),
    },
    others: [editButton(draft, words)],
  });
}

function editButton(draft: DraftReply, words: Words): Button {
  return { label: words.say("watch.reply.edit"), press: openAgain.press(draft) };
}

/** @throws what `replyToComment` throws */
async function sendReply(ctx: Ctx, item: HeldComment, text: string): Promise<Reply> {
  const { own, signal, words, moderation } = ctx;
  const { comment, watchId, id } = item;
  const sent = await replyToComment(own, { commentId: comment.id, text }, { signal });
  const ref = { watchId, itemId: id };
  await moderation.queue.recordReply(ref, toActor(ctx), text);
  const url = sent.id === undefined ? undefined : commentUrl({ ...comment, id: sent.id });
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
    const isOver = item === undefined || !isApproving(item) || item.decision?.delay !== undefined;
    if (isOver || now() > end || signal.aborted) return item;
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * For a reply that its author cancelled while the approval was pending: undoes the approval if that is still possible.
 * @throws the signal's reason if it was not the person who cancelled
 */
async function cancelReply(
  ctx: Ctx,
  { text, ...ref }: DraftReply,
  decided: DecisionResult,
): Promise<Reply> {
  const { words, moderation, signal } = ctx;
  if (!isCancelled(signal)) throw signal.reason;
  const { queue } = moderation;
  const isOwn = decided.state === "pending";
  const undone = isOwn ? await queue.undo(ref, toActor(ctx)) : undefined;
  const item = undone?.item ?? (await queue.item(ref));
  return notice({
    tone: "neutral",
    title: words.say("watch.reply.unsent_title"),
    text: join([
      ...(item === undefined ? [] : describeCommentState(item, words)),
      ...draftLines(text, words),
    ]),
    buttons: [editButton({ ...ref, text }, words)],
  });
}

/** Nothing that was typed is lost: the text is shown, and can be sent once the comment is published. */
function unsentNotice({ words }: Ctx, item: HeldComment | undefined, draft: DraftReply): Reply {
  const isKept = item?.status === "pending" && item.decision?.delay !== undefined;
  return notice({
    tone: "warning",
    title: words.say("watch.reply.unsent_title"),
    text: join([
      words.say(isKept ? "watch.reply.kept_text" : "watch.reply.unsent_text"),
      ...(item === undefined ? [] : describeCommentState(item, words)),
      ...draftLines(draft.text, words),
    ]),
    buttons: item === undefined ? [] : [editButton(draft, words)],
  });
}

function draftLines(text: string, words: Words): readonly Text[] {
  return ["", md`**${words.say("watch.reply.yours")}**`, quoteLines(text)];
}

export const cardReplyActions: readonly FeatureAction<never>[] = [
  openForm,
  openAgain,
  send,
  approveAndSend,
];
