import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { type KillsResult, killServer, killWriters } from "../store/kills.ts";
import type { DatabaseServer } from "../support/databases/child.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = {
  "crashes.sqlite": sqlite,
  ...(findPostgres() && { "crashes.postgres": () => served("postgres", startPostgres) }),
};

const kills = 200;

/** Acknowledged records that were lost, and rows that can't be read, after 200 kills of a process that was writing. */
async function sqlite(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-crashes-"));
  try {
    const url = `sqlite:${join(folder, "a.sqlite")}`;
    return [rowOf("sqlite", await killWriters(url, kills, seed))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same for a database server that is killed while several processes write to it. */
async function served(
  name: string,
  start: () => Promise<DatabaseServer>,
): Promise<readonly BenchRow[]> {
  const server = await start();
  try {
    return [rowOf(name, await killServer(server, kills, seed))];
  } finally {
    await server.stop();
  }
}

function rowOf(name: string, { acknowledged, lost, torn }: KillsResult): BenchRow {
  const value = lost.length + torn.length;
  const isSerious = acknowledged > kills;
  return {
    name: `crashes.${name}`,
    value,
    unit: "rows",
    goal: 0,
    ok: value === 0 && isSerious,
    seed,
  };
}
