import {
  createBatches,
  type Database,
  isUniqueConflict,
  sql,
  toDatabaseError,
} from "../database/index.ts";
import { isServerErased } from "../errors.ts";
import { writeStore } from "./failure.ts";
import { type Keyring, openSealed, seal, sealContextFor } from "./seal.ts";

export interface InteractionClaim {
  /** Discord's own id. */
  readonly id: string;
  readonly guildId: string | undefined;
  readonly processId: string;
  /** JSON; it is sealed. */
  readonly request: string;
}

/** An interaction, and the process that claimed it or took it over. */
export type InteractionOwner = Pick<InteractionClaim, "id" | "processId">;

/** An interaction whose answer is not there yet. */
export interface OpenInteraction {
  readonly id: string;
  /** JSON, of the answer once that is on record; undefined if no key of this process opens it. */
  readonly request: string | undefined;
  /** How often another process went on with it, because the one before had ended. */
  readonly takeovers: number;
}

export type Interactions = ReturnType<typeof createInteractions>;

/** Discord accepts answers for this long, https://discord.com/developers/docs/interactions/receiving-and-responding. */
const answerableMs = 15 * 60_000;
/** Answers have files, so a statement with many of them would take long. */
const maxAnswers = 20;
/** How long a process that has just started or got a new id may take until it holds its job. */
const leftMs = 20_000;
/** A claim is repeated only this soon after it was begun, because Discord waits no longer than 3 s. */
const repeatWithinMs = 1_000;
const maxTries = 3;

interface InteractionRow {
  readonly id: string;
  readonly request: string | null;
  readonly takeovers: number;
  readonly expires_at: number;
}

type InteractionAnswer = InteractionOwner & Pick<InteractionClaim, "request">;

const columns = sql`id, request, takeovers, expires_at`;

/**
 * Which interactions this bot has received, and what is asked in those that are not answered yet. All throw ServiceError
 * `store_unavailable`. A process that stood still may have been taken for dead: what it changes of an interaction that another
 * process has by now has no effect.
 */
