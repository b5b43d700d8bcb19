import { RE2JS, RE2Set } from "re2js";
import { cutTo } from "../text/cut.ts";
import type { Subject } from "../text/subject.ts";
import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";

const mostPatterns = 20;
const longestPattern = 500;

/** Steps of a compiled pattern. Time and memory grow with them and with the text. */
const largestProgram = 500;
/** Patterns that are looked for in one pass; between two passes a work that costs too much is ended. */
const stepsOfPass = 1_000;
/** What the engine remembers of a pass, so that it takes the next text faster. */
const rememberedBytes = 2 * 1024 * 1024;

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
  const passes = passesOf(patterns);
  return ({ subject, spend }) => {
    const texts = textsOf(subject, isFolded);
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

function passesOf(patterns: readonly string[]): readonly Pass[] {
  const passes: Pass[] = [];
  for (const pattern of patterns) {
    const steps = stepsOf(pattern);
    let pass = passes.at(-1);
    if (pass === undefined || pass.steps + steps > stepsOfPass) {
      const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, rememberedBytes);
      pass = { patterns: [], set, steps: 0 };
      passes.push(pass);
    }
    pass.set.add(pattern.normalize("NFC"));
    pass.patterns.push(pattern);
    pass.steps += steps;
  }
  return passes;
}

function textsOf(subject: Subject, isFolded: boolean): readonly string[] {
  const { written } = subject;
  if (!isFolded) return [written];
  const joined = subject.joined().flatMap(({ words, rows }) => [words.line, ...rows]);
  return [...new Set([written, ...subject.plain(), ...joined])].filter(
    (text) => text.trim() !== "",
  );
}

function stepsOf(pattern: string): number {
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
  return compiled.programSize();
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
  const [start, end] = [said.indexOf("`") + 1, said.lastIndexOf("`")];
  const part = said.slice(start, Math.max(start, end)).replace(/^\(\?i\)/u, "");
  const place = pattern.indexOf(part);
  if (part !== "" && place !== -1) return { reason, part: cutTo(part, 40), place: place + 1 };
  return { reason: reason === "bracket" || reason === "parenthesis" ? reason : "syntax" };
}
