import {
  type Button,
  type Card,
  card,
  compact,
  cut,
  fitted,
  join,
  limits,
  link,
  md,
  oneLine,
  type Rank,
  type ReplyItem,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type Comment, youtubePages } from "../../video/index.ts";
import { formatSince, valueName } from "./fields.ts";
import { presses } from "./presses.ts";

/** Who looks at a comment, and what else is known about it. */
export interface CommentFor {
  readonly words: Words;
  readonly rank: Rank;
  /** The linked channel's id. */
  readonly channelId: string | undefined;
  /** How many replies its thread has. */
  readonly replies?: number | undefined;
  /** Title of the video, in a list of comments on several videos. */
  readonly video?: string | undefined;
}

// A fifth of a list's text, less some room for the formatting around the title.
const itemText = 540;

/** One comment in a list: author, text, time, state, and buttons. */
export function commentItem(comment: Comment, at: CommentFor, max = itemText): ReplyItem {
  const author = cut(commentAuthor(comment, at.words), 50);
  const address = commentAddress(comment);
  const title = address === undefined ? md`${author}` : link(author, address);
  const facts = join(commentFacts(comment, at), " · ");
  const room = max - title.markup.length - facts.markup.length;
  const text = { markup: fitted(commentBody(comment, at.words), Math.max(room, 40)) };
  const buttons = commentButtons(comment, at);
  const url = pictureAddress(comment);
  return {
    title,
    lines: [text, facts],
    thumbnail: url === undefined ? undefined : { url, alt: at.words.say("comments.picture") },
    buttons: buttons.length > 0 ? buttons : undefined,
  };
}

/** One comment alone, such as one that was just written. */
export function commentCard(comment: Comment, title: string, at: CommentFor): Card {
  const { snippet } = comment;
  const url = commentAddress(comment);
  const { words } = at;
  const avatar = snippet?.authorProfileImageUrl;
  const image = pictureAddress(comment);
  return card({
    title,
    url,
    author: {
      name: cut(oneLine(commentAuthor(comment, words)), limits.embed.author),
      icon: avatar !== undefined && /^https?:\/\//u.test(avatar) ? avatar : undefined,
    },
    image,
    text: md`${commentBody(comment, words, 1500)}\n\n${join(commentFacts(comment, at), " · ")}`,
    buttons: [
      ...(url === undefined ? [] : [{ label: words.say("common.open"), url }]),
      ...commentButtons(comment, at),
    ],
  });
}

/** `author: text` on one line, for questions and results. */
export function quoteComment(comment: Comment, words: Words, max = 120): string {
  return cut(
    oneLine(`${cut(commentAuthor(comment, words), 40)}: ${commentBody(comment, words)}`),
    max,
  );
}

export function commentAuthor({ snippet }: Comment, words: Words): string {
  return oneLine(snippet?.authorDisplayName ?? "") || words.say("comments.nobody");
}

/** The comment's text without empty lines; a comment may consist of a picture only. */
function commentBody({ snippet }: Comment, words: Words, max = 1000): string {
  const commentText = (snippet?.textOriginal ?? snippet?.textDisplay ?? "").trim();
  const lines = commentText
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines;
  if (commentText !== "") return cut(shown.join("\n"), max);
  return words.say(snippet?.imageUrl === undefined ? "comments.nothing" : "comments.picture");
}

function pictureAddress({ snippet }: Comment): string | undefined {
  const url = snippet?.imageUrl;
  return url !== undefined && /^https?:\/\//u.test(url) ? url : undefined;
}

// A comment of a thousand short lines would push everything else out of sight.
const mostLines = 8;

/** Whether the linked channel wrote it. */
export function isOwnComment({ snippet }: Comment, channelId: string | undefined): boolean {
  const author = snippet?.authorChannelId?.value;
  return author !== undefined && author === channelId;
}

/** YouTube does not always say which video a reply is on. */
export function commentAddress({ id, snippet }: Comment): string | undefined {
  if (id === undefined || snippet?.videoId === undefined) return undefined;
  return youtubePages.comment(snippet.videoId, id);
}

function commentFacts(
  { snippet }: Comment,
  { words, replies = 0, video }: CommentFor,
): readonly Text[] {
  const { likeCount = 0, publishedAt, updatedAt, moderationStatus, parentId } = snippet ?? {};
  const isEdited = updatedAt !== undefined && updatedAt !== publishedAt;
  const isWaiting = moderationStatus !== undefined && moderationStatus !== "published";
  return compact([
    isWaiting && md`**${valueName(words, "moderation_status", moderationStatus) ?? ""}**`,
    formatSince(publishedAt),
    isEdited && words.say("comments.line.edited"),
    parentId !== undefined && words.say("comments.line.reply"),
    likeCount > 0 && words.say("comments.line.likes", { count: words.short(likeCount) ?? "" }),
    replies > 0 && words.say("comments.line.replies", { count: replies }),
    video !== undefined && words.say("comments.line.on", { video: cut(video, 50) }),
  ]);
}

/** How much of a comment the form for a reply shows. */
const maxFormChars = 300;

/** At most four, so that five comments fit into a message. */
function commentButtons(comment: Comment, at: CommentFor): Button[] {
  const { id, snippet } = comment;
  const { words, rank, channelId, replies = 0 } = at;
  if (id === undefined) return [];
  const press = presses.comment;
  const parent = snippet?.parentId ?? id;
  const isOpen = ["published", undefined].includes(snippet?.moderationStatus);
  const author = snippet?.authorDisplayName;
  const mayReply = isOpen && reaches(rank, "moderator") && channelId !== undefined;
  const body = cut(oneLine(commentBody(comment, words)), maxFormChars);
  return compact([
    replies > 0 && {
      label: words.say("comments.button.replies"),
      press: press.replies(parent),
    },
    mayReply && {
      label: words.say("comments.button.reply"),
      press: press.reply(parent, author && cut(author, 40), body),
    },
    ...(isOwnComment(comment, channelId) ? ownButtons(comment, at) : decidingButtons(comment, at)),
  ]);
}

function ownButtons({ id = "", snippet }: Comment, { words, rank }: CommentFor): Button[] {
  if (!reaches(rank, "manager")) return [];
  const text = snippet?.textOriginal ?? snippet?.textDisplay ?? "";
  return compact([
    // A form that cuts the text would lose the rest of it.
    text.length <= limits.form.text && {
      label: words.say("comments.button.edit"),
      press: presses.comment.edit(id, text),
    },
    {
      label: words.say("comments.button.delete"),
      style: "danger",
      press: presses.comment.remove(id),
    },
  ]);
}

/** A channel decides about the comments on its own videos. */
function decidingButtons(
  { id = "", snippet }: Comment,
  { words, rank, channelId }: CommentFor,
): Button[] {
  const isHere = channelId !== undefined && snippet?.channelId === channelId;
  if (!isHere || !reaches(rank, "moderator")) return [];
  const { decide } = presses.comment;
  const isOpen = ["published", undefined].includes(snippet?.moderationStatus);
  const first: Button = isOpen
    ? {
        label: words.say("comments.button.hold"),
        press: decide({ ids: [id], status: "heldForReview" }),
      }
    : {
        label: words.say("comments.button.approve"),
        style: "success",
        press: decide({ ids: [id], status: "published" }),
      };
  return [
    first,
    {
      label: words.say("comments.button.reject"),
      style: "danger",
      press: decide({ ids: [id], status: "rejected" }),
    },
  ];
}
