import { parseArgs } from "node:util";
import type { BenchRow, BenchRows } from "./row.ts";

/** One file of benches, loaded when its turn comes. */
export type BenchFile = () => Promise<{ readonly rows: BenchRows }>;

/**
 * Runs the benches whose names fit `--only PREFIX` and prints each row: one JSON object a line with `--json`, a table
 * for people without.
 */
export async function report(files: readonly BenchFile[]): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: "boolean", default: false }, only: { type: "string", default: "" } },
  });
  const failed: string[] = [];
  for (const load of files) {
    const { rows } = await load();
    for (const [name, bench] of Object.entries(rows)) {
      if (!name.startsWith(values.only) && !values.only.startsWith(name)) continue;
      for (const row of await bench()) {
        if (!row.name.startsWith(values.only)) continue;
        if (!row.ok) failed.push(row.name);
        console.log(values.json ? JSON.stringify(row) : line(row));
      }
    }
  }
  if (!values.json && failed.length > 0) {
    console.log(`\nshort of their goal: ${failed.join(", ")}`);
  }
}

function line({ name, value, unit, floor, peer, goal, ok }: BenchRow): string {
  const beside = [
    floor === undefined ? "" : `floor ${round(floor)}`,
    peer === undefined ? "" : `peer ${round(peer)}`,
  ].filter(Boolean);
  const mark = ok ? "ok   " : "SHORT";
  const figure = `${round(value)} ${unit}`;
  return `${mark} ${name.padEnd(28)} ${figure.padStart(16)}   goal ${round(goal)}   ${beside.join(", ")}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
