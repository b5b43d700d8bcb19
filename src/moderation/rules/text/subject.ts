import { createHash } from "node:crypto";
import { limitedText } from "../../comment-text.ts";
import { type FoundLink, linksIn } from "../links/find-links.ts";
import { normalized, withoutCase, withoutMarks } from "./fold.ts";
import { readings, withoutDigits, withoutDisguise } from "./look-alikes.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

/** A text in the forms that rules look at; each is made when it is first asked for. */
export interface Subject {
  /** As it was written, in one normal form. */
  readonly written: string;
  /** In one width, without what nobody sees. */
  readonly shown: () => string;
  /** Words without case and diacritics. */
  readonly tokens: () => Tokens;
  /** Without disguise, case and diacritics, punctuation kept; every way to read it. */
  readonly plain: () => readonly string[];
  /** Words of that. */
  readonly alike: () => readonly Tokens[];
  /** What punctuation in words or spaces between letters took apart, put together; every way to read it. */
  readonly joined: () => readonly Joined[];
  readonly links: () => readonly FoundLink[];
}

export interface Joined {
  /** Words with punctuation inside, without it. */
  readonly words: Tokens;
  /** Letters that stood alone, in a row: nobody knows where their words end. */
  readonly rows: readonly string[];
}

/** What is longer is judged by its beginning, and so is what grew: one character may become 18. */
export function createSubject(given: string): Subject {
  const written = limitedText(limitedText(given).normalize("NFC"));
  const shown = once(() => limitedText(normalized(written)));
  const bare = once(() => limitedText(withoutMarks(shown())));
  const undisguised = once(() => limitedText(withoutCase(limitedText(withoutDisguise(bare())))));
  const plain = once(() => readings(undisguised().replace(disguised, withoutDigits)));
  return {
    ...{ written, shown, plain },
    tokens: once(() => tokensOf(limitedText(withoutCase(bare())))),
    alike: once(() => plain().map((text) => tokensOf(text))),
    joined: once(() => joinedIn(undisguised())),
    links: once(() => linksIn(shown())),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

// A sign that stands for a letter has letters on both sides; only a dollar may begin or end a word.
const disguised = /[\p{L}\p{N}\p{M}$]+(?:[@|!€]+[\p{L}\p{N}\p{M}$]+)*/gu;
const punctuated = /(?<![\p{L}\p{N}$])[\p{L}\p{N}$]+(?:[^\s\p{L}\p{N}$]{1,2}[\p{L}\p{N}$]+)+/gu;
const spaced =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}$@](?:[^\p{L}\p{N}$@]{1,3}[\p{L}\p{N}$@](?![\p{L}\p{N}])){2,}/gu;
const between = /[^\p{L}\p{N}$@|!€]+/gu;

/** What is shorter is said by many people without any of them meaning harm. */
const shortestRepeated = 12;

/** The same for texts that differ in case, signs, disguise and spaces only; undefined for short ones. */
export function likenessOf(subject: Subject): string | undefined {
  const [reading] = subject.alike();
  const letters = reading?.line.replaceAll(" ", "") ?? "";
  if (letters.length < shortestRepeated) return undefined;
  return createHash("sha256").update(letters).digest("base64url").slice(0, 22);
}

function joinedIn(text: string): readonly Joined[] {
  const words = (text.match(punctuated) ?? []).map(put);
  const rows = (text.match(spaced) ?? []).map(put);
  if (words.length === 0 && rows.length === 0) return [];
  const wordReadings = readings(words.join(" "));
  const rowReadings = readings(rows.join("\n"));
  return Array.from({ length: Math.max(wordReadings.length, rowReadings.length) }, (_, at) => ({
    words: tokensOf(wordReadings[at] ?? wordReadings[0] ?? ""),
    rows: (rowReadings[at] ?? rowReadings[0] ?? "").split("\n"),
  }));
}

function put(pieces: string): string {
  return withoutDigits(pieces.replace(between, ""));
}
