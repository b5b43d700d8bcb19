import { readVideoId } from "./ids.ts";
import { decodeAddress } from "./places.ts";

/** Full-width and small signs and letters, and half-width kana. All others would suffer: NFKC takes the Thai vowel am apart. */
const otherWidth = /[\uff01-\uffee\ufe50-\ufe6f\u3000]+/gu;
const ampersand = /&(?:amp|#38|#x26);/giu;
/** Joiners are part of words where they follow a mark (Sinhala) or an Arabic letter (Persian). */
const invisible = /(?!\p{Join_C})\p{DI}|(?<![\p{M}\p{sc=Arab}])\p{Join_C}|\p{Join_C}(?!\p{L})/gu;
/** What Japanese and Chinese keyboards write for a full stop. */
const dotOfHost = /(?<=(?:www|youtu|youtube|m|music))[。｡](?=(?:youtu|youtube|be|com)(?![a-z]))/giu;
const escaped = /\\([^\p{L}\p{N}\s])/gu;

/** A text as it was meant: without invisible characters, full-width forms, HTML's ampersands and Markdown's escapes. */
export function tidied(text: string): string {
  return text
    .replace(otherWidth, (run) => run.normalize("NFKC"))
    .replace(invisible, "")
    .replace(ampersand, "&")
    .replace(dotOfHost, ".")
    .replace(escaped, "$1")
    .normalize("NFC");
}

/** Blanks, brackets and quotation marks of every script, Markdown's stars, bars and backticks, and what separates values. */
const between = /[\s<>"'`*|,;…\p{Ps}\p{Pe}\p{Pi}\p{Pf}、。｡､・，،؛।॥။၊።፣։]+/u;
const signsBetween = /(["'`*|,;…\p{Ps}\p{Pe}\p{Pi}\p{Pf}、。｡､・，،؛।॥။၊።፣։]+)/u;
const labelOfLink = /\[[^[\]]*\]\(/gu;
/** A second address right behind a first, not one within it. */
const glued = /(?<=\/[\w-]{11}\/|[^=/:?&#])(?=https?:\/\/)/iu;

/** The words and addresses of a tidied text. */
export function splitChunks(text: string): readonly string[] {
  return text.split(between).filter(Boolean).flatMap(chunksIn);
}

function chunksIn(piece: string): readonly string[] {
  return withoutMarkdown(piece).split(glued).map(decoded);
}

/** A chunk without a blank before it. */
export interface Chunk {
  readonly text: string;
  /** The signs that part it from the chunk before it in the same run. */
  readonly after: string;
}

/** The chunks of a tidied text in runs that blanks and angle brackets part. */
export function findChunkRuns(text: string): readonly (readonly Chunk[])[] {
  return text.split(/[\s<>]+/u).map((run) =>
    run.split(signsBetween).flatMap((piece, at, pieces) => {
      if (at % 2 === 1 || piece === "") return [];
      const [first = "", ...others] = chunksIn(piece);
      const after = pieces[at - 1] ?? "";
      return [{ text: first, after }, ...others.map((other) => ({ text: other, after: "," }))];
    }),
  );
}

/** A tidied text without what Markdown's links show: `[text](address)`. */
export function withoutLabels(text: string): string {
  return tidied(text).replace(labelOfLink, " (");
}

/** Several values as people list them: without numbers, bullets, words for "and", and the labels of Markdown's links. */
export function listedValues(text: string): readonly string[] {
  return listedEntries(text).flat();
}

/** The same in entries, each with the values that only blanks part. */
export function listedEntries(text: string): readonly (readonly string[])[] {
  const listed = withoutLabels(text).replace(listNumber, " ");
  return listed.split(betweenEntries).map((entry) => {
    const words = entry.split(ands).flatMap(splitChunks);
    return words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  });
}

/** What parts the entries of a list, besides the words for "and". */
export const betweenEntries = /[,;|\n、，；]/u;

/** `1.`, `(1)`, `#1:`, `①`; before another number, a comma separates values. */
const listNumber =
  /\(\d{1,3}\)|(?<=^|[\s,;|、])(?:[#(]?\d{1,3}(?:[.):]|、(?!\s?\d))(?!\d)|[\u2460-\u2473\u2776-\u2793])/gu;
const ands = /(?<=\s)(?:and|und|y|e|et|と)(?=\s)/u;

/** Underscores and tildes on both sides are Markdown's; on one side they may be a part of an id. */
function withoutMarkdown(chunk: string): string {
  if (readVideoId(chunk)?.length === chunk.length) return chunk;
  let count = 0;
  while (count < 3 && marks.has(chunk[count]) && chunk[count] === chunk.at(-1 - count)) count += 1;
  return chunk.length > 2 * count ? chunk.slice(count, chunk.length - count) : chunk;
}

const marks: ReadonlySet<unknown> = new Set(["_", "~"]);

/** An address may be encoded as a whole, or with its question mark. */
function decoded(chunk: string): string {
  let text = chunk;
  for (let times = 0; times < 3; times += 1) {
    const [address = ""] = text.split(/[?#]/u, 1);
    if (!/%(?:25|2f|3a|3d|3f)/iu.test(address)) break;
    text = decodeAddress(text);
  }
  return text;
}

/** A word without signs around it. */
export function readBareWord(chunk: string): string {
  let [start, end] = [0, chunk.length];
  while (start < end && !startsWord.test(chunk[start] ?? "")) start += 1;
  while (end > start && !endsWord.test(chunk[end - 1] ?? "")) end -= 1;
  return chunk.slice(start, end);
}

const startsWord = /[\p{L}\p{N}\p{Cs}@_-]/u;
const endsWord = /[\p{L}\p{N}\p{M}\p{Cs}@_=-]/u;
