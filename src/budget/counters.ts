import { CompiledQuery, createServerErasedError, type Database, sql } from "../database/index.ts";
import type { SpendingChange, SpendingKey } from "./spending-entry.ts";
import type { DecisionUnits, SpendingKind } from "./types.ts";

/** What is counted together: a project's bucket on one day. */
export type CountersKey = Pick<SpendingKey, "project" | "day" | "bucket">;

/** Whose usage is read: the project's on one day, and that of these parts and people. */
export interface UsageQuery {
  readonly project: string;
  readonly day: string;
  readonly buckets: readonly SpendingKind[];
  readonly parts: readonly string[];
  /** All projects are summed up. */
  readonly people: readonly CountedPerson[];
}

export interface CountedPerson {
  readonly serverId: number;
  readonly userId: string;
}

export interface CounterRow {
  readonly used: number;
  /** Of the project what is lent, of a part what was spent for moderation. */
  readonly extra: number;
  readonly isEmpty: number;
  /** On PostgreSQL it differs after each write of the row. */
  readonly version: string;
}

/** By bucket and name: see `usageName`. */
export type CounterRows = ReadonlyMap<string, CounterRow>;

/** The project's own row has the name "". */
export function usageName(bucket: SpendingKind, of: string | CountedPerson = ""): string {
  return `${bucket} ${typeof of === "string" ? of : `${of.serverId} ${of.userId}`}`;
}

/* The SQL statements of the budget. */

type Counters = Pick<Database, "db" | "dialect">;

export async function readUsage(
  { db, dialect }: Counters,
  { project, day, buckets, parts, people }: UsageQuery,
): Promise<CounterRows> {
  const isWanted = sql`day = ${day} and bucket in (${sql.join(buckets)})`;
  const version = dialect === "sqlite" ? sql`''` : sql`cast(xmin as text)`;
  const selects = [
    sql`select bucket, '' as name, used, lent as extra, is_empty as "isEmpty", ${version} as version
      from quota where project = ${project} and ${isWanted}`,
  ];
  if (parts.length > 0) {
    selects.push(sql`select bucket, part, used, moderated, 0, ${version} from quota_parts
      where part in (${sql.join(parts)}) and ${isWanted}`);
  }
  if (people.length > 0) {
    const [serverIds, userIds] = [
      people.map(({ serverId }) => serverId),
      people.map(({ userId }) => userId),
    ];
    selects.push(sql`select bucket, cast(server_id as text) || ' ' || user_id,
        cast(sum(amount) as bigint), 0, 0, '' from spending
      where server_id in (${sql.join(serverIds)}) and user_id in (${sql.join(userIds)}) and ${isWanted}
      group by server_id, bucket, user_id`);
  }
  const { rows } = await sql<CounterRow & { bucket: SpendingKind; name: string }>`
    ${sql.join(selects, sql` union all `)}`.execute(db);
  return new Map(rows.map((row) => [usageName(row.bucket, row.name), row]));
}

export interface CountersChange {
  /** Of credits too, although remove.bg alone limits those: whoever counts locks this row first. */
  readonly quota: { readonly used: number; readonly lent: number; readonly isEmpty: number };
  readonly parts: readonly {
    readonly part: string;
    readonly used: number;
    readonly moderated: number;
  }[];
  /** Each row once. */
  readonly spending: readonly SpendingRowChange[];
}

export type SpendingRowChange = SpendingKey &
  Pick<SpendingChange, "amount" | "count"> & {
    /** The row is only changed if it still exists. */
    readonly isCorrection: boolean;
  };

/** Rows that must be as they were read, if there are any. */
export interface UsageGuards {
  readonly quota: readonly string[];
  readonly parts: readonly { readonly part: string; readonly version: string }[];
}

/** In the order of the fields of `SpendingKey`. */
const spendingColumns = [
  ...["server_id", "day", "bucket", "user_id"],
  ...["project", "command", "method", "purpose"],
];
const spendingKey = spendingColumns.join(", ");
const addToSpending = `
  on conflict (${spendingKey}) do update
  set amount = spending.amount + excluded.amount, count = spending.count + excluded.count`;
const addToQuota = `
  on conflict (project, day, bucket) do update
  set used = quota.used + excluded.used, lent = quota.lent + excluded.lent,
    is_empty = case when excluded.is_empty = 1 then 1 else quota.is_empty end`;
const addToPart = `
  on conflict (day, part, bucket) do update
  set used = quota_parts.used + excluded.used, moderated = quota_parts.moderated + excluded.moderated`;
const isSpendingRow = `(${spendingKey}) = (?, ?, ?, ?, ?, ?, ?, ?)`;
const texts = {
  spend: `insert into spending (${spendingKey}, amount, count)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${addToSpending}`,
  correct: `update spending set amount = amount + ?, count = count + ? where ${isSpendingRow}`,
  remove: `delete from spending where ${isSpendingRow} and count <= 0 and amount <= 0`,
  quota: `insert into quota (project, day, bucket, used, lent, is_empty)
    values (?, ?, ?, ?, ?, ?) ${addToQuota}`,
  part: `insert into quota_parts (part, day, bucket, used, moderated)
    values (?, ?, ?, ?, ?) ${addToPart}`,
};

/**
 * Writes everything in one statement, unless a guarded row has changed; returns whether it did. PostgreSQL's snapshot is older
 * than the wait for a row, but a row that is locked is read again, so whoever changed a guarded row is noticed. All lock the
 * project first, also where its row is new, and then parts in order, so that no two wait for each other.
 * None waits for a server that is being erased, which may take minutes: it counts as gone.
 * @throws ServiceError `guild_erased`.
 */
