import { createBatches, type Database, isUniqueConflict, sql } from "../database/index.ts";
import { isGuildErased } from "../errors.ts";
import { writeStore } from "./failure.ts";
import { type Keyring, openSealed, type SealContext, seal } from "./seal.ts";

export interface InteractionClaim {
  /** Discord's own id. */
  readonly id: string;
  readonly guildId: string | undefined;
  readonly processId: string;
  /** JSON; it is sealed. */
  readonly request: string;
}

/** An interaction whose answer is not there yet. */
export interface OpenInteraction {
  readonly id: string;
  /** JSON; undefined if no key of this process opens it. */
  readonly request: string | undefined;
  readonly onceKey: string | undefined;
  /** How often another process went on with it, because the one before had ended. */
  readonly takeovers: number;
}

/** All throw ServiceError `store_unavailable`. */
export interface Interactions {
  /** True for the one process that may go on. Called again after a failure, it may refuse what it had already claimed. */
  claim(claim: InteractionClaim): Promise<boolean>;
  /** The answer is there, or nobody waits any more: what was asked is forgotten, and a `once` name is free again. */
  close(id: string): Promise<void>;
  /** Takes a name that only one open interaction may hold, until it is closed; false if another one holds it. */
  holdOnce(id: string, name: string): Promise<boolean>;
  /** Undefined if it is not open. */
  read(id: string): Promise<OpenInteraction | undefined>;
  /** Asks the process that answers it to stop; whether it is still open. */
  cancel(id: string): Promise<boolean>;
  /** Ids of this process's open interactions that people want stopped. */
  cancelled(processId: string): Promise<readonly string[]>;
  /** Gives open interactions of a dead process to another: at most `limit`, those that expire first come first. */
  takeOver(from: string, to: string, limit: number): Promise<readonly OpenInteraction[]>;
}

/** Discord accepts answers for this long, https://discord.com/developers/docs/interactions/receiving-and-responding. */
const answerableMs = 15 * 60_000;
/** A claim is repeated only this soon after it was begun, because Discord waits no longer than 3 s. */
const repeatWithinMs = 1_000;
const maxTries = 3;

interface InteractionsDeps {
  readonly database: Database;
  readonly keyring: Keyring;
}

interface InteractionRow {
  readonly id: string;
  readonly request: string | null;
  readonly once_key: string | null;
  readonly takeovers: number;
  readonly expires_at: number;
}

interface ClaimRow {
  readonly id: string;
  readonly guild: string | null;
  readonly process: string;
  readonly request: string;
}

/** Which interactions this bot has received, and what is asked in those that are not answered yet. */
export function createInteractions({ database, keyring }: InteractionsDeps): Interactions {
  const { db } = database;
  const addClaim = createBatches((claims: readonly ClaimRow[]) =>
    repeatSoon(() => insertClaims(database, claims)),
  );
  const addEnd = createBatches((ids: readonly string[]) =>
    repeatSoon(() => closeInteractions(database, ids)),
  );
  const openRow = (row: InteractionRow) => openInteraction(keyring, row);
  return {
    claim: ({ id, guildId = null, processId, request }) =>
      writeStore(() => {
        const sealed = seal(keyring, interactionContext(id), request);
        return addClaim({ id, guild: guildId, process: processId, request: sealed });
      }, "unknown"),
    close: (id) => writeStore(() => addEnd(id), "unknown"),
    holdOnce: (id, name) => writeStore(() => holdOnce(database, id, name)),
    read: (id) =>
      writeStore(async () => {
        const { rows } = await sql<InteractionRow>`
          select id, request, once_key, takeovers, expires_at from interactions
          where id = ${id} and is_open = 1`.execute(db);
        return rows[0] && openRow(rows[0]);
      }),
    cancel: (id) =>
      writeStore(async () => {
        const { numAffectedRows = 0n } = await sql`
          update interactions set is_cancelled = 1 where id = ${id} and is_open = 1`.execute(db);
        return numAffectedRows > 0n;
      }),
    cancelled: (processId) =>
      writeStore(async () => {
        const { rows } = await sql<{ id: string }>`
          select id from interactions
          where claimed_by = ${processId} and is_cancelled = 1 and is_open = 1`.execute(db);
        return rows.map(({ id }) => id);
      }),
    takeOver: (from, to, limit) =>
      writeStore(async () => {
        const skipLocked = database.dialect === "postgres" ? sql`for update skip locked` : sql``;
        const { rows } = await sql<InteractionRow>`
          update interactions set claimed_by = ${to}, takeovers = takeovers + 1
          where is_open = 1 and id in (
            select id from interactions
            where claimed_by = ${from} and is_open = 1 and expires_at > ${database.now()}
            order by expires_at limit ${limit} ${skipLocked})
          returning id, request, once_key, takeovers, expires_at`.execute(db);
        return rows.toSorted((a, b) => a.expires_at - b.expires_at).map(openRow);
      }),
  };
}

