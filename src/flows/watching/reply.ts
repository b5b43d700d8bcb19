import { setTimeout as delay } from "node:timers/promises";
import {
  type Action,
  action,
  actionFor,
  type Ctx,
  card,
  type Form,
  type FormField,
  form,
  isCancelled,
  join,
  limits,
  notice,
  pages,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Decided, HeldComment, ItemRef, SavedReply } from "../../moderation/index.ts";
import { replyToComment } from "../../video/index.ts";
import { quoted } from "./comment.ts";
import { cardPresses } from "./presses.ts";
import { itemFor, notNow } from "./redraw.ts";
import { actorOf, isOpen, mainOf, stateOf } from "./state.ts";

const openForm = actionFor(cardPresses.reply, {
  by: "anyone",
  rank: "moderator",
  answer: "form",
  form: async ({ words, savedReplies }, ref) => replyForm(ref, await savedReplies(), words),
});

/** A reply and the reads before it. */
const calls = {
  row: "comments.insert",
  uses: ["comments.list", "commentThreads.list"],
} as const;

const send = action<ItemRef>({
  ...calls,
  name: "watch.send-reply",
  by: "requester",
  answer: "private",
  run: async (ctx, ref, { fields }) => {
    const text = fields.text?.trim() || (await savedText(ctx, fields.saved));
    if (text === "") {
      throw new InputError("neither a text nor a saved reply", {
        code: "comment_text_required",
      });
    }
    const found = await itemFor(ctx, ref);
    if ("refusal" in found) return found.refusal;
    const { item } = found;
    if (isPublished(item)) return sendReply(ctx, item, text);
    if (isOpen(item) || item.status === "held" || isApproving(item)) {
      return approveFirst(ctx, ref, text);
    }
    return unsent(ctx, item);
  },
});

const approveAndSend = action<ItemRef & { readonly text: string }>({
  ...calls,
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
      return notNow(ctx, decided ?? { ref, state: "absent" });
    }
    const after = await approved(ctx, ref);
    if (ctx.signal.aborted) return stopped(ctx, ref, decided);
    return after?.status === "approved" ? sendReply(ctx, after, text) : unsent(ctx, after);
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

/** Empty when nothing was chosen. */
async function savedText({ moderation }: Ctx, id: string | undefined): Promise<string> {
  if (id === undefined) return "";
  const all = await moderation.replies.all();
  return all.find((one) => one.id === id)?.text ?? "";
}

/** Only what everybody sees can be answered. */
function isPublished({ status, comment }: HeldComment): boolean {
  return status === "approved" || (status === "open" && comment.state === "published");
}

function isApproving({ status, decision }: HeldComment): boolean {
  return (status === "pending" || status === "sending") && decision?.kind === "approve";
}

function approveFirst({ words }: Ctx, ref: ItemRef, text: string): Reply {
  return notice({
    tone: "info",
    title: words.say("watch.reply.first_title"),
    text: join([words.say("watch.reply.first_text"), quoted(text)]),
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
  await moderation.queue.replied(ref, actorOf(ctx));
  const { videoId } = comment;
  const url =
    videoId === undefined || sent.id === undefined ? undefined : pages.comment(videoId, sent.id);
  return card({
    tone: "good",
    title: words.say("watch.reply.sent"),
    text: quoted(text),
    ...(url !== undefined && { buttons: [{ label: words.say("common.open"), url }] }),
  });
}

/** How often and how long to wait for a decision under way: sending collects decisions for some seconds. */
const lookMs = 500;
const patienceMs = 90_000;

/** The comment once its approval was sent, or waiting for it has ended; undefined when it is no longer known. */
async function approved(ctx: Ctx, ref: ItemRef): Promise<HeldComment | undefined> {
  const { words, moderation, signal, now } = ctx;
  ctx.progress({
    title: words.say("watch.reply.waiting_title"),
    text: words.say("watch.reply.waiting_text"),
  });
  const end = now() + patienceMs;
  for (;;) {
    const item = await moderation.queue.item(ref);
    if (item === undefined || !isApproving(item) || now() > end || signal.aborted) return item;
    await delay(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * No reply is sent; the person's own approval is undone where that is still possible.
 * @throws the signal's reason where it was not the person who stopped it
 */
async function stopped(ctx: Ctx, ref: ItemRef, decided: Decided | undefined): Promise<Reply> {
  const { words, moderation, signal } = ctx;
  if (!isCancelled(signal)) throw signal.reason;
  const { queue } = moderation;
  const isOwn = decided?.state === "pending";
  const undone = isOwn ? await queue.undo(ref, actorOf(ctx)) : undefined;
  const item = undone?.item ?? (await queue.item(ref));
  return notice({
    tone: "info",
    title: words.say("watch.reply.unsent_title"),
    ...(item !== undefined && { text: join(stateOf(item, words)) }),
  });
}

function unsent(ctx: Ctx, item: HeldComment | undefined): Reply {
  const { words } = ctx;
  return notice({
    tone: "warning",
    title: words.say("watch.reply.unsent_title"),
    text: join([words.say("watch.reply.unsent_text"), item !== undefined && mainOf(item, words)]),
  });
}

export const replyActions: readonly Action<never>[] = [openForm, send, approveAndSend];
