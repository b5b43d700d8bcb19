import { createHash } from "node:crypto";
import { once } from "../../../once.ts";
import { limitText } from "../../comment-text.ts";
import { type FoundLink, findLinks } from "../links/find-links.ts";
import { foldCase, foldDigits, foldMarks, normalizeText, possibleReadings } from "./fold.ts";
import { foldAllWords, foldDisguise } from "./fold-disguise.ts";
import { inSeenOrder } from "./seen-order.ts";
import { repeatReadings } from "./stretched.ts";
import { splitWords, type WordTokens } from "./tokens.ts";
import { turnedReadings } from "./turned.ts";

/** A text in the forms that rules look at. Each form is made on first use. */
export interface TextForms {
  /** The text as it was written, in Unicode's normal form C. */
  readonly written: string;
  /** In one width, without invisible characters. */
  readonly shown: () => string;
  /** Words without case and diacritics. */
  readonly tokens: () => WordTokens;
  /** Without disguise, case and diacritics, but with punctuation; in every possible reading. */
  readonly plain: () => readonly string[];
  /** The words of `plain`. */
  readonly alike: () => readonly WordTokens[];
  /** Words of `plain` with fewer of the letters that stand in a row: `freeee`. */
  readonly unstretched: () => readonly WordTokens[];
  /** Upside-down words, in every possible reading. */
  readonly turned: () => readonly WordTokens[];
  /** Words with every letter taken for a Latin one; empty unless a word mixes letters of several scripts. */
  readonly foreign: () => readonly WordTokens[];
  /** Words that were split by punctuation or spaces, joined again; in every possible reading. */
  readonly joined: () => readonly JoinedForms[];
  readonly links: () => readonly FoundLink[];
}

export interface JoinedForms {
  /** Words that had punctuation inside, without it. */
  readonly words: WordTokens;
  /** Runs of single letters. It is unknown where their words end. */
  readonly rows: readonly string[];
  /** Runs of pieces of one or two letters; their words end where a piece ends. */
  readonly pieces: readonly PieceRow[];
}

export interface PieceRow {
  readonly letters: string;
  /** Where a piece begins or ends. */
  readonly edges: ReadonlySet<number>;
}

/** A text that is too long is judged by its beginning, also when it grew by folding: one character may become 18. */
export function createTextForms(original: string): TextForms {
  const written = limitText(limitText(original).normalize("NFC"));
  const shown = once(() => limitText(normalizeText(written)));
  const bare = once(() => limitText(foldMarks(shown())));
  const seen = once(() => {
    const ordered = inSeenOrder(written);
    return ordered === written ? bare() : limitText(foldMarks(limitText(normalizeText(ordered))));
  });
  const undisguised = once(() => limitText(foldCase(limitText(foldDisguise(seen())))));
  const plain = once(() => readings(undisguised()));
  return {
    written,
    shown,
    plain,
    tokens: once(() => splitWords(limitText(foldCase(bare())))),
    alike: once(() => plain().map((text) => splitWords(text))),
    unstretched: once(() => plain().flatMap(repeatReadings).map(splitWords)),
    turned: once(() => turnedReadings(seen()).map((text) => splitWords(limitText(foldCase(text))))),
    foreign: once(() => {
      const folded = foldAllWords(limitText(foldCase(seen())));
      if (folded === undefined) return [];
      return readings(limitText(foldCase(limitText(folded)))).map(splitWords);
    }),
    joined: once(() => joinPieces(undisguised())),
    links: once(() => findLinks(shown())),
  };
}

function readings(undisguised: string): readonly string[] {
  return possibleReadings(undisguised.replace(disguised, foldDigits));
}

// A sign that stands for a letter has letters on both sides; only a dollar sign may also begin or end a word.
const disguised = /[\p{L}\p{N}\p{M}$]+(?:[@|!€]+[\p{L}\p{N}\p{M}$]+)*/gu;
const punctuated = /(?<![\p{L}\p{N}$])[\p{L}\p{N}$]+(?:[^\s\p{L}\p{N}$]{1,2}[\p{L}\p{N}$]+)+/gu;
const spaced =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}$@](?:[^\p{L}\p{N}$@]{1,3}[\p{L}\p{N}$@](?![\p{L}\p{N}])){2,}/gu;
const between = /[^\p{L}\p{N}$@|!€]+/gu;

/** Shorter texts are repeated by many people without meaning harm. */
const shortestRepeated = 12;

/** A hash that is equal for texts that differ only in case, signs, disguise and spaces; undefined for short texts. */
export function likenessFor(subject: TextForms): string | undefined {
  const [reading] = subject.alike();
  const letters = reading?.line.replaceAll(" ", "") ?? "";
  if (letters.length < shortestRepeated) return undefined;
  return createHash("sha256").update(letters).digest("base64url").slice(0, 22);
}

const smallPieces =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,2}(?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}]{1,2}(?![\p{L}\p{N}])){2,}/gu;

function joinPieces(text: string): readonly JoinedForms[] {
  const words = (text.match(punctuated) ?? []).map(put);
  const rows = (text.match(spaced) ?? []).map(put);
  const pieces = text.match(smallPieces) ?? [];
  if (words.length === 0 && rows.length === 0 && pieces.length === 0) return [];
  const wordReadings = possibleReadings(words.join(" "));
  const rowReadings = possibleReadings(rows.join("\n"));
  const pieceReadings = possibleReadings(pieces.join("\u0000"));
  const most = Math.max(wordReadings.length, rowReadings.length, pieceReadings.length);
  return Array.from({ length: most }, (_, at) => ({
    words: splitWords(wordReadings[at] ?? wordReadings[0] ?? ""),
    rows: (rowReadings[at] ?? rowReadings[0] ?? "").split("\n"),
    pieces: (pieceReadings[at] ?? pieceReadings[0] ?? "").split("\u0000").map(toPieceRow),
  }));
}

function toPieceRow(row: string): PieceRow {
  let letters = "";
  const edges = new Set([0]);
  for (const piece of row.match(/[\p{L}\p{N}]+/gu) ?? []) {
    letters += piece;
    edges.add(letters.length);
  }
  return { letters, edges };
}

function put(pieces: string): string {
  return foldDigits(pieces.replace(between, ""));
}