export function createInteractions(database: Database, keyring: Keyring) {
  const { db, urgently } = database;
  /** People wait for these, so they go before all other work, many in one statement. */
  const together = <T, R>(
    run: (database: Database, items: readonly T[]) => Promise<readonly R[]>,
    maxItems?: number,
  ) => createBatches((items: readonly T[]) => repeatSoon(database, run, items), maxItems);
  const addClaim = together(insertClaims);
  const addAnswer = together(recordAnswers, maxAnswers);
  const addEnd = together(closeInteractions);
  const sealFor = (id: string, request: string) =>
    seal(keyring, sealContextFor("interaction", id), request);
  /** The process that has it; "" once it is closed, undefined if its row is gone. */
  const readOwner = async (id: string): Promise<string | undefined> => {
    const read = sql<{ owner: string }>`
      select case when is_open = 1 then claimed_by else '' end as owner
      from interactions where id = ${id}`;
    const { rows } = await urgently(() => read.execute(db));
    return rows[0]?.owner;
  };
  const readIds = (where: ReturnType<typeof sql>) =>
    writeStore(async () => {
      const { rows } = await sql<{ id: string }>`
        select distinct ${where}`.execute(db);
      return rows.map(({ id }) => id);
    });
  const open = ({ id, request: sealed, takeovers }: InteractionRow): OpenInteraction => {
    try {
      const request = openSealed(keyring, sealContextFor("interaction", id), sealed ?? "");
      return { id, takeovers, request };
    } catch {
      return { id, takeovers, request: undefined };
    }
  };
  const readWhere = (is: ReturnType<typeof sql>) =>
    writeStore(async () => {
      const { rows } = await sql<InteractionRow>`
        select ${columns} from interactions where ${is}`.execute(db);
      return rows[0] && open(rows[0]);
    });
  return {
    /** True for the one process that may go on. Called again after a failure, it may refuse what it had already claimed. */
    claim: async (claim: InteractionClaim): Promise<boolean> =>
      addClaim({ ...claim, request: sealFor(claim.id, claim.request) }),
    /**
     * Puts the answer on record in place of the request, once; true if it may be sent. The same text again is true again. Where
     * the row was erased with its server, nobody else can have it.
     */
    answer: (owner: InteractionOwner, request: string): Promise<boolean> =>
      writeStore(async () => {
        const { id } = owner;
        if (await addAnswer({ ...owner, request: sealFor(id, request) })) return true;
        // An earlier try, whose result was lost, may have put the same text on record; sealed again it is another.
        const isOwn = sql`${isOwnedSql(owner)} and is_answered = 1`;
        const recorded = await urgently(() => readWhere(isOwn));
        return recorded?.request === request || (await readOwner(id)) === undefined;
      }, "unknown"),
    /** Puts the request back in place of an answer that was not sent. */
    retract: (owner: InteractionOwner, request: string): Promise<void> =>
      writeStore(async () => {
        const sealed = sealFor(owner.id, request);
        const retract = sql`
          update interactions set request = ${sealed}, is_answered = 0 where ${isOwnedSql(owner)}`;
        await urgently(() => retract.execute(db));
      }),
    /** Whether that process may go on with it; true also where the row was erased with its server. */
    isOwned: ({ id, processId }: InteractionOwner): Promise<boolean> =>
      writeStore(async () => [undefined, processId].includes(await readOwner(id))),
    /**
     * The answer is there, or nobody waits any more: what was asked is forgotten, and a `once` name is free again. An answer
     * that another process had to give stays on record for `readAnswer`.
     */
    close: (owner: InteractionOwner): Promise<void> => addEnd(owner),
    /** Takes a name that only one open interaction may hold, until it is closed; false if another one holds it. */
    holdOnce: (owner: InteractionOwner, name: string): Promise<boolean> =>
      writeStore(async () => {
        // One statement and no transaction, which would be tried again when somebody else is first.
        const hold = sql`
          update interactions set once_key = ${name} where ${isOwnedSql(owner)} and not exists (
            select 1 from interactions where once_key = ${name} and id <> ${owner.id})`;
        try {
          const { numAffectedRows = 0n } = await urgently(() => hold.execute(db));
          return numAffectedRows > 0n;
        } catch (error) {
          if (isUniqueConflict(error)) return false;
          throw error;
        }
      }),
    /** Undefined if it is not open. */
    read: (id: string): Promise<OpenInteraction | undefined> =>
      readWhere(sql`id = ${id} and is_open = 1`),
    /** What is on record as its answer, also after it was closed. */
    readAnswer: (id: string): Promise<OpenInteraction | undefined> =>
      readWhere(sql`id = ${id} and is_answered = 1 and request is not null`),
    /** Whether interactions of that process are open. */
    hasOpen: (processId: string): Promise<boolean> =>
      writeStore(async () => {
        const look = sql`
          select 1 from interactions
          where claimed_by = ${processId} and is_open = 1 and expires_at > ${database.now()}
          limit 1`;
        const { rows } = await urgently(() => look.execute(db));
        return rows.length > 0;
      }),
    /** Ids of processes that have left interactions open, and no job in `queue` by which another one would notice. */
    leftBy: (queue: string): Promise<readonly string[]> => {
      const now = database.now();
      return readIds(sql`claimed_by as id from interactions
        where is_open = 1 and expires_at > ${now} and expires_at < ${now + answerableMs - leftMs}
          and not exists (select 1 from jobs where queue = ${queue} and key = claimed_by)`);
    },
    /** Asks the process that answers it to stop; whether it is still open. */
    cancel: (id: string): Promise<boolean> =>
      writeStore(async () => {
        const { numAffectedRows = 0n } = await sql`
          update interactions set is_cancelled = 1 where id = ${id} and is_open = 1`.execute(db);
        return numAffectedRows > 0n;
      }),
    /** Ids of this process's open interactions that people want stopped. */
    cancelled: (processId: string): Promise<readonly string[]> =>
      readIds(sql`id from interactions
        where claimed_by = ${processId} and is_cancelled = 1 and is_open = 1`),
    /** Gives open interactions of a dead process to another: at most `limit`, those that expire first come first. */
    takeOver: (from: string, to: string, limit: number): Promise<readonly OpenInteraction[]> =>
      writeStore(async () => {
        const take = sql<InteractionRow>`
          update interactions set claimed_by = ${to}, takeovers = takeovers + 1
          where is_open = 1 and id in (
            select id from interactions
            where claimed_by = ${from} and is_open = 1 and expires_at > ${database.now()}
            order by expires_at limit ${limit} ${database.skipLocked})
          returning ${columns}`;
        const { rows } = await urgently(() => take.execute(db));
        return rows.toSorted((a, b) => a.expires_at - b.expires_at).map(open);
      }),
  };
}

