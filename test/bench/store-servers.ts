import pg from "pg";
import { openStore } from "../../src/store/index.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { seed, seeded } from "../support/random.ts";
import type { BenchRow, BenchRows } from "./row.ts";

const guilds = 500;
const reads = 2000;
const rounds = 5;
/**
 * Far below what a person notices. The database server is another process, and switching between the two is not our
 * cost.
 */
const goalMs = 20;

/** Reading and decrypting credentials one after the other, compared with the driver's bare read; needs PostgreSQL. */
export const rows: BenchRows = {
  ...(findPostgres() && { "credential.open.postgres": onPostgres }),
};

async function onPostgres(): Promise<readonly BenchRow[]> {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  const key = new Uint8Array(32).fill(1);
  const store = await openStore({ url: server.url, keys: [{ id: "k1", key }] });
  try {
    for (let n = 0; n < guilds; n++) {
      const credential = { secret: `key-${n}`, addedBy: guildId(n), addedAt: n };
      await store.credentials.write(guildId(n), { kind: "video-key", ...credential });
    }
    const bare = (id: string) =>
      pool.query("select value from keyv where key = $1", [`credential:${id}:video-key`]);
    const floor = await quietest(bare);
    const value = await quietest((id) => store.credentials.read(id, "video-key"));
    const name = "credential.open.postgres";
    return [{ name, value, unit: "ms", floor, goal: goalMs, ok: value <= goalMs, seed }];
  } finally {
    await store.close();
    await pool.end();
    await server.stop();
  }
}

/** The 99th percentile of the quietest round. */
async function quietest(read: (guildId: string) => Promise<unknown>): Promise<number> {
  const random = seeded(seed);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < reads; n++) {
      const id = guildId(Math.floor(random() * guilds));
      const start = performance.now();
      await read(id);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    best = Math.min(best, times[Math.floor(reads * 0.99)] ?? best);
  }
  return best;
}

function guildId(n: number): string {
  return String(100_000_000_000_000_000n + BigInt(n));
}
