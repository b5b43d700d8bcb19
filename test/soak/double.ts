import type { BenchRow, BenchRows } from "../bench/row.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { runDouble } from "../support/double/run-double.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = { ...(findPostgres() && { double }) };

const count = 2_000;

/** Two processes receive the same 2,000 commands: counts effects that did not happen exactly once. */
async function double(): Promise<readonly BenchRow[]> {
  const { doubled, missing, unanswered, errors, repeated } = await runDouble({ count, seed });
  const wrong = [...doubled, ...missing, ...unanswered];
  for (const one of [...wrong, ...errors]) console.error(one);
  const isSerious = repeated > count / 10;
  const ok = wrong.length === 0 && isSerious;
  return [{ name: "double", value: wrong.length, unit: `of ${count} commands`, goal: 0, ok, seed }];
}
