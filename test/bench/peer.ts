import type { BenchRow } from "./row.ts";

/** Another program's way of doing a job, which may be missing on a machine or not allowed there. */
export interface Peer {
  /** Returns `undefined` from the first failure on. */
  measure<T>(job: () => Promise<T>): Promise<T | undefined>;
  /** The same rows; where a figure of this peer is missing (NaN), it is `null`, with the reason next to it. */
  rows(rows: readonly BenchRow[]): readonly BenchRow[];
}

/** `missing`: why the peer is not used at all. */
export function createPeer(missing?: string): Peer {
  let skipped = missing;
  return {
    async measure(job) {
      if (skipped !== undefined) return undefined;
      try {
        return await job();
      } catch (error) {
        skipped = reasonOf(error);
        return undefined;
      }
    },
    rows: (rows) => (skipped === undefined ? rows : rows.map((row) => without(row, skipped ?? ""))),
  };
}

/** What the program printed to stderr, otherwise what was thrown, as one line. */
export function reasonOf(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: unknown; readonly message?: unknown };
  const said = [stderr, message, error].map((one) => String(one ?? "").trim());
  return (said.find((one) => one !== "") ?? "").split("\n")[0]?.slice(0, 300) ?? "";
}

function without(row: BenchRow, skipped: string): BenchRow {
  const { value, goal, peer } = row;
  const isMissing = (figure: number | null | undefined) => Number.isNaN(figure);
  if (![value, goal, peer].some(isMissing)) return row;
  const isComparison = isMissing(value) || isMissing(goal);
  return {
    ...row,
    value: isMissing(value) ? null : value,
    goal: isMissing(goal) ? null : goal,
    peer: null,
    // A goal that could not be measured can't be missed.
    ok: isComparison || row.ok,
    skipped,
  };
}
