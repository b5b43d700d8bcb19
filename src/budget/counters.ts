import { type Database, sql } from "../database/index.ts";
import type { QuotaUsage } from "./measure.ts";
import type { PartUsage } from "./quota-parts.ts";
import type { PartNames, SpendingChange, SpendingKey } from "./spending-entry.ts";
import type { DecisionUnits, SpendingKind } from "./types.ts";

/** Whose usage is read: the project's on one day, and that of its parts and of the person where they are limited. */
export interface UsageQuery {
  readonly project: string;
  readonly day: string;
  readonly names: PartNames;
  /** Set where the person has a budget; all projects are summed up. */
  readonly person: { readonly serverId: number; readonly userId: string } | undefined;
}

/* The SQL statements of the budget. All of them belong to the transaction that is under way. */

type Counters = Pick<Database, "db">;

/** Locks what this transaction reads: until it is over nobody else counts there. */
export async function lockUsage(
  { db, dialect }: Pick<Database, "db" | "dialect">,
  bucket: SpendingKind,
  { project, day, person }: UsageQuery,
): Promise<void> {
  // SQLite has one writer at a time anyway. A row that does not exist yet can't be locked, so a name is locked instead.
  if (dialect === "sqlite") return;
  const names = [`${project} ${day} ${bucket}`];
  // Everybody locks the person first, so that no two transactions wait for each other.
  if (person !== undefined) names.unshift(`${person.serverId} ${person.userId} ${bucket}`);
  const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${name}, 17))`);
  await sql`select ${sql.join(locks)}`.execute(db);
}

export async function readUsage(
  { db }: Counters,
  buckets: readonly SpendingKind[],
  { project, day, names, person }: UsageQuery,
): Promise<(bucket: SpendingKind) => QuotaUsage> {
  const isWanted = sql`day = ${day} and bucket in (${sql.join(buckets)})`;
  // One after the other: the queries of a transaction share a connection.
  const quota = await sql<{ bucket: string; used: number; lent: number; is_empty: number }>`
    select bucket, used, lent, is_empty from quota
    where project = ${project} and ${isWanted}`.execute(db);
  const wanted = Object.values(names);
  const ofParts = sql<{ part: string; bucket: string } & PartUsage>`
    select part, bucket, used, moderated from quota_parts
    where part in (${sql.join(wanted)}) and ${isWanted}`;
  const parts = wanted.length === 0 ? undefined : await ofParts.execute(db);
  const ofPerson = sql<{ bucket: string; amount: number }>`
    select bucket, cast(sum(amount) as bigint) as amount from spending
    where server_id = ${person?.serverId} and user_id = ${person?.userId} and ${isWanted}
    group by bucket`;
  const people = person && (await ofPerson.execute(db));
  return (bucket) => {
    const isOf = (row: { readonly bucket: string }) => row.bucket === bucket;
    const row = quota.rows.find(isOf);
    const partOf = (name: string | undefined) =>
      parts?.rows.find((one) => one.part === name && isOf(one)) ?? { used: 0, moderated: 0 };
    return {
      used: Math.max(0, row?.used ?? 0),
      lent: Math.max(0, row?.lent ?? 0),
      isEmpty: row?.is_empty === 1,
      linker: partOf(names.linker),
      channel: partOf(names.channel).used,
      guild: partOf(names.guild).used,
      person: people?.rows.find(isOf)?.amount ?? 0,
    };
  };
}

/** Adds to the row of who spent it, or creates it. @throws ServiceError `guild_erased`. */
export async function addSpending(
  { db }: Counters,
  key: SpendingKey,
  { amount, count }: SpendingChange,
): Promise<void> {
  await sql`
    insert into spending (server_id, day, bucket, user_id, project, command, method, purpose, amount, count)
    values (${key.serverId}, ${key.day}, ${key.bucket}, ${key.userId}, ${key.project},
      ${key.command}, ${key.method}, ${key.purpose}, ${amount}, ${count})
    on conflict (server_id, day, bucket, user_id, project, command, method, purpose) do update
    set amount = spending.amount + excluded.amount, count = spending.count + excluded.count`.execute(
    db,
  );
}

/** Changes the row if it still exists. A row whose calls were all given back is deleted. */
export async function correctSpending(
  { db }: Counters,
  key: SpendingKey,
  { amount, count }: SpendingChange,
): Promise<void> {
  const isRow = sql`
    server_id = ${key.serverId} and day = ${key.day} and bucket = ${key.bucket}
    and user_id = ${key.userId} and project = ${key.project} and command = ${key.command}
    and method = ${key.method} and purpose = ${key.purpose}`;
  await sql`
    update spending set amount = amount + ${amount}, count = count + ${count}
    where ${isRow}`.execute(db);
  if (count >= 0) return;
  await sql`delete from spending where ${isRow} and count <= 0 and amount <= 0`.execute(db);
}

export async function addQuota(
  { db }: Counters,
  { project, day, bucket }: Pick<SpendingKey, "project" | "day" | "bucket">,
  { amount, lent, isEmpty }: SpendingChange & { readonly lent: number },
): Promise<void> {
  await sql`
    insert into quota (project, day, bucket, used, lent, is_empty)
    values (${project}, ${day}, ${bucket}, ${amount}, ${lent}, ${isEmpty ? 1 : 0})
    on conflict (project, day, bucket) do update
    set used = quota.used + excluded.used, lent = quota.lent + excluded.lent,
      is_empty = case when excluded.is_empty = 1 then 1 else quota.is_empty end`.execute(db);
}

export async function addPart(
  { db }: Counters,
  { part, day, bucket }: Pick<SpendingKey, "day" | "bucket"> & { readonly part: string },
  { used, moderated }: PartUsage,
): Promise<void> {
  await sql`
    insert into quota_parts (part, day, bucket, used, moderated)
    values (${part}, ${day}, ${bucket}, ${used}, ${moderated})
    on conflict (day, part, bucket) do update
    set used = quota_parts.used + excluded.used,
      moderated = quota_parts.moderated + excluded.moderated`.execute(db);
}

/** Adds to what a channel took for decisions, in one statement, unless that would exceed the limit; returns whether it did. */
export async function takeForDecisions(
  { db }: Counters,
  { day, part }: { readonly day: string; readonly part: string },
  { cost, limit }: DecisionUnits,
): Promise<boolean> {
  if (cost > limit) return false;
  const { numAffectedRows = 0n } = await sql`
    insert into quota_parts (part, day, bucket, used, moderated)
    values (${part}, ${day}, 'decisions', ${cost}, ${cost})
    on conflict (day, part, bucket) do update
    set used = quota_parts.used + excluded.used,
      moderated = quota_parts.moderated + excluded.moderated
    where quota_parts.used + excluded.used <= ${limit}`.execute(db);
  return numAffectedRows > 0n;
}

/** A statement that removes more would hold up the process. */
const maxRemoved = 500;

/** Removes some of the parts' rows of earlier days; returns whether there may be more. */
export async function removeParts({ db }: Counters, before: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from quota_parts where (day, part, bucket) in (
      select day, part, bucket from quota_parts where day < ${before} limit ${maxRemoved})`.execute(
    db,
  );
  return numAffectedRows >= BigInt(maxRemoved);
}