export async function writeGuarded(
  { db }: Counters,
  { project, day, bucket }: CountersKey,
  { quota, parts, spending }: CountersChange,
  guards: UsageGuards = { quota: [], parts: [] },
): Promise<boolean> {
  const at = { project, day, bucket };
  const guarded = guards.parts.map(({ part, version }) => `${part} ${version}`);
  const ofProject = [{ ...at, used: quota.used, lent: quota.lent, is_empty: quota.isEmpty }];
  const ofParts = parts.map((part) => ({ ...at, ...part }));
  const rows = (table: string, list: readonly object[], once = sql`of_project`) =>
    sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(list)}::jsonb) r, ${once}`;
  const spent = spending.map(({ serverId, userId, ...row }) => ({
    ...row,
    server_id: serverId,
    user_id: userId,
  }));
  const [corrected, added] = [
    spent.filter((row) => row.isCorrection),
    spent.filter((row) => !row.isCorrection),
  ];
  const columns = (table: string) =>
    sql.raw(spendingColumns.map((name) => `${table}.${name}`).join(", "));
  const isSameRow = sql`(${columns("s")}) = (${columns("r")})`;
  const servers = [...new Set(added.map((row) => row.server_id))];
  const result = await sql<{ done: number; living: number }>`
    with living as materialized (
      select 1 from servers where id = any(${servers}) for key share skip locked),
    held as materialized (
      select 1 from quota where project = ${project} and day = ${day} and bucket = ${bucket}
        and (${guards.quota.length === 0} or cast(xmin as text) = any(${guards.quota})) for update),
    kept as materialized (
      select 1 from quota_parts where (select count(*) from held) >= ${guards.quota.length}
        and day = ${day} and bucket = ${bucket} and part = any(${guards.parts.map(({ part }) => part)})
        and part || ' ' || cast(xmin as text) = any(${guarded}) order by part for update),
    free as materialized (
      select 1 where (select count(*) from living) = ${servers.length}
        and (select count(*) from held) >= ${guards.quota.length}
        and (select count(*) from kept) >= ${guarded.length}),
    of_project as (
      insert into quota select r.* from ${rows("quota", ofProject, sql`free`)} ${sql.raw(addToQuota)}
      returning 1),
    of_parts as (
      insert into quota_parts select r.* from ${rows("quota_parts", ofParts)} ${sql.raw(addToPart)}),
    of_people as (insert into spending select r.* from ${rows("spending", added)} ${sql.raw(addToSpending)}),
    corrected as materialized (
      select r.*,
        r.count < 0 and s.count + r.count <= 0 and s.amount + r.amount <= 0 as is_gone
      from ${rows("spending", corrected)}, spending s where ${isSameRow}
      for update of s skip locked),
    removed as (delete from spending s using corrected r where ${isSameRow} and is_gone),
    changed as (
      update spending s set amount = s.amount + r.amount, count = s.count + r.count
      from corrected r where ${isSameRow} and not is_gone)
    select cast((select count(*) from free) as integer) as done,
      cast((select count(*) from living) as integer) as living`.execute(db);
  const [row] = result.rows;
  if (row !== undefined && row.living < servers.length) throw createServerErasedError();
  return row?.done === 1;
}

/** The same on SQLite, which has one writer at a time: part of the transaction in which the usage was read. */
export async function writeAlone(
  { db }: Counters,
  { project, day, bucket }: CountersKey,
  { quota, parts, spending }: CountersChange,
): Promise<void> {
  const run = (text: string, ...values: readonly unknown[]) =>
    db.executeQuery(CompiledQuery.raw(text, [...values]));
  for (const { isCorrection, amount, count, ...key } of spending) {
    const values = Object.values(key);
    if (isCorrection) {
      await run(texts.correct, amount, count, ...values);
      // A row whose calls were all given back is deleted.
      if (count < 0) await run(texts.remove, ...values);
    } else {
      await run(texts.spend, ...values, amount, count);
    }
  }
  await run(texts.quota, project, day, bucket, quota.used, quota.lent, quota.isEmpty);
  for (const { part, used, moderated } of parts) {
    await run(texts.part, part, day, bucket, used, moderated);
  }
}

/** Adds to what a channel took for decisions, in one statement, unless that would exceed the limit; returns whether it did. */
export async function takeForDecisions(
  { db }: Pick<Database, "db">,
  { day, part }: { readonly day: string; readonly part: string },
  { cost, limit }: DecisionUnits,
): Promise<boolean> {
  if (cost > limit) return false;
  const { numAffectedRows = 0n } = await sql`
    insert into quota_parts (part, day, bucket, used, moderated)
    values (${part}, ${day}, 'decisions', ${cost}, ${cost})
    ${sql.raw(addToPart)}
    where quota_parts.used + excluded.used <= ${limit}`.execute(db);
  return numAffectedRows > 0n;
}

/** A statement that removes more would hold up the process. */
const maxRemoved = 500;

/** Removes some of the parts' rows of earlier days that nobody is changing; returns whether there may be more. */
export async function removeParts(
  { db, skipLocked }: Pick<Database, "db" | "skipLocked">,
  before: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from quota_parts where (day, part, bucket) in (
      select day, part, bucket from quota_parts where day < ${before}
      limit ${maxRemoved} ${skipLocked})`.execute(db);
  return numAffectedRows >= BigInt(maxRemoved);
}
