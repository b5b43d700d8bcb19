import type { BenchRow } from "./row.ts";

/** Somebody else's way of doing a job, which a machine may not have or not allow. */
export interface Peer {
  /** Answers `undefined` from the first failure on. */
  measure<T>(job: () => Promise<T>): Promise<T | undefined>;
  /** The same rows; where a figure of this peer is missing (NaN), it is `null`, with the reason next to it. */
  rows(rows: readonly BenchRow[]): readonly BenchRow[];
}

/** `missing`: why it is not asked at all. */
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

/** What a program said of it, else what was thrown; one line. */
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
    // Nothing is short of a goal that is not there.
    ok: isComparison || row.ok,
    skipped,
  };
}
