import { dayMs } from "../../clock.ts";
import {
  type Button,
  type Card,
  type CardField,
  card,
  compact,
  cut,
  join,
  link,
  md,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { AuthorHistory, CardFacts, HeldComment } from "../../moderation/index.ts";
import { isUnsettled, isWaiting, toItemRef } from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import { cardKept, drawCardButtons } from "./card-buttons.ts";
import {
  commentAuthorName,
  commentBeginning,
  commentUrl,
  describeFound,
  quoteCommentText,
  quoteLines,
  quoteParent,
  usableImageUrl,
} from "./comment.ts";
import { studioButtons } from "./consent.ts";
import { cardTone, describeCommentState, stateTag } from "./state.ts";

/** YouTube deletes held comments after 60 days: docs/services/youtube.md#held-comments */
const oldDays = 60;

interface CardContext {
  readonly words: Words;
  readonly now: number;
}

export type CommentCardFacts = Pick<CardFacts, "watch" | "item" | "history">;

/** The card of one comment: everything needed to decide about it, and only the outcome once it is decided. */
export function drawCommentCard(facts: CommentCardFacts, at: CardContext): Card {
  const { item, watch } = facts;
  const { words } = at;
  const isOver = !isWaiting(item) && !isUnsettled(item);
  const shown = isOver ? drawDecidedComment(item, words) : drawOpenComment(facts, at);
  const [state = "", ...others] = describeCommentState(item, words);
  const { isKeyOnly } = watch;
  const own = drawCardButtons({ ...item, isKeyOnly }, toItemRef(item), words);
  const author = cut(commentAuthorName(item.comment, words), 30);
  const text = commentBeginning(item.comment, words, 70);
  return {
    ...shown,
    text: join([shown.text, md`**${state}**`, ...others]),
    ...(isKeyOnly && isWaiting(item) && { footer: words.say("watch.card.by_key") }),
    buttons: [
      ...own,
      ...(isKeyOnly && !isUnsettled(item) ? studioButtons(watch, item, words) : []),
      ...(isWaiting(item) ? [] : commentLinkButton(item, words)),
    ],
    kept: cardKept(item, watch),
    post: {
      title: words.say("watch.card.post", { author, text }),
      tags: [stateTag(item, words)],
      isOver,
    },
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

/** The small card of a decided comment: the author, and the beginning of the text. */
function drawDecidedComment(item: HeldComment, words: Words): Card {
  return card({
    ...cardHead(item, words),
    title: isHidden(item) ? words.say("watch.state.gone_title") : stateTag(item, words),
    tone: cardTone(item),
    text: quoteLines(commentBeginning(item.comment, words, 120)),
  });
}

/** A published comment that nobody sees any more was deleted, rejected or held: nothing tells which. */
function isHidden({ status, comment }: HeldComment): boolean {
  return status === "gone" && comment.state === "published";
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
      ...(authorId !== undefined && { url: youtubePages.channel(authorId) }),
      ...(icon !== undefined && { icon }),
    },
  };
}

function cardFields(
  { comment, video, advice, hiddenOn }: HeldComment,
  history: AuthorHistory | undefined,
  words: Words,
): CardField[] {
  const { videoId, publishedAt, updatedAt } = comment;
  const title = video?.title ?? words.say("watch.card.no_video");
  const linked = videoId === undefined ? title : link(cut(title, 150), youtubePages.video(videoId));
  const at = md`${time(new Date(publishedAt), "f")} (${time(new Date(publishedAt))})`;
  const written = updatedAt > publishedAt ? words.md("watch.card.edited", { at }) : at;
  const inline = true;
  return compact([
    { name: words.say("watch.card.video"), value: linked },
    { name: words.say("watch.card.written"), value: written, inline },
    comment.likes > 0 && {
      name: words.say("watch.card.likes"),
      value: words.number(comment.likes),
      inline,
    },
    { name: words.say("watch.card.history"), value: authorHistoryText(history, words), inline },
    advice !== undefined && {
      name: words.say("watch.card.advice"),
      value: join([
        words.say("watch.card.advice_text", { kind: advice.kind, rule: advice.ruleName }),
        advice.found !== undefined &&
          advice.found !== "" &&
          words.say("watch.card.advice_found", { found: describeFound(advice.found, words) }),
      ]),
    },
    hiddenOn !== undefined && {
      name: words.say("watch.card.hidden"),
      value: words.md("watch.card.hidden_text", {
        channel: link(
          hiddenOn.name ?? words.say("watch.card.hidden_unnamed"),
          youtubePages.channel(hiddenOn.source),
        ),
        at: time(new Date(hiddenOn.at), "D"),
      }),
    },
  ]);
}

/** How many other comments of the author were seen and decided, and how many notes there are. */
export function authorHistoryText(history: AuthorHistory | undefined, words: Words): Text {
  if (history === undefined) return words.say("watch.card.first");
  const { seen, approved, rejected, notes } = history;
  return join([
    seen === 0
      ? words.say("watch.card.first")
      : words.say("watch.card.history_text", { seen, approved, rejected }),
    notes > 0 && words.say("watch.card.notes", { count: notes }),
  ]);
}

/** Opens the comment on its video's page. */
export function commentLinkButton({ comment }: HeldComment, words: Words): readonly Button[] {
  const url = commentUrl(comment);
  return url === undefined ? [] : [{ label: words.say("common.open"), url }];
}
