import { openStore } from "../../src/store/index.ts";
import { openPool, table } from "../../src/store/postgres/pool.ts";
import { connectRedis } from "../../src/store/redis/client.ts";
import type { DatabaseServer } from "../support/databases/child.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { findRedis, startRedis } from "../support/databases/redis-server.ts";
import { seed, seeded } from "../support/random.ts";
import type { BenchRow, BenchRows } from "./row.ts";

const guilds = 500;
const reads = 2000;
const rounds = 5;
/** Far below what a person notices; a server is a process of its own, and a switch of processes is not ours. */
const goalMs = 20;

/** Reading and opening one credential, one after the other, beside the driver's bare read; where the server is installed. */
export const rows: BenchRows = {
  ...(findRedis() && { "credential.open.redis": onRedis }),
  ...(findPostgres() && { "credential.open.postgres": onPostgres }),
};

async function onRedis(): Promise<readonly BenchRow[]> {
  const server = await startRedis();
  const client = await connectRedis(server.url);
  const bare = (key: string) => client.get(`greenroom:${key}`);
  return measured("credential.open.redis", server, bare).finally(() => client.destroy());
}

async function onPostgres(): Promise<readonly BenchRow[]> {
  const server = await startPostgres();
  const pool = openPool(server.url);
  const bare = (key: string) => pool.query(`SELECT value FROM ${table} WHERE key = $1`, [key]);
  return measured("credential.open.postgres", server, bare);
}

async function measured(
  name: string,
  server: DatabaseServer,
  bare: (key: string) => Promise<unknown>,
): Promise<readonly BenchRow[]> {
  const key = new Uint8Array(32).fill(1);
  const store = await openStore({ url: server.url, keys: [{ id: "k1", key }] });
  try {
    for (let n = 0; n < guilds; n++) {
      const facts = { addedBy: guildId(n), addedAt: n };
      await store.credentials.write(guildId(n), {
        kind: "video-key",
        secret: `key-${n}`,
        ...facts,
      });
    }
    const floor = await quietest((id) => bare(`credential:${id}:video-key`));
    const value = await quietest((id) => store.credentials.read(id, "video-key"));
    return [{ name, value, unit: "ms", floor, goal: goalMs, ok: value <= goalMs, seed }];
  } finally {
    await store.close();
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
