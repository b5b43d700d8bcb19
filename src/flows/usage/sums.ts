import { type CreditsSpent, pacificDate, type Spendable, spendable } from "../../budget/index.ts";
import type { UnitsSpent } from "../../discord/index.ts";

/** One amount of one kind that one person spent on one day with one command. */
export interface Line {
  /** In Los Angeles; for credits in UTC. */
  readonly day: string;
  readonly kind: Spendable;
  /** What was charged: the API key, the linked channels, an earlier key, or the image service. */
  readonly of: UnitsSpent["kind"] | "background-key";
  readonly userId: string;
  readonly command: string;
  /** Method of the video service. */
  readonly method: string;
  readonly amount: number;
}

export type Sum = Readonly<Record<Spendable, number>>;

const nothing: Sum = { units: 0, searches: 0, uploads: 0, credits: 0 };

const dayMs = 24 * 3_600_000;

export function linesOf(
  units: readonly UnitsSpent[],
  credits: readonly CreditsSpent[],
): readonly Line[] {
  return [
    ...units.map(({ day, bucket, kind, userId, command, method, spent }) => {
      return { day, kind: bucket, of: kind, userId, command, method, amount: spent };
    }),
    ...credits
      .filter(({ credits: amount }) => amount > 0)
      .map(({ day, userId, command, credits: amount }) => {
        const of = "background-key" as const;
        return { day, kind: "credits" as const, of, userId, command, method: "removebg", amount };
      }),
  ];
}

/** The dates of the last days, oldest first, in the time zone in which that kind is counted. */
export function daysOf(kind: Spendable, count: number, now: number): readonly string[] {
  const today = kind === "credits" ? new Date(now).toISOString().slice(0, 10) : pacificDate(now);
  // Dates are counted back, not hours: a day has 23 hours when the clocks change.
  const at = Date.parse(today);
  return Array.from({ length: count }, (_, ago) =>
    new Date(at - (count - 1 - ago) * dayMs).toISOString().slice(0, 10),
  );
}

/** What was spent in the last days. */
export function lately(lines: readonly Line[], days: number, now: number): readonly Line[] {
  const first = (kind: Spendable) => daysOf(kind, days, now)[0] ?? "";
  const [unitsFrom, creditsFrom] = [first("units"), first("credits")];
  return lines.filter(({ kind, day }) => day >= (kind === "credits" ? creditsFrom : unitsFrom));
}

export function sumOf(lines: readonly Line[]): Sum {
  const sum = { ...nothing };
  // Credits come in quarters; rounding to thousandths removes floating-point errors.
  for (const { kind, amount } of lines) {
    sum[kind] = Math.round((sum[kind] + amount) * 1000) / 1000;
  }
  return sum;
}

/** Sums by `key`, the most of `what` first; ties are decided by the other kinds. */
export function sumsBy(
  lines: readonly Line[],
  key: (line: Line) => string,
  what: Spendable,
): readonly (readonly [string, Sum])[] {
  return [...Map.groupBy(lines, key)]
    .map(([name, some]) => [name, sumOf(some)] as const)
    .sort(([, a], [, b]) => {
      const kind = [what, ...spendable].find((each) => a[each] !== b[each]);
      return kind === undefined ? 0 : b[kind] - a[kind];
    });
}
