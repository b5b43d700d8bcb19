import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";
import { recordIdOf } from "./ids.ts";

/** Runs work of the same key one after the other. */
export type Locks = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Within this process. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    // If work fails, the next still runs.
    const mine = before.catch(() => undefined).then(work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** Work that takes longer no longer keeps others waiting; nor does the work of a process that died. */
const longestTurnMs = 30_000;
const lookMs = 100;

/** Across all processes that share the database; on SQLite there is one. If the database fails, nobody waits for the others. */
export function createSharedLocks(database: Database): Locks {
  const locks = createLocks();
  if (database.dialect === "sqlite") return locks;
  return (key, work) =>
    locks(key, async () => {
      const name = `turn ${recordIdOf(key)}`;
      const token = randomUUID();
      await takeTurn(database, name, token).catch(() => undefined);
      try {
        return await work();
      } finally {
        await endTurn(database, name, token).catch(() => undefined);
      }
    });
}

async function takeTurn({ db, now }: Database, name: string, token: string): Promise<void> {
  const until = now() + longestTurnMs;
  while (now() < until) {
    const { numAffectedRows = 0n } = await sql`
      insert into rates (key, data, expires_at) values (${name}, ${token}, ${now() + longestTurnMs})
      on conflict (key) do update set data = excluded.data, expires_at = excluded.expires_at
      where rates.expires_at <= ${now()}`.execute(db);
    if (numAffectedRows > 0n) return;
    await delay(lookMs);
  }
}

async function endTurn({ db }: Database, name: string, token: string): Promise<void> {
  await sql`delete from rates where key = ${name} and data = ${token}`.execute(db);
}
