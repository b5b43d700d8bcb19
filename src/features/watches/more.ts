import { type Button, type Card, card, compact, join, type Words } from "../../discord/index.ts";
import { type HeldComment, type ItemRef, toItemRef } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { commentLinkButton } from "./card.ts";
import { byModerators, cardPresses, caseFilePress } from "./card-buttons.ts";
import { commentAuthorName, quoteCommentText } from "./comment.ts";
import { findKeyOnlyWatch } from "./consent.ts";
import { askBanHere, laterHere } from "./decide.ts";
import { absentCommentNotice, withOpenComment } from "./redraw.ts";
import { claimLines, toActor } from "./state.ts";

/** The buttons that a card has no room for, in a message that only the person sees. */
const more = actionFor(cardPresses.more, {
  ...byModerators,
  run: withOpenComment(drawMore),
});

async function drawMore(ctx: Ctx, item: HeldComment): Promise<Card> {
  const { words, userId } = ctx;
  const isKeyOnly = (await findKeyOnlyWatch(ctx, item.watchId)) !== undefined;
  const ref = toItemRef(item);
  const { text, isCut } = quoteCommentText(item.comment, words);
  const hasAuthor = item.comment.authorId !== undefined;
  return card({
    title: words.say("watch.more.title"),
    author: { name: commentAuthorName(item.comment, words) },
    text: join([text, ...claimLines(item, words)]),
    buttons: compact<Button>([
      claimButton(item, userId, words),
      hasAuthor && { label: words.say("watch.button.case"), press: caseFilePress(ref) },
      item.status === "later"
        ? { label: words.say("watch.button.now"), press: cardPresses.now(ref) }
        : { label: words.say("watch.button.later"), press: laterHere.press(ref) },
      isCut && { label: words.say("watch.button.full"), press: cardPresses.full(ref) },
      !isKeyOnly && {
        label: words.say("watch.button.ban"),
        style: "danger",
        press: askBanHere.press(ref),
      },
      ...commentLinkButton(item, words),
    ]),
  });
}

function claimButton(item: HeldComment, userId: string, words: Words): Button {
  const ref = toItemRef(item);
  const over = item.assigned?.by.userId;
  if (over === userId) {
    return { label: words.say("watch.button.release"), press: release.press(ref) };
  }
  return {
    label: words.say(over === undefined ? "watch.button.claim" : "watch.button.take_over"),
    press: claim.press({ ...ref, ...(over !== undefined && { over }) }),
  };
}

const own = { by: "requester", rank: "moderator", answer: "update" } as const;

/** `over`: whose claim was shown, so that nobody replaces one that they did not see. */
const claim = action<ItemRef & { readonly over?: string }>({
  ...own,
  name: "watch.claim",
  run: drawAfter((ctx, { over, ...ref }) =>
    ctx.moderation.queue.claim(ref, { by: toActor(ctx), over }),
  ),
});

const release = action<ItemRef>({
  ...own,
  name: "watch.release",
  run: drawAfter((ctx, ref) => ctx.moderation.queue.release(ref, ctx.userId)),
});

/** The queue redraws the public card. */
function drawAfter<S extends ItemRef>(
  change: (ctx: Ctx, ref: S) => Promise<HeldComment | undefined>,
) {
  return withOpenComment<S>(async (ctx, _, ref) => {
    const item = await change(ctx, ref);
    return item === undefined ? absentCommentNotice(ctx) : drawMore(ctx, item);
  });
}

export const moreActions: readonly FeatureAction<never>[] = [more, claim, release];
