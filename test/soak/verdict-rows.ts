import type { BenchRow } from "../bench/row.ts";
import type { Verdict } from "../support/processes/verdict.ts";
import { seed } from "../support/random.ts";

/** What must not happen to anyone in any campaign. */
export function faultsIn(result: Verdict, unwelcome?: RegExp): readonly string[] {
  const { silent, twice, lost, doneAnyway } = result;
  const again = doneAnyway.map((text) => `done anyway: ${text}`);
  return [...silent, ...twice, ...lost, ...again, ...failuresIn(result, unwelcome)];
}

/** People who were shown a failure that should not occur. */
function failuresIn({ failures }: Verdict, unwelcome: RegExp | undefined): readonly string[] {
  return [...failures].flatMap(([title, people]) => (unwelcome?.test(title) ? people : []));
}

/** Commands that were not acknowledged, or too late. */
export function unheard({ unacknowledged, late }: Verdict): readonly string[] {
  return [...unacknowledged, ...late];
}

/** The percentage of all commands that were answered with this failure. */
export function shareOf({ failures, commands }: Verdict, title: RegExp): number {
  const found = [...failures].filter(([text]) => title.test(text)).flatMap(([, people]) => people);
  return (100 * found.length) / Math.max(1, commands);
}

/** A row with the number of faults. It also prints each of them. */
export function countRow(name: string, result: Verdict, faults: readonly string[]): BenchRow {
  for (const fault of faults) console.error(`${name}: ${fault}`);
  console.error(`${name}: ${describeVerdict(result)}`);
  const value = faults.length;
  const { commands, perSecond: rate, held } = result;
  const shares = [
    `${shareOf(result, /too busy/iu).toFixed(2)} % too busy`,
    `${shareOf(result, /interrupted/iu).toFixed(2)} % interrupted`,
    `${((100 * unheard(result).length) / Math.max(1, commands)).toFixed(2)} % not acknowledged`,
  ];
  const load = `of ${commands} commands, ${rate.toFixed(0)} a second, and ${held} held comments`;
  return { name, value, unit: [load, ...shares].join(", "), goal: 0, ok: value === 0, seed };
}

/** A row for a time in seconds, with the longest it may be. */
export function timeRow(name: string, ms: number, goalMs: number): BenchRow {
  return { name, value: ms / 1_000, unit: "s", goal: goalMs / 1_000, ok: ms <= goalMs, seed };
}

function describeVerdict(verdict: Verdict): string {
  const { silent, twice, lost, doneAnyway, failures, acknowledgeMs, answerMs } = verdict;
  return [
    `${unheard(verdict).length} not acknowledged, ${silent.length} silent`,
    `${twice.length} twice, ${lost.length} lost, ${doneAnyway.length} done anyway`,
    `acknowledged within ${Math.round(acknowledgeMs)} ms, answered within ${Math.round(answerMs)} ms`,
    ...[...failures].map(([title, people]) => `${people.length} × ${title}`),
  ].join("; ");
}
