import { shortenText } from "../../comment-text.ts";
import { foldCase } from "../text/fold.ts";
import { foldForeign } from "../text/fold-disguise.ts";
import { isStretched, shortestDoubled } from "../text/stretched.ts";
import {
  createTextForms,
  type JoinedForms,
  type PieceRow,
  type TextForms,
} from "../text/text-forms.ts";
import { containsNeedle, type Needle, splitWords, toNeedle } from "../text/tokens.ts";
import { refuseRule } from "./refuse-rule.ts";
import type { Matcher } from "./types.ts";

const maxWords = 200;
const maxWordChars = 100;

/** How many letters are compared in the time of one step. */
const lettersOfStep = 16;

/** Shorter words are not searched in spaced-out letters, where they would match by chance. */
const shortestRow = 3;
/** Pieces of two letters are words themselves; only in a longer row they are no sentence. */
const shortestOfPieces = 6;

interface WordToFind {
  /** The word as people wrote it. */
  readonly phrase: string;
  readonly needle?: Needle;
  /** The word without disguise, in every possible reading. */
  readonly alike: readonly Needle[];
  /** These readings without spaces. */
  readonly joined: readonly Needle[];
  /** The word with every letter taken for a Latin one, if its language has other letters. */
  readonly foreign?: Needle;
  /** Set if the word has no letters and digits; then it is searched as it is. */
  readonly sign?: string;
}

/**
 * Matches whole words and phrases, with anything that is not a letter between the words; `free*`, `*free` and `*free*` match
 * parts of words. @throws InputError `rule_words`
 */
export function wordsMatcher(words: readonly string[], isFolded: boolean): Matcher {
  if (words.length === 0) throw refuseRule("rule_words", { reason: "none" });
  if (words.length > maxWords) throw refuseRule("rule_words", { reason: "many", most: maxWords });
  const looked = words.map((word) => prepareWord(word, isFolded));
  const letters = looked.reduce((sum, { phrase }) => sum + phrase.length, 0);
  return ({ subject, spend }) => {
    spend?.(looked.length + (letters * subject.written.length) / lettersOfStep);
    return looked.find((one) => isFound(one, subject))?.phrase;
  };
}

function prepareWord(word: string, isFolded: boolean): WordToFind {
  const phrase = word.trim();
  const shown = createTextForms(phrase).shown();
  const isOpen = { isOpenBefore: shown.startsWith("*"), isOpenAfter: shown.endsWith("*") };
  const bare = withoutStars(shown).trim();
  if (bare === "") throw refuseRule("rule_words", { reason: "none" });
  if (bare.length > maxWordChars) {
    throw refuseRule("rule_words", {
      reason: "long",
      word: shortenText(phrase, 40),
      most: maxWordChars,
    });
  }
  const subject = createTextForms(bare);
  const text = subject.tokens().line.trim();
  if (text === "") return { phrase, sign: bare, alike: [], joined: [] };
  if (bare.includes("*"))
    throw refuseRule("rule_words", { reason: "star", word: shortenText(phrase, 40) });
  const needle = toNeedle(text, isOpen);
  if (!isFolded) return { phrase, needle, alike: [], joined: [] };
  const alike = subject.alike().map(({ line }) => toNeedle(line.trim(), isOpen));
  const joined = alike.map(({ text: words }) => toNeedle(words.replaceAll(" ", ""), isOpen));
  const latin = foldForeign(text);
  return {
    phrase,
    needle,
    alike,
    ...(latin !== undefined && {
      foreign: toNeedle(splitWords(foldCase(latin)).line.trim(), isOpen),
    }),
    joined: joined.filter((one) => one.text.length >= shortestRow),
  };
}

/** Removes stars at the beginning and the end. */
function withoutStars(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === "*") start += 1;
  while (end > start && text[end - 1] === "*") end -= 1;
  return text.slice(start, end);
}

function isFound(word: WordToFind, subject: TextForms): boolean {
  const { needle, alike, joined, foreign, sign } = word;
  if (sign !== undefined) return subject.shown().includes(sign);
  if (needle !== undefined && containsNeedle(subject.tokens(), needle)) return true;
  if (alike.length === 0) return false;
  const readings = [...subject.alike(), ...subject.turned(), ...subject.unstretched()];
  if (readings.some((tokens) => alike.some((one) => containsNeedle(tokens, one)))) return true;
  if (subject.alike().some(({ words }) => joined.some((one) => hasDoubled(words, one))))
    return true;
  if (foreign !== undefined && subject.foreign().some((tokens) => containsNeedle(tokens, foreign)))
    return true;
  return subject.joined().some((forms) => joined.some((one) => isJoined(forms, one)));
}

/** A word with some letters doubled, or a phrase without its spaces. */
function hasDoubled(words: ReadonlySet<string>, { text }: Needle): boolean {
  if (text.length < shortestDoubled) return false;
  if (words.has(text)) return true;
  for (const one of words) {
    if (one.length > text.length && one[0] === text[0] && isStretched(one, text)) return true;
  }
  return false;
}

function isJoined({ words, rows, pieces }: JoinedForms, needle: Needle): boolean {
  if (containsNeedle(words, needle) || rows.some((row) => row.includes(needle.text))) return true;
  if (needle.text.length < shortestOfPieces) return false;
  return pieces.some((row) => isSpelled(row, needle.text));
}

/** Whether some of the pieces in a row are the word, from the beginning of one to the end of another. */
function isSpelled({ letters, edges }: PieceRow, word: string): boolean {
  for (let at = letters.indexOf(word); at !== -1; at = letters.indexOf(word, at + 1)) {
    if (edges.has(at) && edges.has(at + word.length)) return true;
  }
  return false;
}
