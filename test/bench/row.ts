/** One measured figure (one JSON object a line with `--json`). */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  /** `ratio`, `ms`, `us`, `MiB`, `KiB` … */
  readonly unit: string;
  /** What the machine can't do better than, measured in the same run. */
  readonly floor?: number;
  /** What others do, measured in the same run. */
  readonly peer?: number;
  readonly goal: number;
  readonly ok: boolean;
  readonly seed?: number;
}

/** Benches of one file, by the prefix that their rows share. */
export type BenchRows = Readonly<Record<string, () => Promise<readonly BenchRow[]>>>;
