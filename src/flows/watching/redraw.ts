import { type Ctx, join, type Notice, notice, type Reply } from "../../discord/index.ts";
import type { Decided, HeldComment, ItemRef } from "../../moderation/index.ts";
import { type CardOf, itemCard } from "./card.ts";
import { isOpen, mainOf, stateOf } from "./state.ts";

/**
 * The card as it is now, in place of the one that was pressed and in the server's language, for it stays there for all.
 * Of what stands in a digest the person gets a note of their own.
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

/** What a press finds; a note for the person alone when it is not in the queue. */
export async function itemFor(
  ctx: Ctx,
  ref: ItemRef,
): Promise<{ readonly item: HeldComment } | { readonly refusal: Notice }> {
  const item = await ctx.moderation.queue.item(ref);
  return item === undefined ? { refusal: absent(ctx) } : { item };
}

/** For who was second: who was first, and when. */
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

/** For who wanted to take back what has left already. */
export function tooLate({ words }: Ctx, item: HeldComment | undefined): Notice {
  const kind = item?.decision?.kind;
  const isFinal = kind === "reject" || kind === "ban";
  const hint = words.say(isFinal ? "watch.late.final" : "watch.late.hold");
  // Somebody took it back before, or it never was decided: then nothing is late.
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
