import { cut, join, limits, md, pages, type Text, type Words } from "../../discord/index.ts";
import type { HeldComment, QueuedComment } from "../../moderation/index.ts";

/** Characters of a comment on its card; a button shows the rest. */
const shownChars = 1000;
/** A comment of a thousand short lines would push everything else out of sight. */
const shownLines = 15;
const parentChars = 300;

/** A comment's text on its card, each line quoted. */
export function textOf(comment: QueuedComment, words: Words): { text: Text; isCut: boolean } {
  const said = sayingOf(comment, words);
  const lines = said.split("\n");
  const few = lines.length > shownLines ? `${lines.slice(0, shownLines).join("\n")}…` : said;
  const shown = cut(few, shownChars);
  return { text: quoted(shown), isCut: shown !== said };
}

/** The comment that a reply answers. */
export function parentOf({ parent }: HeldComment, words: Words): readonly Text[] {
  if (parent === undefined) return [];
  const author = cut(oneLine(parent.authorName ?? ""), 60) || words.say("comments.nobody");
  const text = oneLine(parent.text) || words.say("comments.nothing");
  return [md`-# ${words.say("watch.card.reply_to", { author })}`, md`-# ${cut(text, parentChars)}`];
}

export function quoted(text: string): Text {
  const lines = text.split("\n").map((line) => (line.trim() === "" ? md`> ` : md`> ${line}`));
  return join(lines);
}

/** The whole text, without more than one empty line in a row. */
export function sayingOf({ text, imageUrl }: QueuedComment, words: Words): string {
  const said = text
    .replaceAll("\r\n", "\n")
    .replaceAll(/\s+/gu, (blanks) => (blanks.split("\n").length > 2 ? "\n\n" : blanks))
    .trim();
  if (said !== "") return said;
  return words.say(imageUrl === undefined ? "comments.nothing" : "comments.picture");
}

/** On one line, for titles, options and lists. */
export function beginningOf(comment: QueuedComment, words: Words, max: number): string {
  return cut(oneLine(sayingOf(comment, words)), max);
}

export function authorOf({ authorName }: QueuedComment, words: Words): string {
  return cut(oneLine(authorName ?? ""), limits.embed.author) || words.say("comments.nobody");
}

/** The address of the comment on its video's page; undefined where the video is not known. */
export function addressOf({ id, videoId }: QueuedComment): string | undefined {
  return videoId === undefined ? undefined : pages.comment(videoId, id);
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** A picture's address, where Discord would accept it. */
export function pictureOf(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//u.test(url) && url.length <= 2048 ? url : undefined;
}

/** As much of a text as takes no more than `room` once it is escaped. */
export function escapedWithin(text: string, room: number): string {
  let max = Math.min(text.length, room);
  let kept = cut(text, max);
  while (md`${kept}`.markup.length > room && max > 1) {
    max = Math.max(1, Math.floor((max * room) / md`${kept}`.markup.length) - 1);
    kept = cut(text, max);
  }
  return kept;
}

const mostAuthors = 8;

interface AuthorOf {
  readonly key: string;
  readonly name: string;
  readonly items: readonly HeldComment[];
}

/** The authors, those with the most comments first. */
export function authorsOf(items: readonly HeldComment[], words: Words): readonly AuthorOf[] {
  const groups = Map.groupBy(items, ({ comment }) => comment.authorId ?? "");
  const authors = [...groups].flatMap(([key, theirs]): readonly AuthorOf[] => {
    const [first] = theirs;
    return first === undefined
      ? []
      : [{ key, name: cut(authorOf(first.comment, words), 60), items: theirs }];
  });
  return authors.sort((one, other) => other.items.length - one.items.length);
}

/** The authors' names in a sentence, with the number of comments where there are several. */
export function authorsIn(items: readonly HeldComment[], words: Words): string {
  const authors = authorsOf(items, words);
  const shown = authors
    .slice(0, mostAuthors)
    .map(({ name, items }) =>
      items.length === 1
        ? name
        : words.say("watch.digest.author_count", { author: name, count: items.length }),
    );
  const count = authors.length - shown.length;
  return words.list([
    ...shown,
    ...(count > 0 ? [words.say("watch.digest.others", { count })] : []),
  ]);
}
