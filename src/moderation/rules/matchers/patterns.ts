import { RE2JS } from "re2js";
import { cutTo } from "../text/cut.ts";
import type { Subject } from "../text/subject.ts";
import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";

export const mostPatterns = 20;
export const longestPattern = 500;

/**
 * Steps of a compiled pattern. Time grows with them and with the text: this many on the longest text take about a
 * hundredth of a second.
 */
const largestProgram = 500;

const reasons: readonly (readonly [said: RegExp, reason: string])[] = [
  [/invalid or unsupported Perl syntax|invalid named capture/u, "unsupported"],
  [/invalid escape/u, "escape"],
  [/missing closing \]|unterminated \[/u, "bracket"],
  [/missing closing \)|unexpected \)|missing parenthesis/u, "parenthesis"],
  [/missing argument to repetition|nested repetition|invalid repeat count/u, "repeat"],
  [/character class/u, "class"],
];

/**
 * Patterns in RE2's syntax, case aside. They are looked for in the text as it was written; `isFolded`: in the one
 * without disguise too. @throws InputError `rule_pattern`
 */
export function patternsMatcher(patterns: readonly string[], isFolded: boolean): Matcher {
  if (patterns.length === 0) throw refuse("rule_pattern", { reason: "none" });
  if (patterns.length > mostPatterns) {
    throw refuse("rule_pattern", { reason: "many", most: mostPatterns });
  }
  const compiled = patterns.map((pattern) => ({ pattern, found: compile(pattern) }));
  return ({ subject }) => {
    const texts = textsOf(subject, isFolded);
    return compiled.find(({ found }) => texts.some((text) => found.test(text)))?.pattern;
  };
}

function textsOf(subject: Subject, isFolded: boolean): readonly string[] {
  const { written } = subject;
  if (!isFolded) return [written];
  const joined = subject.joined().flatMap(({ words, rows }) => [words.line, ...rows]);
  return [...new Set([written, ...subject.plain(), ...joined])].filter(
    (text) => text.trim() !== "",
  );
}

function compile(pattern: string): RE2JS {
  const shown = cutTo(pattern, 60);
  if (pattern.trim() === "") throw refuse("rule_pattern", { reason: "none" });
  if (pattern.length > longestPattern) {
    throw refuse("rule_pattern", { reason: "long", pattern: shown, most: longestPattern });
  }
  const compiled = parsed(pattern);
  if (compiled.programSize() > largestProgram) {
    throw refuse("rule_pattern", { reason: "large", pattern: shown });
  }
  if (compiled.test("")) throw refuse("rule_pattern", { reason: "everything", pattern: shown });
  return compiled;
}

function parsed(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern.normalize("NFC"), RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    throw refuse("rule_pattern", { pattern: cutTo(pattern, 60), ...placeOf(error, pattern) });
  }
}

/** The engine's sentence ends in what it stumbled over, between backticks; behind our own flag, where it is all of it. */
function placeOf(error: unknown, pattern: string) {
  const said = error instanceof Error ? error.message : "";
  const reason = reasons.find(([known]) => known.test(said))?.[1] ?? "syntax";
  const part = /`(?:\(\?i\))?(.+)`$/su.exec(said)?.[1];
  const place = part === undefined ? -1 : pattern.indexOf(part);
  const isPlaced = part !== undefined && place !== -1;
  if (isPlaced) return { reason, part: cutTo(part, 40), place: place + 1 };
  return { reason: reason === "bracket" || reason === "parenthesis" ? reason : "syntax" };
}
