import { cutTo } from "../text/cut.ts";
import { createSubject, type Subject } from "../text/subject.ts";
import { holds, type Needle, needleOf } from "../text/tokens.ts";
import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";

const mostWords = 200;
const longestWord = 100;

/** Letters that are compared in the time that a pattern takes for a step. */
const lettersOfStep = 16;

/** Letters that stood alone are looked through only for what is no chance. */
const shortestRow = 3;

interface Looked {
  /** As people wrote it. */
  readonly said: string;
  readonly needle?: Needle;
  /** The same without disguise, every way to read it. */
  readonly alike: readonly Needle[];
  /** That without spaces. */
  readonly joined: readonly Needle[];
  /** What has no letters and no digits is looked for as it is. */
  readonly sign?: string;
}

/**
 * Whole words and phrases, whatever stands between their words; `free*`, `*free` and `*free*` take words that go on.
 * @throws InputError `rule_words`
 */
export function wordsMatcher(words: readonly string[], isFolded: boolean): Matcher {
  if (words.length === 0) throw refuse("rule_words", { reason: "none" });
  if (words.length > mostWords) throw refuse("rule_words", { reason: "many", most: mostWords });
  const looked = words.map((word) => lookedFor(word, isFolded));
  const letters = looked.reduce((sum, { said }) => sum + said.length, 0);
  return ({ subject, spend }) => {
    spend?.(looked.length + (letters * subject.written.length) / lettersOfStep);
    return looked.find((one) => isIn(one, subject))?.said;
  };
}

function lookedFor(word: string, isFolded: boolean): Looked {
  const said = word.trim();
  const shown = createSubject(said).shown();
  const isOpen = { isOpenBefore: shown.startsWith("*"), isOpenAfter: shown.endsWith("*") };
  const bare = withoutStars(shown).trim();
  if (bare === "") throw refuse("rule_words", { reason: "none" });
  if (bare.length > longestWord) {
    throw refuse("rule_words", { reason: "long", word: cutTo(said, 40), most: longestWord });
  }
  const subject = createSubject(bare);
  const text = subject.tokens().line.trim();
  if (text === "") return { said, sign: bare, alike: [], joined: [] };
  if (bare.includes("*")) throw refuse("rule_words", { reason: "star", word: cutTo(said, 40) });
  const needle = needleOf(text, isOpen);
  if (!isFolded) return { said, needle, alike: [], joined: [] };
  const alike = subject.alike().map(({ line }) => needleOf(line.trim(), isOpen));
  const joined = alike.map(({ text: words }) => needleOf(words.replaceAll(" ", ""), isOpen));
  return { said, needle, alike, joined: joined.filter((one) => one.text.length >= shortestRow) };
}

/** At its beginning and its end. */
function withoutStars(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === "*") start += 1;
  while (end > start && text[end - 1] === "*") end -= 1;
  return text.slice(start, end);
}

function isIn({ needle, alike, joined, sign }: Looked, subject: Subject): boolean {
  if (sign !== undefined) return subject.shown().includes(sign);
  if (needle !== undefined && holds(subject.tokens(), needle)) return true;
  if (alike.length === 0) return false;
  if (subject.alike().some((tokens) => alike.some((one) => holds(tokens, one)))) return true;
  return subject
    .joined()
    .some(({ words, rows }) =>
      joined.some((one) => holds(words, one) || rows.some((row) => row.includes(one.text))),
    );
}
