import type { BenchRow, BenchRows } from "../bench/row.ts";
import { runCommands } from "../store/failing-commands.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = { store };

const count = 10_000;

/**
 * Commands and presses in a server that has everything connected, while a twentieth of the store's calls fail. Counts
 * answers that claim that something is missing, rows that changed, and interactions without an answer.
 */
async function store(): Promise<readonly BenchRow[]> {
  const { failures, refused, served, unanswered, misleading, changed } = await runCommands(
    count,
    seed,
  );
  const value = unanswered + misleading.length + changed.length;
  const isSerious = failures > count * 0.1 && refused > count * 0.05 && served > count * 0.1;
  return [{ name: "store", value, unit: "faults", goal: 0, ok: value === 0 && isSerious, seed }];
}