export function interactionContext(id: string): SealContext {
  return { purpose: "interaction", guildId: "", kind: "request", field: id };
}

function openInteraction(
  keyring: Keyring,
  { id, request: sealed, once_key, takeovers }: InteractionRow,
): OpenInteraction {
  const open = { id, onceKey: once_key ?? undefined, takeovers };
  try {
    return { ...open, request: openSealed(keyring, interactionContext(id), sealed ?? "") };
  } catch {
    return { ...open, request: undefined };
  }
}

/**
 * Adds rows in one statement; for each, whether it is the first with its id. Two texts that are sealed are never equal, so
 * a row with the very same text is this one, added by a try whose answer was lost.
 */
async function insertClaims(
  { db, dialect, now, urgently }: Database,
  claims: readonly ClaimRow[],
): Promise<readonly boolean[]> {
  // Within a statement each id comes once; sorted, so that processes that add the same ids never wait for each other.
  const first = new Map<string, ClaimRow>();
  for (const claim of claims) if (!first.has(claim.id)) first.set(claim.id, claim);
  const rows = [...first.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const expiresAt = now() + answerableMs;
  const from =
    dialect === "postgres"
      ? sql`json_to_recordset(${JSON.stringify(rows)}::json)
          as n (id text, guild text, process text, request text)`
      : sql`(select value ->> 'id' as id, value ->> 'guild' as guild,
          value ->> 'process' as process, value ->> 'request' as request
          from json_each(${JSON.stringify(rows)})) as n`;
  const insert = sql<{ id: string }>`
    insert into interactions (id, server_id, claimed_by, is_open, request, expires_at)
    select n.id, (select servers.id from servers where guild_id = n.guild), n.process, 1, n.request,
      cast(${expiresAt} as bigint) from ${from} where true
    on conflict (id) do update set request = excluded.request
      where interactions.request = excluded.request
    returning id`;
  const added = await urgently(() => insert.execute(db));
  const ids = new Set(added.rows.map(({ id }) => id));
  return claims.map((claim) => first.get(claim.id) === claim && ids.has(claim.id));
}

async function closeInteractions(
  { db, dialect, withoutDiskWait }: Database,
  ids: readonly string[],
): Promise<readonly undefined[]> {
  const these =
    dialect === "postgres"
      ? sql`id = any(${ids})`
      : sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
  const close = sql`
    update interactions set is_open = 0, request = null, once_key = null
    where ${these} and is_open = 1`;
  await withoutDiskWait(() => close.execute(db));
  return ids.map(() => undefined);
}

/** In one statement, and not in a transaction, which would be tried again when somebody else is first. */
async function holdOnce({ db }: Database, id: string, name: string): Promise<boolean> {
  const hold = sql`
    update interactions set once_key = ${name} where id = ${id} and is_open = 1
      and not exists (select 1 from interactions where once_key = ${name} and id <> ${id})`;
  try {
    const { numAffectedRows = 0n } = await hold.execute(db);
    return numAffectedRows > 0n;
  } catch (error) {
    if (isUniqueConflict(error)) return false;
    throw error;
  }
}

/**
 * Runs a write that may be repeated, again if the connection broke under it, or if a server that rows belong to was erased
 * at the same moment.
 */
async function repeatSoon<T>(write: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries >= maxTries) throw error;
      if (!isGuildErased(error) && performance.now() - begunAt > repeatWithinMs) throw error;
    }
  }
}
