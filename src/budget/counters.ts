import { type Database, sql } from "../database/index.ts";
import type { Usage } from "./measure.ts";
import type { Spendable } from "./types.ts";

/** Whose usage is read: of a project's day, and of what limits one spender where something does. */
export interface UsageOf {
  readonly project: string;
  readonly day: string;
  /** The guild's row of a project that several share. */
  readonly part: string | undefined;
  /** Where a budget of the person's counts; all projects are summed up. */
  readonly person: { readonly serverId: number; readonly userId: string } | undefined;
}

/** One row of `spending`. */
export interface SpendingKey {
  readonly serverId: number;
  readonly day: string;
  readonly bucket: Spendable;
  readonly userId: string;
  readonly project: string;
  readonly command: string;
  readonly method: string;
  readonly purpose: string;
}

/** What is added to the counters. */
export interface SpendingChange {
  readonly amount: number;
  readonly count: number;
  readonly isEmpty?: true;
}

/** The statements of this room. All of them belong to the transaction that is under way. */
export interface Counters {
  /** Until the transaction is over nobody else counts what this one reads. */
  lock(bucket: Spendable, of: UsageOf): Promise<void>;
  read(buckets: readonly Spendable[], of: UsageOf): Promise<(bucket: Spendable) => Usage>;
  /** Makes the row of who spent it. @throws ServiceError `guild_erased`. */
  addSpending(key: SpendingKey, change: SpendingChange): Promise<void>;
  /** Changes the row, where it is still there; what is given back as a whole leaves none. */
  correctSpending(key: SpendingKey, change: SpendingChange): Promise<void>;
  addQuota(
    at: Pick<UsageOf, "project" | "day"> & { readonly bucket: Spendable },
    change: SpendingChange & { readonly lent: number },
  ): Promise<void>;
  addPart(
    at: { readonly part: string; readonly day: string; readonly bucket: Spendable },
    change: { readonly used: number; readonly moderated: number },
  ): Promise<void>;
  /** Removes some of the parts' rows from before that day; answers whether there may be more. */
  removeParts(before: string): Promise<boolean>;
}

const nothingUsed: Usage = {
  ...{ used: 0, lent: 0, isEmpty: false, person: 0 },
  guild: { used: 0, moderated: 0 },
};

/** A statement that removes more would hold up the process. */
const mostRemoved = 500;

export function createCounters({ db, dialect }: Pick<Database, "db" | "dialect">): Counters {
  async function readQuota(buckets: readonly Spendable[], { project, day }: UsageOf) {
    const { rows } = await sql<{ bucket: Spendable; used: number; lent: number; is_empty: number }>`
      select bucket, used, lent, is_empty from quota
      where project = ${project} and day = ${day} and bucket in (${sql.join(buckets)})`.execute(db);
    return rows;
  }

  async function readPart(buckets: readonly Spendable[], { part, day }: UsageOf) {
    if (part === undefined) return [];
    const { rows } = await sql<{ bucket: Spendable; used: number; moderated: number }>`
      select bucket, used, moderated from quota_parts
      where day = ${day} and part = ${part} and bucket in (${sql.join(buckets)})`.execute(db);
    return rows;
  }

  async function readPerson(buckets: readonly Spendable[], { person, day }: UsageOf) {
    if (person === undefined) return [];
    const { rows } = await sql<{ bucket: Spendable; amount: number }>`
      select bucket, cast(sum(amount) as bigint) as amount from spending
      where server_id = ${person.serverId} and day = ${day} and bucket in (${sql.join(buckets)})
        and user_id = ${person.userId} group by bucket`.execute(db);
    return rows;
  }

  const isAt = (key: SpendingKey) => sql`
    server_id = ${key.serverId} and day = ${key.day} and bucket = ${key.bucket}
    and user_id = ${key.userId} and project = ${key.project} and command = ${key.command}
    and method = ${key.method} and purpose = ${key.purpose}`;

  return {
    // SQLite has one writer at a time anyway. A row of the day's that is not there yet can't be locked, a name can.
    lock: async (bucket, { project, day, person }) => {
      if (dialect === "sqlite") return;
      const names = [`${project} ${day} ${bucket}`];
      // All take the person's first, so that no two wait for each other.
      if (person !== undefined) names.unshift(`${person.serverId} ${person.userId} ${bucket}`);
      const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${name}, 17))`);
      await sql`select ${sql.join(locks)}`.execute(db);
    },
    read: async (buckets, of) => {
      // One after the other: the queries of a transaction share a connection.
      const quota = await readQuota(buckets, of);
      const parts = await readPart(buckets, of);
      const people = await readPerson(buckets, of);
      return (bucket) => {
        const row = quota.find((one) => one.bucket === bucket);
        const part = parts.find((one) => one.bucket === bucket);
        const person = people.find((one) => one.bucket === bucket);
        return {
          used: Math.max(0, row?.used ?? 0),
          lent: Math.max(0, row?.lent ?? 0),
          isEmpty: row?.is_empty === 1,
          guild: part ?? nothingUsed.guild,
          person: person?.amount ?? 0,
        };
      };
    },
    addSpending: async (key, { amount, count }) => {
      await sql`
        insert into spending (server_id, day, bucket, user_id, project, command, method, purpose, amount, count)
        values (${key.serverId}, ${key.day}, ${key.bucket}, ${key.userId}, ${key.project},
          ${key.command}, ${key.method}, ${key.purpose}, ${amount}, ${count})
        on conflict (server_id, day, bucket, user_id, project, command, method, purpose) do update
        set amount = spending.amount + excluded.amount, count = spending.count + excluded.count`.execute(
        db,
      );
    },
    correctSpending: async (key, { amount, count }) => {
      await sql`
        update spending set amount = amount + ${amount}, count = count + ${count}
        where ${isAt(key)}`.execute(db);
      if (count >= 0) return;
      await sql`delete from spending where ${isAt(key)} and count <= 0 and amount <= 0`.execute(db);
    },
    addQuota: async ({ project, day, bucket }, { amount, lent, isEmpty }) => {
      await sql`
        insert into quota (project, day, bucket, used, lent, is_empty)
        values (${project}, ${day}, ${bucket}, ${amount}, ${lent}, ${isEmpty ? 1 : 0})
        on conflict (project, day, bucket) do update
        set used = quota.used + excluded.used, lent = quota.lent + excluded.lent,
          is_empty = case when excluded.is_empty = 1 then 1 else quota.is_empty end`.execute(db);
    },
    addPart: async ({ part, day, bucket }, { used, moderated }) => {
      await sql`
        insert into quota_parts (part, day, bucket, used, moderated)
        values (${part}, ${day}, ${bucket}, ${used}, ${moderated})
        on conflict (day, part, bucket) do update
        set used = quota_parts.used + excluded.used,
          moderated = quota_parts.moderated + excluded.moderated`.execute(db);
    },
    removeParts: async (before) => {
      const { numAffectedRows = 0n } = await sql`
        delete from quota_parts where (day, part, bucket) in (
          select day, part, bucket from quota_parts where day < ${before} limit ${mostRemoved})`.execute(
        db,
      );
      return numAffectedRows >= BigInt(mostRemoved);
    },
  };
}
