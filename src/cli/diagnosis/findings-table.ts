import { stripVTControlCharacters, styleText } from "node:util";
import type { Finding, FindingState } from "./finding.ts";

export interface FindingsTableStyle {
  /** Characters on each line. */
  readonly width: number;
  readonly hasColor: boolean;
}

const colors = {
  ok: "green",
  warning: "yellow",
  wrong: "red",
  skipped: "gray",
} as const satisfies Record<FindingState, string>;

const narrowest = 30;
const gap = "  ";

/** One row for each finding, with its text wrapped. The advice is below what was found. */
export function formatFindings(findings: readonly Finding[], look: FindingsTableStyle): string {
  const head = ["check", "state"] as const;
  const checkWidth = widest([head[0], ...findings.map(({ check }) => check)]);
  const stateWidth = widest([head[1], ...findings.map(({ state }) => state)]);
  const textWidth = Math.max(narrowest, look.width - checkWidth - stateWidth - 2 * gap.length);
  const line = (check: string, state: string, text: string) =>
    [check.padEnd(checkWidth), state, text].join(gap).trimEnd();
  const rows = findings.flatMap((finding, at) => {
    const { check, state, found } = finding;
    const advice = isSaidBelow(finding, findings[at + 1]) ? "" : (finding.advice ?? "");
    const texts = [
      ...wrapText(removeControls(found), textWidth),
      ...wrapText(removeControls(advice), textWidth),
    ];
    return texts.map((text, at) =>
      at === 0
        ? line(check, paint(state.padEnd(stateWidth), state, look), text)
        : line("", " ".repeat(stateWidth), text),
    );
  });
  return [
    line(head[0], head[1].padEnd(stateWidth), "what was found, and what to do"),
    ...rows,
  ].join("\n");
}

/** Whether the next finding has the same advice, which is then shown once, below the last of them. */
function isSaidBelow({ check, advice }: Finding, next: Finding | undefined): boolean {
  return next?.check === check && next.advice === advice;
}

/** The last line: the result as a whole. */
export function summarizeFindings(findings: readonly Finding[]): string {
  const count = (which: FindingState) => findings.filter(({ state }) => state === which).length;
  const [bad, doubtful] = [count("wrong"), count("warning")];
  if (bad > 0) return `${bad} wrong, ${amount(doubtful)}.`;
  return doubtful > 0 ? `No errors; ${amount(doubtful)}.` : "Everything is fine.";
}

function amount(warnings: number): string {
  return warnings === 1 ? "1 warning" : `${warnings} warnings`;
}

/** Names of applications come from outside, and a terminal obeys control characters. */
function removeControls(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}+/gu, " ");
}

function paint(text: string, state: FindingState, { hasColor }: FindingsTableStyle): string {
  return hasColor ? styleText(colors[state], text, { validateStream: false }) : text;
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

function wrapText(text: string, width: number): readonly string[] {
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
