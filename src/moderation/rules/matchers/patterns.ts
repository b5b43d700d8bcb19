import { RE2JS, RE2Set } from "re2js";
import { shortenText } from "../../comment-text.ts";
import type { TextForms } from "../text/text-forms.ts";
import { refuseRule } from "./refuse-rule.ts";
import type { Matcher } from "./types.ts";

const maxPatterns = 20;
const maxPatternChars = 500;

/** The most steps of a compiled pattern. Time and memory grow with its steps and with the text. */
const maxProgramSteps = 500;
/** Steps of the patterns that are searched in one pass. Costs are checked between two passes. */
const stepsOfPass = 1_000;
/** Memory of the engine's cache for each pass, which makes the next text faster. */
const cacheBytes = 2 * 1024 * 1024;

const reasons: readonly (readonly [said: RegExp, reason: string])[] = [
  [/invalid or unsupported Perl syntax|invalid named capture/u, "unsupported"],
  [/invalid escape/u, "escape"],
  [/missing closing \]|unterminated \[/u, "bracket"],
  [/missing closing \)|unexpected \)|missing parenthesis/u, "parenthesis"],
  [/missing argument to repetition|nested repetition|invalid repeat count/u, "repeat"],
  [/character class/u, "class"],
];

/**
 * Matches patterns in RE2's syntax, ignoring case. They are searched in the text as it was written, and with `isFolded` also in
 * the text without disguise. @throws InputError `rule_pattern`
 */
export function patternsMatcher(patterns: readonly string[], isFolded: boolean): Matcher {
  if (patterns.length === 0) throw refuseRule("rule_pattern", { reason: "none" });
  if (patterns.length > maxPatterns) {
    throw refuseRule("rule_pattern", { reason: "many", most: maxPatterns });
  }
  const passes = groupIntoPasses(patterns);
  return ({ subject, spend }) => {
    const texts = textsToSearch(subject, isFolded);
    for (const pass of passes) {
      const found = texts.flatMap((text) => {
        spend?.(pass.steps * text.length);
        return pass.set.match(text).slice(0, 1);
      });
      if (found.length > 0) return pass.patterns[Math.min(...found)];
    }
    return undefined;
  };
}

interface Pass {
  readonly patterns: string[];
  readonly set: RE2Set;
  steps: number;
}

function groupIntoPasses(patterns: readonly string[]): readonly Pass[] {
  const passes: Pass[] = [];
  for (const pattern of patterns) {
    const steps = countSteps(pattern);
    let pass = passes.at(-1);
    if (pass === undefined || pass.steps + steps > stepsOfPass) {
      const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, cacheBytes);
      pass = { patterns: [], set, steps: 0 };
      passes.push(pass);
    }
    pass.set.add(pattern.normalize("NFC"));
    pass.patterns.push(pattern);
    pass.steps += steps;
  }
  return passes;
}

function textsToSearch(subject: TextForms, isFolded: boolean): readonly string[] {
  const { written } = subject;
  if (!isFolded) return [written];
  const joined = subject.joined().flatMap(({ words, rows }) => [words.line, ...rows]);
  return [...new Set([written, ...subject.plain(), ...joined])].filter(
    (text) => text.trim() !== "",
  );
}

function countSteps(pattern: string): number {
  const shown = shortenText(pattern, 60);
  if (pattern.trim() === "") throw refuseRule("rule_pattern", { reason: "none" });
  if (pattern.length > maxPatternChars) {
    throw refuseRule("rule_pattern", { reason: "long", pattern: shown, most: maxPatternChars });
  }
  const compiled = compilePattern(pattern);
  if (compiled.programSize() > maxProgramSteps) {
    throw refuseRule("rule_pattern", { reason: "large", pattern: shown });
  }
  if (compiled.test("")) throw refuseRule("rule_pattern", { reason: "everything", pattern: shown });
  return compiled.programSize();
}

function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern.normalize("NFC"), RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const errorText = error instanceof Error ? error.message : "";
    const reason = reasons.find(([known]) => known.test(errorText))?.[1] ?? "syntax";
    // The engine's message ends with the faulty part in backticks. If that is the whole pattern, our own flag stands before it.
    const [start, end] = [errorText.indexOf("`") + 1, errorText.lastIndexOf("`")];
    const part = errorText.slice(start, Math.max(start, end)).replace(/^\(\?i\)/u, "");
    const place = pattern.indexOf(part);
    const isPlaced = part !== "" && place !== -1;
    const isOfBrackets = reason === "bracket" || reason === "parenthesis";
    throw refuseRule("rule_pattern", {
      pattern: shortenText(pattern, 60),
      reason: isPlaced || isOfBrackets ? reason : "syntax",
      ...(isPlaced && { part: shortenText(part, 40), place: place + 1 }),
    });
  }
}
