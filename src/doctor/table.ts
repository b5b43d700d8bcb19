import { stripVTControlCharacters, styleText } from "node:util";
import type { Finding, State } from "./types.ts";

export interface Look {
  /** Letters a line. */
  readonly width: number;
  readonly hasColor: boolean;
}

const colors = {
  ok: "green",
  warning: "yellow",
  wrong: "red",
  skipped: "gray",
} as const satisfies Record<State, string>;

const narrowest = 30;
const gap = "  ";

/** One row a finding, its text broken into lines where it is too long; what to do stands below what was found. */
export function table(findings: readonly Finding[], look: Look): string {
  const head = ["check", "state"] as const;
  const checkWidth = widest([head[0], ...findings.map(({ check }) => check)]);
  const stateWidth = widest([head[1], ...findings.map(({ state }) => state)]);
  const textWidth = Math.max(narrowest, look.width - checkWidth - stateWidth - 2 * gap.length);
  const line = (check: string, state: string, text: string) =>
    [check.padEnd(checkWidth), state, text].join(gap).trimEnd();
  const rows = findings.flatMap((finding, at) => {
    const { check, state, found } = finding;
    const advice = isSaidBelow(finding, findings[at + 1]) ? "" : (finding.advice ?? "");
    const texts = [...broken(safe(found), textWidth), ...broken(safe(advice), textWidth)];
    return texts.map((text, at) =>
      at === 0
        ? line(check, painted(state.padEnd(stateWidth), state, look), text)
        : line("", " ".repeat(stateWidth), text),
    );
  });
  return [
    line(head[0], head[1].padEnd(stateWidth), "what was found, and what to do"),
    ...rows,
  ].join("\n");
}

/** What to do about several faults in a row is said once, below the last. */
function isSaidBelow({ check, advice }: Finding, next: Finding | undefined): boolean {
  return next?.check === check && next.advice === advice;
}

/** The last line: how it stands as a whole. */
export function summary(findings: readonly Finding[]): string {
  const count = (which: State) => findings.filter(({ state }) => state === which).length;
  const [bad, doubtful] = [count("wrong"), count("warning")];
  if (bad > 0) return `${bad} wrong, ${amount(doubtful)}.`;
  return doubtful > 0 ? `Nothing is wrong; ${amount(doubtful)}.` : "Everything is in order.";
}

function amount(warnings: number): string {
  return warnings === 1 ? "1 warning" : `${warnings} warnings`;
}

/** Names of applications come from outside, and a terminal obeys what is written to it. */
function safe(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}+/gu, " ");
}

function painted(text: string, state: State, { hasColor }: Look): string {
  return hasColor ? styleText(colors[state], text, { validateStream: false }) : text;
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length > width && line !== "") {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
