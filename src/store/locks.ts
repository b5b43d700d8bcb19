import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { waitUnlessAborted } from "../clock.ts";
import { type Database, sql } from "../database/index.ts";
import { whileOwned } from "../ownership.ts";
import { hashToRecordId } from "./ids.ts";

/** Runs work of the same key one after the other, in the order of the calls. The signal ends the wait, not the work. */
export type Locks = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work, signal) => {
    const before = last.get(key) ?? Promise.resolve();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const all: Promise<unknown> = before.then(() => over);
    last.set(key, all);
    try {
      await waitUnlessAborted(before, signal);
      return await work();
    } finally {
      end();
      void all.then(() => last.get(key) === all && last.delete(key));
    }
  };
}

interface SharedLocksOptions {
  /** How long a process that is not heard of keeps its place in line; 15 seconds when absent. */
  readonly keptMs?: number;
  /** How often the holder of the turn is heard of; 4 seconds when absent. */
  readonly renewEveryMs?: number;
}

/** A place in the line of one key, which is a row of `rates`: `[token, ends at]` of each, the holder of the turn first. */
interface TurnPlace {
  readonly database: Database;
  readonly name: string;
  readonly token: string;
  readonly keptMs: number;
}

const lookMs = 100;

/** By the database's clock, when the statement runs. */
const nowSql = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Across all processes that share the database; on SQLite there is one. A turn lasts as long as its process lives, and no
 * write to a service follows a turn that was lost. Without the turn nothing is begun: if the database fails, that is ServiceError
 * `store_unavailable`.
 */
export function createSharedLocks(database: Database, options: SharedLocksOptions = {}): Locks {
  const locks = createLocks();
  if (database.dialect === "sqlite") return locks;
  const { keptMs = 15_000, renewEveryMs = 4_000 } = options;
  const inSharedTurn = async <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => {
    const place = { database, keptMs, name: `turns ${hashToRecordId(key)}`, token: randomUUID() };
    let timer: NodeJS.Timeout | undefined;
    try {
      while (!(await standInLine(place))) await waitUnlessAborted(delay(lookMs), signal);
      timer = setInterval(() => void renewTurn(place).catch(() => undefined), renewEveryMs).unref();
      return await whileOwned(() => renewTurn(place), work);
    } finally {
      clearInterval(timer);
      await leaveLine(place).catch(() => undefined);
    }
  };
  return (key, work, signal) => locks(key, () => inSharedTurn(key, work, signal), signal);
}

/** Whether it is this place's turn. Places that were not heard of for too long are dropped. */
async function standInLine({ database, name, token, keptMs }: TurnPlace): Promise<boolean> {
  const end = sql`${nowSql} + ${keptMs}`;
  const { rows } = await sql<{ is_first: boolean }>`
    insert into rates as turns (key, data, expires_at)
    values (${name}, jsonb_build_array(jsonb_build_array(${token}::text, ${end}))::text, ${end})
    on conflict (key) do update set expires_at = excluded.expires_at, data = (
      select jsonb_agg(jsonb_build_array(token, ends_at) order by place)::text
      from (
        select one->>0 as token, max((one->>1)::bigint) as ends_at, min(place) as place
        from jsonb_array_elements(turns.data::jsonb || excluded.data::jsonb)
          with ordinality as line (one, place)
        group by one->>0) as places
      where ends_at > ${nowSql})
    returning data::jsonb->0->>0 = ${token} as is_first`.execute(database.db);
  return rows[0]?.is_first === true;
}

/** Whether it still is. */
async function renewTurn({ database, name, token, keptMs }: TurnPlace): Promise<boolean> {
  const end = sql`${nowSql} + ${keptMs}`;
  const renew = sql`
    update rates set expires_at = ${end},
      data = jsonb_set(data::jsonb, '{0,1}', to_jsonb(${end}))::text
    where key = ${name} and data::jsonb->0->>0 = ${token}`;
  const { numAffectedRows = 0n } = await database.urgently(() => renew.execute(database.db));
  return numAffectedRows > 0n;
}

async function leaveLine({ database: { db }, name, token }: TurnPlace): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    delete from rates where key = ${name}
      and jsonb_array_length(data::jsonb) = 1 and data::jsonb->0->>0 = ${token}`.execute(db);
  if (numAffectedRows > 0n) return;
  await sql`
    update rates set data = coalesce((
      select jsonb_agg(one order by place)::text
      from jsonb_array_elements(data::jsonb) with ordinality as line (one, place)
      where one->>0 <> ${token}), '[]')
    where key = ${name}`.execute(db);
}