/**
 * Adds rows in one statement; for each, whether it is the first with its id. Two texts that are sealed are never equal, so
 * a row with the very same text is this one, added by a try whose answer was lost.
 */
async function insertClaims(
  { db, dialect, now }: Database,
  claims: readonly InteractionClaim[],
): Promise<readonly boolean[]> {
  // Within a statement each id comes once; sorted, so that processes that add the same ids never wait for each other.
  const first = new Map<string, InteractionClaim>();
  for (const claim of claims) if (!first.has(claim.id)) first.set(claim.id, claim);
  const rows = [...first.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const expiresAt = now() + answerableMs;
  // The row of a server that is being erased is locked for as long as that takes, and the others must not wait for it.
  const skipLocked = dialect === "postgres" ? sql`for key share skip locked` : sql``;
  const insert = sql<{ id: string }>`
    insert into interactions (id, server_id, claimed_by, is_open, request, expires_at)
    select n.id, (select servers.id from servers where guild_id = n."guildId" ${skipLocked}),
      n."processId", 1, n.request, cast(${expiresAt} as bigint) from ${rowsSql(dialect, rows)} where true
    on conflict (id) do update set request = excluded.request
      where interactions.request = excluded.request
    returning id`;
  const added = await insert.execute(db);
  const ids = new Set(added.rows.map(({ id }) => id));
  return claims.map((claim) => first.get(claim.id) === claim && ids.has(claim.id));
}

function rowsSql(
  dialect: Database["dialect"],
  rows: readonly (InteractionOwner & Partial<InteractionClaim>)[],
) {
  const json = JSON.stringify(rows);
  return dialect === "postgres"
    ? sql`json_to_recordset(${json}::json)
        as n (id text, "guildId" text, "processId" text, request text)`
    : sql`(select value ->> 'id' as id, value ->> 'guildId' as "guildId",
        value ->> 'processId' as "processId", value ->> 'request' as request
        from json_each(${json})) as n`;
}

function isOwnedSql({ id, processId }: InteractionOwner) {
  return sql`id = ${id} and claimed_by = ${processId} and is_open = 1`;
}

async function recordAnswers(
  { db, dialect }: Database,
  answers: readonly InteractionAnswer[],
): Promise<readonly boolean[]> {
  const record = sql<{ id: string; request: string }>`
    update interactions set request = n.request, is_answered = 1
    from ${rowsSql(dialect, answers)}
    where interactions.id = n.id and claimed_by = n."processId" and is_open = 1 and is_answered = 0
    returning interactions.id, interactions.request`;
  const { rows } = await record.execute(db);
  const recorded = new Map(rows.map(({ id, request }) => [id, request]));
  return answers.map(({ id, request }) => recorded.get(id) === request);
}

async function closeInteractions(
  { db, dialect }: Database,
  owned: readonly InteractionOwner[],
): Promise<readonly undefined[]> {
  await sql`
    update interactions set is_open = 0, once_key = null,
      request = case when takeovers > 0 and is_answered = 1 then interactions.request end
    from ${rowsSql(dialect, owned)}
    where interactions.id = n.id and claimed_by = n."processId" and is_open = 1`.execute(db);
  // Nobody needs a result.
  return [];
}

/**
 * Runs a write that may be repeated, again if the connection broke under it, or if a server that rows belong to was erased
 * at the same moment.
 */
async function repeatSoon<T, R>(
  database: Database,
  write: (database: Database, items: readonly T[]) => Promise<readonly R[]>,
  items: readonly T[],
): Promise<readonly R[]> {
  const begunAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.urgently(() => write(database, items));
    } catch (error) {
      const isLate = !isServerErased(error) && performance.now() - begunAt > repeatWithinMs;
      if (tries >= maxTries || isLate) throw toDatabaseError(error, "unknown");
    }
  }
}
