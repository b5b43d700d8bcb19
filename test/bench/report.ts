import { parseArgs } from "node:util";
import { reasonOf } from "./peer.ts";
import type { BenchRow, BenchRows } from "./row.ts";

/** One file of benches, loaded when it is needed. */
export type BenchFile = () => Promise<{ readonly rows: BenchRows }>;

interface ReportOptions {
  readonly args?: readonly string[];
  readonly print?: (line: string) => void;
}

/**
 * Runs the benches whose names begin with `--only PREFIX` and prints each row: one JSON object a line with `--json`,
 * otherwise a table. A bench that throws is a failed row, and the rest continues. Returns the process's exit code,
 * which is 1 if something threw. Missing a goal does not fail the run.
 */
export async function report(
  files: Readonly<Record<string, BenchFile>>,
  { args = process.argv.slice(2), print = console.log }: ReportOptions = {},
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false }, only: { type: "string", default: "" } },
  });
  const short: string[] = [];
  let exitCode = 0;
  for await (const row of rowsOf(files, values.only)) {
    if (!row.ok) short.push(row.name);
    if (row.error !== undefined) exitCode = 1;
    print(values.json ? JSON.stringify(row) : line(row));
  }
  if (!values.json && short.length > 0) print(`\nshort of their goal: ${short.join(", ")}`);
  return exitCode;
}

async function* rowsOf(
  files: Readonly<Record<string, BenchFile>>,
  only: string,
): AsyncGenerator<BenchRow> {
  for (const [file, load] of Object.entries(files)) {
    const { rows } = await load().catch((error: unknown) => ({
      rows: { [file]: async () => [failed(file, error)] } satisfies BenchRows,
    }));
    for (const [name, bench] of Object.entries(rows)) {
      if (!name.startsWith(only) && !only.startsWith(name)) continue;
      const measured = await bench().catch((error: unknown) => [failed(name, error)]);
      yield* measured.filter((row) => row.name.startsWith(only) || row.error !== undefined);
    }
  }
}

function failed(name: string, error: unknown): BenchRow {
  return { name, value: null, unit: "", goal: null, ok: false, error: reasonOf(error) };
}

function line({ name, value, unit, floor, peer, goal, ok, skipped, error }: BenchRow): string {
  const beside = [
    floor === undefined ? "" : `floor ${round(floor)}`,
    peer === undefined ? "" : `peer ${round(peer)}`,
    skipped === undefined ? "" : `skipped: ${skipped}`,
  ].filter(Boolean);
  if (error !== undefined) return `FAILED ${name.padEnd(27)} ${error}`;
  const mark = ok ? "ok   " : "SHORT";
  const figure = `${round(value)} ${unit}`;
  return `${mark} ${name.padEnd(28)} ${figure.padStart(16)}   goal ${round(goal)}   ${beside.join(", ")}`;
}

function round(value: number | null): string {
  if (value === null) return "–";
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
