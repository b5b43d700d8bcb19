import { join, type Notice, notice, type Reply } from "../../discord/index.ts";
import type { DecisionResult, HeldComment, ItemRef } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { type CommentCardFacts, drawCommentCard } from "./card.ts";
import { commentStateLine, describeCommentState, isDecidable } from "./state.ts";

/**
 * Redraws the pressed card, in the server's language, because everybody sees it. Whoever pressed it may read another
 * language.
 */
export async function redrawCard(ctx: Ctx, item: HeldComment): Promise<Reply> {
  const facts = await factsOf(ctx, item);
  if (facts === undefined) return absentCommentNotice(ctx);
  return drawCommentCard(facts, { words: ctx.serverWords, now: ctx.now() });
}

async function factsOf(
  { moderation }: Ctx,
  item: HeldComment,
): Promise<CommentCardFacts | undefined> {
  const [watches, history] = await Promise.all([
    moderation.watches.all(),
    moderation.queue.history(item),
  ]);
  const watch = watches.find(({ id }) => id === item.watchId);
  return watch === undefined ? undefined : { watch, item, history };
}

/** The comment that a button is about; a private note if it is no longer in the queue. */
export async function findQueuedComment(
  ctx: Ctx,
  ref: ItemRef,
): Promise<{ readonly item: HeldComment } | { readonly refusal: Notice }> {
  const item = await ctx.moderation.queue.item(ref);
  return item === undefined ? { refusal: absentCommentNotice(ctx) } : { item };
}

/** The same for a comment that still waits; a private note about who decided if it does not. */
export async function findOpenComment(
  ctx: Ctx,
  ref: ItemRef,
): Promise<{ readonly item: HeldComment } | { readonly refusal: Notice }> {
  const found = await findQueuedComment(ctx, ref);
  if ("refusal" in found || isDecidable(found.item)) return found;
  const { item } = found;
  const isTaken = item.status === "pending" || item.status === "sending";
  return { refusal: alreadyDecidedNotice(ctx, { ref, state: isTaken ? "taken" : "over", item }) };
}

/** A private note for a decision that did not count: who decided first, and when. Throws the decision's own error. */
export function alreadyDecidedNotice(ctx: Ctx, { state, item, error }: DecisionResult): Notice {
  if (error !== undefined) throw error;
  if (item === undefined) return absentCommentNotice(ctx);
  const { words } = ctx;
  const isTaken = state === "taken";
  return notice({
    tone: "neutral",
    title: words.say(isTaken ? "watch.taken.title" : "watch.over.title"),
    text: join([commentStateLine(item, words), words.say("watch.taken.text")]),
    isPrivate: true,
  });
}

/** A private note for an undo that came too late. */
export function undoTooLateNotice({ words }: Ctx, item: HeldComment | undefined): Notice {
  const kind = item?.decision?.kind;
  const isFinal = kind === "reject" || kind === "ban";
  const hint = words.md(isFinal ? "watch.late.final" : "watch.late.hold");
  // The decision was already undone, or there never was one: nothing was too late.
  const isWaiting = item !== undefined && isDecidable(item);
  return notice({
    tone: "neutral",
    title: words.say(isWaiting ? "watch.back.title" : "watch.late.title"),
    text: join(
      item === undefined
        ? [hint]
        : [...describeCommentState(item, words), ...(isWaiting ? [] : [hint])],
    ),
    isPrivate: true,
  });
}

export function absentCommentNotice({ words }: Ctx): Notice {
  return notice({
    tone: "neutral",
    title: words.say("watch.absent.title"),
    text: words.md("watch.absent.text"),
    isPrivate: true,
  });
}
