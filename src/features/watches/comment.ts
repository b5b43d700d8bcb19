import { cut, join, limits, md, type Text, type Words } from "../../discord/index.ts";
import { type HeldComment, type QueuedComment, readFoundSign } from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";

/** How much of a comment its card shows; a button shows the rest. */
const maxCommentChars = 1000;
/** Without this limit, a comment of a thousand short lines would push everything else out of sight. */
const maxCommentLines = 15;
const maxParentChars = 300;

/** A comment's text on its card, each line quoted. */
export function quoteCommentText(
  comment: QueuedComment,
  words: Words,
): { text: Text; isCut: boolean } {
  const said = commentText(comment, words);
  const lines = said.split("\n");
  const few =
    lines.length > maxCommentLines ? `${lines.slice(0, maxCommentLines).join("\n")}…` : said;
  const shown = cut(few, maxCommentChars);
  return { text: quoteLines(shown), isCut: shown !== said };
}

/** The comment that a reply answers. */
export function quoteParent({ parent }: HeldComment, words: Words): readonly Text[] {
  if (parent === undefined) return [];
  const author = cut(collapseSpaces(parent.authorName ?? ""), 60) || words.say("comments.nobody");
  const text = collapseSpaces(parent.text) || words.say("comments.nothing");
  return [
    md`-# ${words.say("watch.card.reply_to", { author })}`,
    md`-# ${cut(text, maxParentChars)}`,
  ];
}

const maxFormChars = 400;

/** Whose comment a form is about and what it says, because the form hides the card. */
export function quoteForForm(item: HeldComment, words: Words): Text {
  const { comment } = item;
  const text = cut(commentText(comment, words), maxFormChars);
  const lines = text.split("\n").slice(0, maxFormLines).join("\n");
  return join([
    ...quoteParent(item, words),
    md`**${commentAuthorName(comment, words)}**`,
    quoteLines(lines.length < text.length ? `${lines}…` : lines),
  ]);
}

const maxFormLines = 6;

export function quoteLines(text: string): Text {
  const lines = text.split("\n").map((line) => (line.trim() === "" ? md`> ` : md`> ${line}`));
  return join(lines);
}

/** The whole text, without more than one empty line in a row. */
export function commentText({ text, imageUrl }: QueuedComment, words: Words): string {
  const said = text
    .replaceAll("\r\n", "\n")
    .replaceAll(/\s+/gu, (blanks) => (blanks.split("\n").length > 2 ? "\n\n" : blanks))
    .trim();
  if (said !== "") return said;
  return words.say(imageUrl === undefined ? "comments.nothing" : "comments.picture");
}

/** The beginning of a comment on one line, for titles, options and lists. */
export function commentBeginning(comment: QueuedComment, words: Words, max: number): string {
  return cut(collapseSpaces(commentText(comment, words)), max);
}

const maxFoundChars = 80;

/** What a rule matched: the quoted text, or a description if it isn't text, such as a picture. */
export function describeFound(found: string, words: Words): string {
  const sign = readFoundSign(found);
  if (sign === undefined) {
    const quoted = words.say("rules.quoted", { text: cut(found, maxFoundChars) });
    const foreign = foreignLetters(found);
    return foreign === undefined
      ? quoted
      : words.say("rules.found.foreign", { found: quoted, ...foreign });
  }
  return sign.sign === "new"
    ? words.say("rules.found.new", { since: sign.since })
    : words.say("rules.sign.picture");
}

const alphabets = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
};
const maxForeignLetters = 5;

/** Letters of an imitating name that look like the channel's own but come from an alphabet that its name does not use. */
function foreignLetters(
  found: string,
): { readonly script: string; readonly letters: string } | undefined {
  const [name = "", own] = found.split(" ≈ ");
  if (own === undefined) return undefined;
  const used = Object.values(alphabets).filter((alphabet) => alphabet.test(own));
  const isForeign = (letter: string) =>
    !own.includes(letter) && !used.some((alphabet) => alphabet.test(letter));
  const letters = [...new Set(name.match(/\p{L}/gu))].filter(isForeign);
  if (letters.length === 0) return undefined;
  const scripts = Object.entries(alphabets).flatMap(([script, alphabet]) =>
    letters.every((letter) => alphabet.test(letter)) ? [script] : [],
  );
  const shown = letters.slice(0, maxForeignLetters).join(" ");
  const rest = letters.length > maxForeignLetters ? " …" : "";
  return { script: scripts[0] ?? "other", letters: `${shown}${rest}` };
}

export function commentAuthorName({ authorName }: QueuedComment, words: Words): string {
  return cut(collapseSpaces(authorName ?? ""), limits.embed.author) || words.say("comments.nobody");
}

/** The address of the comment on its video's page; undefined where the video is not known. */
export function commentUrl({ id, videoId }: QueuedComment): string | undefined {
  return videoId === undefined ? undefined : youtubePages.comment(videoId, id);
}

export function collapseSpaces(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** A picture's address, or undefined where Discord would refuse it. */
export function usableImageUrl(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//u.test(url) && url.length <= 2048 ? url : undefined;
}

/** As much of a text as fits into `room` characters after it is escaped. */
export function cutEscaped(text: string, room: number): string {
  let max = Math.min(text.length, room);
  let result = cut(text, max);
  while (md`${result}`.markup.length > room && max > 1) {
    max = Math.max(1, Math.floor((max * room) / md`${result}`.markup.length) - 1);
    result = cut(text, max);
  }
  return result;
}

const maxAuthors = 8;

interface CommentAuthor {
  readonly key: string;
  readonly name: string;
  readonly items: readonly HeldComment[];
}

/** The authors, those with the most comments first. */
export function groupByAuthor(
  items: readonly HeldComment[],
  words: Words,
): readonly CommentAuthor[] {
  const groups = Map.groupBy(items, ({ comment }) => comment.authorId ?? "");
  const authors = [...groups].flatMap(([key, theirs]): readonly CommentAuthor[] => {
    const [first] = theirs;
    return first === undefined
      ? []
      : [{ key, name: cut(commentAuthorName(first.comment, words), 60), items: theirs }];
  });
  return authors.sort((one, other) => other.items.length - one.items.length);
}

/** The authors' names in a sentence, with the number of comments where there are several. */
export function listAuthors(items: readonly HeldComment[], words: Words): string {
  const authors = groupByAuthor(items, words);
  const shown = authors
    .slice(0, maxAuthors)
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
