import { join, type Notice, notice, type Reply } from "../../discord/index.ts";
import {
  type DecisionKind,
  type DecisionResult,
  type HeldComment,
  type ItemRef,
  isFinal,
  isUnsettled,
  isWaiting,
} from "../../moderation/index.ts";
import { asMaybeDone } from "../../ownership.ts";
import type { Ctx } from "../context/index.ts";
import { drawCommentCard } from "./card.ts";
import { consentNotice, findKeyOnlyWatch } from "./consent.ts";
import { commentStateLine, describeCommentState } from "./state.ts";

/**
 * Redraws the pressed card after a change, in the server's language, because everybody sees it. Whoever pressed it may read
 * another language. @throws ServiceError with `outcome` `unknown` if the database can't be read: the change is stored.
 */
export async function redrawCard(ctx: Ctx, item: HeldComment): Promise<Reply> {
  const { moderation } = ctx;
  const [watches, history] = await Promise.all([
    moderation.watches.all(),
    moderation.queue.history(item),
  ]).catch((error: unknown) => {
    throw asMaybeDone(error);
  });
  const watch = watches.find(({ id }) => id === item.watchId);
  if (watch === undefined) return absentCommentNotice(ctx);
  const at = { words: ctx.serverWords, now: ctx.now() };
  return drawCommentCard({ watch, item, history }, at);
}

/** Handles a button about a comment that waits; answers with a private note if it no longer does, which says who decided. */
export function withOpenComment<S extends ItemRef>(
  answer: (ctx: Ctx, item: HeldComment, ref: S) => Reply | Promise<Reply>,
): (ctx: Ctx, ref: S) => Promise<Reply> {
  return async (ctx, ref) => {
    const item = await ctx.moderation.queue.item(ref);
    if (item === undefined) return absentCommentNotice(ctx);
    if (isWaiting(item)) return answer(ctx, item, ref);
    const state = isUnsettled(item) ? "taken" : "over";
    return alreadyDecidedNotice(ctx, { ref, state, item });
  };
}

/**
 * A private note for a decision that did not count: who decided first, and when, or what it needs. `kind`: the decision. Throws
 * the decision's own error.
 */
export async function alreadyDecidedNotice(
  ctx: Ctx,
  { ref, state, item, error }: DecisionResult,
  kind: DecisionKind = "reject",
): Promise<Notice> {
  if (error !== undefined) throw error;
  if (item === undefined) return absentCommentNotice(ctx);
  const unlinked = state === "unlinked" ? await findKeyOnlyWatch(ctx, ref.watchId) : undefined;
  if (unlinked !== undefined) return consentNotice(ctx, unlinked, { use: kind, item });
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
  const hint = words.md(isFinal(item?.decision?.kind) ? "watch.late.final" : "watch.late.hold");
  // The decision was already undone, or there never was one: nothing was too late.
  const isBack = item !== undefined && isWaiting(item);
  return notice({
    tone: "neutral",
    title: words.say(isBack ? "watch.back.title" : "watch.late.title"),
    text: join(
      item === undefined
        ? [hint]
        : [...describeCommentState(item, words), ...(isBack ? [] : [hint])],
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
