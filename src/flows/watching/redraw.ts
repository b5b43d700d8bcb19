import { type Ctx, join, type Notice, notice, type Reply } from "../../discord/index.ts";
import type { Decided, HeldComment, ItemRef } from "../../moderation/index.ts";
import { type CardOf, itemCard } from "./card.ts";
import { isOpen, mainOf, stateOf } from "./state.ts";

/**
 * Redraws the card that was pressed, in the server's language, because everybody sees it. For a comment in a digest the
 * person gets a private note instead.
 */
export async function cardAgain(ctx: Ctx, item: HeldComment): Promise<Reply> {
  const facts = await factsOf(ctx, item);
  if (facts === undefined) return absent(ctx);
  return itemCard(facts, { words: ctx.serverWords, now: ctx.now() });
}

export async function factsOf({ moderation }: Ctx, item: HeldComment): Promise<CardOf | undefined> {
  const { authorId } = item.comment;
  const [watches, history] = await Promise.all([
    moderation.watches.all(),
    authorId === undefined ? undefined : moderation.queue.history(authorId),
  ]);
  const watch = watches.find(({ id }) => id === item.watchId);
  return watch === undefined ? undefined : { watch, item, history };
}

/** The comment of a press; a private note when it is not in the queue any more. */
export async function itemFor(
  ctx: Ctx,
  ref: ItemRef,
): Promise<{ readonly item: HeldComment } | { readonly refusal: Notice }> {
  const item = await ctx.moderation.queue.item(ref);
  return item === undefined ? { refusal: absent(ctx) } : { item };
}

/** For whoever came second: who was first, and when. */
export function notNow(ctx: Ctx, { state, item, error }: Decided): Notice {
  if (error !== undefined) throw error;
  if (item === undefined) return absent(ctx);
  const { words } = ctx;
  const isTaken = state === "taken";
  return notice({
    tone: "info",
    title: words.say(isTaken ? "watch.taken.title" : "watch.over.title"),
    text: join([mainOf(item, words), words.say("watch.taken.text")]),
    isPrivate: true,
  });
}

/** For an undo that came too late. */
export function tooLate({ words }: Ctx, item: HeldComment | undefined): Notice {
  const kind = item?.decision?.kind;
  const isFinal = kind === "reject" || kind === "ban";
  const hint = words.say(isFinal ? "watch.late.final" : "watch.late.hold");
  // Undone before, or never decided: then nothing is too late.
  const isWaiting = item !== undefined && isOpen(item);
  return notice({
    tone: "info",
    title: words.say(isWaiting ? "watch.back.title" : "watch.late.title"),
    text: join(
      item === undefined ? [hint] : [...stateOf(item, words), ...(isWaiting ? [] : [hint])],
    ),
    isPrivate: true,
  });
}

export function absent({ words }: Ctx): Notice {
  return notice({
    tone: "info",
    title: words.say("watch.absent.title"),
    text: words.say("watch.absent.text"),
    isPrivate: true,
  });
}
