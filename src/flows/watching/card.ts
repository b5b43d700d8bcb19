import {
  type Button,
  type Card,
  card,
  compact,
  cut,
  type Field,
  type ForumPost,
  join,
  type KeptPresses,
  link,
  md,
  pages,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type {
  AuthorHistory,
  CardFacts,
  HeldComment,
  ItemRef,
  Watch,
} from "../../moderation/index.ts";
import {
  addressOf,
  authorOf,
  beginningOf,
  parentOf,
  pictureOf,
  quoted,
  textOf,
} from "./comment.ts";
import { cardPresses } from "./presses.ts";
import { isOpen, stateOf, tagOf, toneOf } from "./state.ts";

/** The service drops held comments after that (facts, section 7). */
const oldDays = 60;
const dayMs = 24 * 3_600_000;

export interface Drawn {
  readonly words: Words;
  readonly now: number;
}

export type CardOf = Pick<CardFacts, "watch" | "item" | "history">;

/** One comment with everything needed to decide about it; smaller once it is decided. */
export function itemCard(facts: CardOf, at: Drawn): Card {
  const { item, watch } = facts;
  return {
    ...(isSettled(item) ? settledCard(item, at) : openCard(facts, at)),
    kept: keptOf(item, watch),
    post: postOf(item, at.words),
  };
}

/** Nothing is left to decide. */
function isSettled({ status }: HeldComment): boolean {
  return !["open", "later", "pending", "sending"].includes(status);
}

function openCard({ item, history }: CardOf, at: Drawn): Card {
  const { words } = at;
  const { comment, video } = item;
  const { text, isCut } = textOf(comment, words);
  const image = pictureOf(comment.imageUrl);
  const thumbnail = pictureOf(video?.thumbnailUrl);
  return card({
    ...headOf(item, words),
    tone: toneOf(item),
    text: join([
      ...parentOf(item, words),
      text,
      "",
      ...warningsOf(item, at),
      ...stateLines(item, words),
    ]),
    fields: fieldsOf(item, history, words),
    ...(thumbnail !== undefined && { thumbnail }),
    ...(image !== undefined && { image }),
    buttons: [...buttonsOf(item, { words, isCut }), ...openButton(item, words)],
  });
}

/** Small: the author, the beginning, and the outcome. */
function settledCard(item: HeldComment, { words }: Drawn): Card {
  const text = quoted(beginningOf(item.comment, words, 120));
  return card({
    ...headOf(item, words),
    title: tagOf(item, words),
    tone: toneOf(item),
    text: join([text, ...stateLines(item, words)]),
    buttons: openButton(item, words),
  });
}

function headOf(item: HeldComment, words: Words): Pick<Card, "title" | "url" | "author"> {
  const { comment } = item;
  const { authorId, state, parentId } = comment;
  const url = addressOf(comment);
  const icon = pictureOf(comment.authorAvatar);
  const isReply = parentId !== undefined;
  return {
    title: words.say("watch.card.title", { state, isReply }),
    ...(url !== undefined && { url }),
    author: {
      name: authorOf(comment, words),
      ...(authorId !== undefined && { url: pages.channel(authorId) }),
      ...(icon !== undefined && { icon }),
    },
  };
}

function stateLines(item: HeldComment, words: Words): readonly Text[] {
  const [first = "", ...others] = stateOf(item, words);
  return [md`**${first}**`, ...others];
}

function warningsOf({ comment }: HeldComment, { words, now }: Drawn): readonly Text[] {
  const isOld = now - comment.publishedAt > oldDays * dayMs;
  return isOld ? [words.say("watch.card.old", { days: oldDays })] : [];
}

function fieldsOf(item: HeldComment, history: AuthorHistory | undefined, words: Words): Field[] {
  const { comment, advice } = item;
  const likes = comment.likes > 0 ? words.number(comment.likes) : undefined;
  const inline = true;
  return compact([
    { name: words.say("watch.card.video"), value: videoOf(item, words) },
    { name: words.say("watch.card.written"), value: writtenOf(item, words), inline },
    likes !== undefined && { name: words.say("watch.card.likes"), value: likes, inline },
    { name: words.say("watch.card.history"), value: historyOf(history, words), inline },
    advice !== undefined && {
      name: words.say("watch.card.advice"),
      value: words.say("watch.card.advice_text", {
        kind: advice.kind,
        rule: advice.ruleName,
      }),
    },
  ]);
}

function videoOf({ comment, video }: HeldComment, words: Words): Text {
  const title = video?.title ?? words.say("watch.card.no_video");
  if (comment.videoId === undefined) return title;
  return link(cut(title, 150), pages.video(comment.videoId));
}

function writtenOf({ comment }: HeldComment, words: Words): Text {
  const { publishedAt, updatedAt } = comment;
  const at = md`${time(new Date(publishedAt), "f")} (${time(new Date(publishedAt))})`;
  return updatedAt > publishedAt ? words.md("watch.card.edited", { at }) : at;
}

/** The author's history; the comment itself is counted in it. */
function historyOf(history: AuthorHistory | undefined, words: Words): string {
  if (history === undefined) return words.say("watch.card.first");
  const { seen, approved, rejected } = history;
  if (seen <= 1 && approved === 0 && rejected === 0) return words.say("watch.card.first");
  return words.say("watch.card.history_text", { seen, approved, rejected });
}

function buttonsOf(
  item: HeldComment,
  { words, isCut }: { readonly words: Words; readonly isCut: boolean },
): readonly Button[] {
  const ref = refOf(item);
  const full: readonly Button[] = isCut
    ? [{ label: words.say("watch.button.full"), press: cardPresses.full(ref) }]
    : [];
  if (item.status === "pending") {
    const label = words.say("watch.button.undo");
    return [{ label, style: "primary", press: cardPresses.undo(ref) }, ...full];
  }
  if (!isOpen(item)) return full;
  const wait: Button =
    item.status === "later"
      ? { label: words.say("watch.button.now"), press: cardPresses.now(ref) }
      : { label: words.say("watch.button.later"), press: cardPresses.later(ref) };
  return [...decisions(item, words), ...replyButton(item, words), wait, ...full];
}

function decisions(item: HeldComment, words: Words): readonly Button[] {
  const ref = refOf(item);
  const approve: Button = {
    label: words.say("watch.button.approve"),
    style: "success",
    press: cardPresses.approve(ref),
  };
  return [
    // A comment that is public already needs no approval.
    ...(item.comment.state === "published" ? [] : [approve]),
    { label: words.say("watch.button.reject"), style: "danger", press: cardPresses.reject(ref) },
    { label: words.say("watch.button.ban"), style: "danger", press: cardPresses.askBan(ref) },
  ];
}

/** Whether a comment accepts replies is only known once it is published. */
function replyButton(item: HeldComment, words: Words): readonly Button[] {
  const { state, canReply } = item.comment;
  if (state === "published" && canReply === false) return [];
  return [{ label: words.say("watch.button.reply"), press: cardPresses.reply(refOf(item)) }];
}

function openButton({ comment }: HeldComment, words: Words): readonly Button[] {
  const url = addressOf(comment);
  return url === undefined ? [] : [{ label: words.say("common.open"), url }];
}

export function refOf({ watchId, id }: HeldComment): ItemRef {
  return { watchId, itemId: id };
}

/** Every press that the card may ever have, each acting as the watched channel. */
function keptOf(item: HeldComment, { source }: Watch): KeptPresses {
  const ref = refOf(item);
  const { approve, reject, askBan, reply, later, now, full, undo } = cardPresses;
  const made = [approve, reject, askBan, reply, later, now, full, undo].map((of) => of(ref));
  return {
    handle: item.card.handle,
    presses: made.map((press) => ({ ...press, as: source })),
  };
}

function postOf(item: HeldComment, words: Words): ForumPost {
  const author = cut(authorOf(item.comment, words), 30);
  const text = beginningOf(item.comment, words, 70);
  return {
    title: words.say("watch.card.post", { author, text }),
    tags: [tagOf(item, words)],
    isOver: isSettled(item),
  };
}
