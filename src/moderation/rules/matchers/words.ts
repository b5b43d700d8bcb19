import { shortenText } from "../../comment-text.ts";
import { createTextForms, type TextForms } from "../text/text-forms.ts";
import { containsNeedle, type Needle, needleOf } from "../text/tokens.ts";
import { refuseRule } from "./refuse-rule.ts";
import type { Matcher } from "./types.ts";

const maxWords = 200;
const maxWordChars = 100;

/** How many letters are compared in the time of one step. */
const lettersOfStep = 16;

/** Shorter words are not searched in spaced-out letters, where they would match by chance. */
const shortestRow = 3;

interface WordToFind {
  /** The word as people wrote it. */
  readonly phrase: string;
  readonly needle?: Needle;
  /** The word without disguise, in every possible reading. */
  readonly alike: readonly Needle[];
  /** These readings without spaces. */
  readonly joined: readonly Needle[];
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
  const needle = needleOf(text, isOpen);
  if (!isFolded) return { phrase, needle, alike: [], joined: [] };
  const alike = subject.alike().map(({ line }) => needleOf(line.trim(), isOpen));
  const joined = alike.map(({ text: words }) => needleOf(words.replaceAll(" ", ""), isOpen));
  return {
    phrase,
    needle,
    alike,
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

function isFound({ needle, alike, joined, sign }: WordToFind, subject: TextForms): boolean {
  if (sign !== undefined) return subject.shown().includes(sign);
  if (needle !== undefined && containsNeedle(subject.tokens(), needle)) return true;
  if (alike.length === 0) return false;
  if (subject.alike().some((tokens) => alike.some((one) => containsNeedle(tokens, one))))
    return true;
  return subject
    .joined()
    .some(({ words, rows }) =>
      joined.some(
        (one) => containsNeedle(words, one) || rows.some((row) => row.includes(one.text)),
      ),
    );
}
