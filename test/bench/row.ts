/** One measured figure (one JSON object a line with `--json`). */
export interface BenchRow {
  readonly name: string;
  /** `null` where it could not be measured; `skipped` or `error` says why. */
  readonly value: number | null;
  /** `ratio`, `ms`, `us`, `MiB`, `KiB` … */
  readonly unit: string;
  /** The least that the machine needs, measured in the same run. */
  readonly floor?: number;
  /** The figure of another program, measured in the same run; `null` where it can't run here. */
  readonly peer?: number | null;
  readonly goal: number | null;
  readonly ok: boolean;
  /** Why a peer could not be measured. */
  readonly skipped?: string;
  /** What the bench itself threw. */
  readonly error?: string;
  readonly seed?: number;
}

/** Benches of one file, by the prefix that their rows share. */
export type BenchRows = Readonly<Record<string, () => Promise<readonly BenchRow[]>>>;
