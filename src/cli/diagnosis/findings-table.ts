import { stripVTControlCharacters, styleText } from "node:util";
import { type Finding, type FindingState, formatCount } from "./finding.ts";

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
    const next = findings[at + 1];
    // Where the next finding has the same advice, it is shown once, below the last of them.
    const isSaidBelow = next?.check === check && next.advice === finding.advice;
    const advice = isSaidBelow ? "" : (finding.advice ?? "");
    const padded = state.padEnd(stateWidth);
    const shown = look.hasColor
      ? styleText(colors[state], padded, { validateStream: false })
      : padded;
    const texts = [
      ...wrapText(removeControls(found), textWidth),
      ...wrapText(removeControls(advice), textWidth),
    ];
    return texts.map((text, at) =>
      at === 0 ? line(check, shown, text) : line("", " ".repeat(stateWidth), text),
    );
  });
  return [
    line(head[0], head[1].padEnd(stateWidth), "what was found, and what to do"),
    ...rows,
  ].join("\n");
}

/** The last line: the result as a whole. */
export function summarizeFindings(findings: readonly Finding[]): string {
  const count = (which: FindingState) => findings.filter(({ state }) => state === which).length;
  const [bad, doubtful] = [count("wrong"), count("warning")];
  const warnings = formatCount(doubtful, "warning");
  if (bad > 0) return `${bad} wrong, ${warnings}.`;
  return doubtful > 0 ? `No errors; ${warnings}.` : "Everything is fine.";
}

/** Names of applications come from outside, and a terminal obeys control characters. */
function removeControls(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}+/gu, " ");
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
