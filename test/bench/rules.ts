import type { RuleTest } from "../../src/moderation/index.ts";
import { openRuleEngine } from "../../src/moderation/index.ts";
import { seed, seeded } from "../support/random.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = { "rules.judge": judge };

const comments = 1_000;
const rules = 50;
const wordsEach = 10;
const goalMs = 1_000;

/**
 * CPU of the process, threads included, for judging comments in which no rule finds anything: those are the most
 * expensive, look-alikes folded. The peer is JavaScript's own RegExp with the same words and patterns and no folding.
 */
async function judge(): Promise<readonly BenchRow[]> {
  const random = seeded(seed);
  const texts = Array.from({ length: comments }, () => textOf(random));
  const tests = testsOf(random);
  const all = tests.flatMap(regExpsOf);
  const engine = openRuleEngine({ now: () => 0 });
  const own = await cpuOf(async () => {
    const asked = { tests, comments: texts.map((text) => ({ text })), ownLinks: new Set<string>() };
    const { findings, off } = await engine.runTests("1", { ...asked, isTrial: true });
    if (off.length > 0) throw new Error("a rule was switched off");
    return findings.filter(({ found }) => found.length > 0).length;
  });
  await engine.close();
  const peer = await cpuOf(
    async () => texts.filter((text) => all.some((one) => one.test(text))).length,
  );
  return [
    { name: "rules.judge", value: own, unit: "ms", peer, goal: goalMs, ok: own <= goalMs, seed },
  ];
}

/** The median of five, after a first round in which the code is compiled. */
async function cpuOf(work: () => Promise<number>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    if ((await work()) > comments / 2) throw new Error("the rules find too much to be a measure");
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1_000);
  }
  return rounds.slice(1).sort((a, b) => a - b)[2] ?? Number.NaN;
}

const syllables = ["ba", "ne", "ki", "lo", "ru", "sta", "mé", "да", "то", "ω", "f1"] as const;

function wordOf(random: () => number): string {
  const count = 1 + Math.floor(random() * 4);
  return Array.from(
    { length: count },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join("");
}

/** 5 to 60 words: the length of most comments, and of some longer ones. */
function textOf(random: () => number): string {
  const count = 5 + Math.floor(random() ** 2 * 55);
  const words = Array.from({ length: count }, () => wordOf(random)).join(" ");
  // One in twenty is in a script without spaces, which costs most.
  return random() < 0.05 ? "何を言っているのか全然わからない。時間の無駄。".repeat(3) : words;
}

function testsOf(random: () => number): readonly RuleTest[] {
  const test = (n: number): RuleTest => {
    const isFolded = true;
    if (n < 30) {
      const words = Array.from({ length: wordsEach }, () => `${wordOf(random)}q${wordOf(random)}`);
      return { kind: "words", words, isFolded };
    }
    if (n < 45) return { kind: "patterns", patterns: [patternOf(n)], isFolded };
    return n < 48
      ? { kind: "links", allowed: ["example.com"] }
      : { kind: "authors", authors: [{ id: `UC${n}` }] };
  };
  return Array.from({ length: rules }, (_, n) => test(n));
}

const shapes = ["(buy|sell) nowN", "\\bcall \\d{5}N", "(?:w+h+a+t+s+)+appN", "[xyz]{3}zN$"];

function patternOf(n: number): string {
  return (shapes[n % shapes.length] ?? "").replaceAll("N", `${n % 10}`);
}

function regExpsOf(test: RuleTest): readonly RegExp[] {
  if (test.kind === "words") return [new RegExp(`\\b(?:${test.words.join("|")})\\b`, "iu")];
  if (test.kind === "patterns") return test.patterns.map((pattern) => new RegExp(pattern, "iu"));
  return test.kind === "links" ? [/https?:\/\/(?!example\.com)|\b[\w-]+\.(?:com|net|org)\b/iu] : [];
}
