import { type Button, type Card, join, type Text } from "../../discord/index.ts";
import type { AuthorComment, AuthorHistory, HeldComment } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { authorCommentLines, describeEarlierTries, drawOpenComment } from "../watches/index.ts";

/** A comment in a review. */
export interface ReviewedComment {
  readonly item: HeldComment;
  /** How many wait from this one on, counted up to a thousand for each watch. */
  readonly left: number;
  readonly decided: number;
  readonly history: AuthorHistory | undefined;
  /** Others of the same author. */
  readonly others: readonly AuthorComment[];
  /** What came of the comment before. */
  readonly note?: Text | undefined;
  readonly buttons: readonly Button[];
}

const countedUpTo = 1_000;

export function drawReview(ctx: Pick<Ctx, "words" | "now">, shown: ReviewedComment): Card {
  const { words, now } = ctx;
  const { item, history, others, note, left, decided, buttons } = shown;
  const card = drawOpenComment({ item, history }, { words, now: now() });
  const before = authorCommentLines(others, words);
  return {
    ...card,
    text: join([note, note !== undefined && "", card.text, ...describeEarlierTries(item, words)]),
    fields: [
      ...(card.fields ?? []),
      ...(before.length > 0 ? [{ name: words.say("review.earlier"), value: join(before) }] : []),
    ],
    footer: words.say("review.footer", { left, isMore: left >= countedUpTo, decided }),
    buttons,
    isPrivate: true,
  };
}
