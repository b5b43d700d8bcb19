import {
  type Button,
  type Card,
  type CardField,
  card,
  compact,
  cut,
  type ForumPost,
  join,
  link,
  md,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { AuthorHistory, CardFacts, HeldComment } from "../../moderation/index.ts";
import { isUnsettled, isWaiting, toItemRef } from "../../moderation/index.ts";
import { pages } from "../../video/index.ts";
import { cardKept, drawCardButtons } from "./card-buttons.ts";
import {
  commentAuthorName,
  commentBeginning,
  commentUrl,
  quoteCommentText,
  quoteLines,
  quoteParent,
  usableImageUrl,
} from "./comment.ts";
import { cardTone, describeCommentState, stateTag } from "./state.ts";

/** YouTube deletes held comments after 60 days: docs/services/youtube.md#held-comments */
const oldDays = 60;
const dayMs = 24 * 3_600_000;

interface CardContext {
  readonly words: Words;
  readonly now: number;
}

export type CommentCardFacts = Pick<CardFacts, "watch" | "item" | "history">;

/** The card of one comment: everything needed to decide about it, and only the outcome once it is decided. */
export function drawCommentCard(facts: CommentCardFacts, at: CardContext): Card {
  const { item, watch } = facts;
  return {
    ...(isSettled(item) ? settledCard(item, at) : openCard(facts, at)),
    kept: cardKept(item, watch),
    post: forumPost(item, at.words),
  };
}

/** Whether nothing is left to decide. */
function isSettled(item: HeldComment): boolean {
  return !isWaiting(item) && !isUnsettled(item);
}

function openCard(facts: CommentCardFacts, at: CardContext): Card {
  const { item } = facts;
  const shown = drawOpenComment(facts, at);
  return {
    ...shown,
    text: join([shown.text, ...stateLines(item, at.words)]),
    buttons: buttonsFor(item, at.words),
  };
}

/** A comment with everything needed to decide about it, without its state and without buttons. */
export function drawOpenComment(
  { item, history }: Pick<CommentCardFacts, "item" | "history">,
  at: CardContext,
): Card {
  const { words } = at;
  const { comment, video } = item;
  const { text } = quoteCommentText(comment, words);
  const image = usableImageUrl(comment.imageUrl);
  const thumbnail = usableImageUrl(video?.thumbnailUrl);
  const isOld = at.now - comment.publishedAt > oldDays * dayMs;
  return card({
    ...cardHead(item, words),
    tone: cardTone(item),
    text: join([
      ...quoteParent(item, words),
      text,
      "",
      isOld && words.say("watch.card.old", { days: oldDays }),
    ]),
    fields: cardFields(item, history, words),
    ...(thumbnail !== undefined && { thumbnail }),
    ...(image !== undefined && { image }),
  });
}

/** The small card of a decided comment: the author, the beginning of the text, and the outcome. */
function settledCard(item: HeldComment, { words }: CardContext): Card {
  const text = quoteLines(commentBeginning(item.comment, words, 120));
  return card({
    ...cardHead(item, words),
    title: stateTag(item, words),
    tone: cardTone(item),
    text: join([text, ...stateLines(item, words)]),
    buttons: buttonsFor(item, words),
  });
}

function cardHead(item: HeldComment, words: Words): Pick<Card, "title" | "url" | "author"> {
  const { comment } = item;
  const { authorId, state, parentId } = comment;
  const url = commentUrl(comment);
  const icon = usableImageUrl(comment.authorAvatar);
  const isReply = parentId !== undefined;
  return {
    title: words.say("watch.card.title", { state, isReply }),
    ...(url !== undefined && { url }),
    author: {
      name: commentAuthorName(comment, words),
      ...(authorId !== undefined && { url: pages.channel(authorId) }),
      ...(icon !== undefined && { icon }),
    },
  };
}

function stateLines(item: HeldComment, words: Words): readonly Text[] {
  const [first = "", ...others] = describeCommentState(item, words);
  return [md`**${first}**`, ...others];
}

function cardFields(
  item: HeldComment,
  history: AuthorHistory | undefined,
  words: Words,
): CardField[] {
  const { comment, advice } = item;
  const likes = comment.likes > 0 ? words.number(comment.likes) : undefined;
  const inline = true;
  return compact([
    { name: words.say("watch.card.video"), value: videoText(item, words) },
    { name: words.say("watch.card.written"), value: writtenText(item, words), inline },
    likes !== undefined && { name: words.say("watch.card.likes"), value: likes, inline },
    { name: words.say("watch.card.history"), value: authorHistoryText(history, words), inline },
    advice !== undefined && {
      name: words.say("watch.card.advice"),
      value: words.say("watch.card.advice_text", { kind: advice.kind, rule: advice.ruleName }),
    },
  ]);
}

function videoText({ comment, video }: HeldComment, words: Words): Text {
  const title = video?.title ?? words.say("watch.card.no_video");
  if (comment.videoId === undefined) return title;
  return link(cut(title, 150), pages.video(comment.videoId));
}

function writtenText({ comment }: HeldComment, words: Words): Text {
  const { publishedAt, updatedAt } = comment;
  const at = md`${time(new Date(publishedAt), "f")} (${time(new Date(publishedAt))})`;
  return updatedAt > publishedAt ? words.md("watch.card.edited", { at }) : at;
}

/** How many other comments of the author were seen and decided, and how many notes there are. */
export function authorHistoryText(history: AuthorHistory | undefined, words: Words): Text {
  if (history === undefined) return words.say("watch.card.first");
  const { seen, approved, rejected, notes } = history;
  const isFirst = seen === 0;
  return join(
    compact([
      isFirst
        ? words.say("watch.card.first")
        : words.say("watch.card.history_text", { seen, approved, rejected }),
      notes > 0 && words.say("watch.card.notes", { count: notes }),
    ]),
  );
}

function buttonsFor(item: HeldComment, words: Words): readonly Button[] {
  const own = drawCardButtons(item, toItemRef(item), words);
  return isWaiting(item) ? own : [...own, ...commentLinkButton(item, words)];
}

/** Opens the comment on its video's page. */
export function commentLinkButton({ comment }: HeldComment, words: Words): readonly Button[] {
  const url = commentUrl(comment);
  return url === undefined ? [] : [{ label: words.say("common.open"), url }];
}

function forumPost(item: HeldComment, words: Words): ForumPost {
  const author = cut(commentAuthorName(item.comment, words), 30);
  const text = commentBeginning(item.comment, words, 70);
  return {
    title: words.say("watch.card.post", { author, text }),
    tags: [stateTag(item, words)],
    isOver: isSettled(item),
  };
}
