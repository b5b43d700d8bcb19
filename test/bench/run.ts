/** `npm run bench -- [--json] [--only PREFIX]`: every figure beside its floor or a peer of the same run. */
import { parseArgs } from "node:util";
import type { BenchRow, BenchRows } from "./row.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});

const files = ["compose", "store", "dispatch", "guilds", "start"] as const;
const failed: string[] = [];

for (const file of files) {
  const { rows } = (await import(`./${file}.ts`)) as { readonly rows: BenchRows };
  for (const [name, bench] of Object.entries(rows)) {
    if (!name.startsWith(values.only) && !values.only.startsWith(name)) continue;
    for (const row of await bench()) {
      if (row.name.startsWith(values.only)) print(row);
    }
  }
}

if (!values.json && failed.length > 0) console.log(`\nshort of their goal: ${failed.join(", ")}`);

function print(row: BenchRow): void {
  if (!row.ok) failed.push(row.name);
  console.log(values.json ? JSON.stringify(row) : line(row));
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
