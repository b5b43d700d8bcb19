import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPool, table } from "../../../src/store/postgres/pool.ts";
import { connectRedis } from "../../../src/store/redis/client.ts";
import type { DatabaseServer } from "./child.ts";
import { findPostgres, startPostgres } from "./postgres-server.ts";
import { findRedis, startRedis } from "./redis-server.ts";

/** An empty database, and a way to its rows that goes round the store. */
export interface Place {
  readonly url: string;
  /** `credential:111111111111111111:video-key` and the like. */
  get(key: string): Promise<string | undefined>;
  /** Over what is there, and to stay. */
  put(key: string, text: string): Promise<void>;
  /** Every row by its key, as it lies there. */
  all(): Promise<ReadonlyMap<string, string>>;
  /** Makes it empty again, where that is quicker than another one. */
  clear?(): Promise<void>;
}

/** A kind of database that the typed stores run on. */
export interface Kind {
  readonly name: string;
  /** Whether what expires goes by the server's clock and not by the store's. */
  readonly hasOwnClock: boolean;
  /** Its server starts with the first. */
  fresh(): Promise<Place>;
  stop(): Promise<void>;
}

export const kinds: readonly { readonly name: string; readonly make?: () => Kind }[] = [
  { name: "SQLite", make: sqlite },
  { name: "Redis", ...(findRedis() && { make: redis }) },
  { name: "PostgreSQL", ...(findPostgres() && { make: postgres }) },
];

/** The same, where a test takes the place of one that has finished. */
export function reusing(kind: Kind, whenFinished: (work: () => void) => void): Kind {
  const free: Place[] = [];
  return {
    ...kind,
    fresh: async () => {
      const used = free.pop();
      await used?.clear?.();
      const place = used ?? (await kind.fresh());
      whenFinished(() => void (place.clear && free.push(place)));
      return place;
    },
  };
}

export function sqlite(): Kind {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-kind-"));
  let count = 0;
  return {
    name: "SQLite",
    hasOwnClock: false,
    stop: async () => rmSync(folder, { recursive: true, force: true }),
    fresh: async () => sqlitePlace(join(folder, `${count++}.sqlite`)),
  };
}

export function sqlitePlace(path: string): Place {
  const use = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    url: `sqlite:${path}`,
    get: async (key) =>
      use((file) => file.prepare("SELECT value FROM entries WHERE key = ?").get(key)?.value) as
        | string
        | undefined,
    put: async (key, text) =>
      use((file) => {
        file.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, NULL)").run(key, text);
      }),
    all: async () =>
      use((file) => mapOf(file.prepare("SELECT key, value FROM entries ORDER BY key").all())),
  };
}

/** A server, started for the first of them, with as many databases as are asked for. */
function served(start: () => Promise<DatabaseServer>) {
  let server: Promise<DatabaseServer> | undefined;
  let count = 0;
  return {
    next: async () => {
      server ??= start();
      count += 1;
      return { server: await server, n: count };
    },
    stop: async () => (await server)?.stop(),
  };
}

export function redis(): Kind {
  const { next, stop } = served(() => startRedis(["--appendonly", "yes", "--appendfsync", "no"]));
  return {
    name: "Redis",
    hasOwnClock: true,
    stop,
    fresh: async () => {
      const { server, n } = await next();
      return redisPlace(`${server.url}/${n}`);
    },
  };
}

export function redisPlace(url: string): Place {
  const use = async <T>(work: (client: Awaited<ReturnType<typeof connectRedis>>) => Promise<T>) => {
    const client = await connectRedis(url);
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  };
  const prefix = "greenroom:";
  return {
    url,
    get: (key) => use(async (client) => (await client.get(prefix + key)) ?? undefined),
    put: (key, text) =>
      use(async (client) => {
        await client.set(prefix + key, text);
        const namespace = key.slice(0, key.indexOf(":"));
        const score = Number.POSITIVE_INFINITY;
        await client.zAdd(`${prefix}keys:${namespace}`, { score, value: key });
      }),
    all: () =>
      use(async (client) => {
        const rows = [];
        for (const key of (await client.keys(`${prefix}*`)).sort()) {
          if (!key.startsWith(`${prefix}keys:`)) {
            rows.push({ key: key.slice(prefix.length), value: await client.get(key) });
          }
        }
        return mapOf(rows);
      }),
  };
}

export function postgres(): Kind {
  const { next, stop } = served(() => startPostgres(["fsync=off", "shared_buffers=16MB"]));
  return {
    name: "PostgreSQL",
    hasOwnClock: false,
    stop,
    fresh: async () => {
      const { server, n } = await next();
      await usePostgres(server.url, (pool) => pool.query(`CREATE DATABASE d${n}`));
      return postgresPlace(server.url.replace("/postgres", `/d${n}`));
    },
  };
}

export function postgresPlace(url: string): Place {
  return {
    url,
    get: (key) =>
      usePostgres(url, async (pool) => {
        const [row] = await pool.query(`SELECT value FROM ${table} WHERE key = $1`, [key]);
        return row && String(row.value);
      }),
    put: (key, text) =>
      usePostgres(url, async (pool) => {
        const put = `INSERT INTO ${table} VALUES ($1, $2)
          ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = NULL`;
        await pool.query(put, [key, text]);
      }),
    all: () =>
      usePostgres(url, async (pool) => {
        return mapOf(await pool.query(`SELECT key, value FROM ${table} ORDER BY key`));
      }),
    clear: () =>
      usePostgres(url, async (pool) => void (await pool.query(`DROP TABLE IF EXISTS ${table}`))),
  };
}

async function usePostgres<T>(
  url: string,
  work: (pool: ReturnType<typeof openPool>) => Promise<T>,
): Promise<T> {
  const pool = openPool(url);
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

function mapOf(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
}
