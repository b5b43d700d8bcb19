import { type Database, sql } from "../../database/index.ts";
import type { WritingMethod } from "../../video/index.ts";
import type { Actor, DecisionOrigin, DecisionReason } from "./held-comment.ts";
import { findServerId } from "./select-records.ts";

/** What was changed at YouTube, as the method that changed it. Decisions about comments and replies have acts of their own. */
export type ChangeAct = Exclude<WritingMethod, "comments.insert" | "comments.setModerationStatus">;

/** What happened to a comment, or at YouTube. */
export type AuditAct = DecisionAct | ChangeAct;

/** What happened to a comment. */
type DecisionAct =
  | "approved"
  | "rejected"
  | "banned"
  | "held"
  | "replied"
  | "undone"
  | "later"
  | "failed";

/** Who decided or changed what, when, from where, and what the service answered. */
export interface AuditEntry {
  /** Sorts by time: thirteen digits of milliseconds, `-`, 8 hex digits. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: Actor;
  readonly act: AuditAct;
  readonly from: DecisionOrigin;
  /** `done`, or the code of the error. */
  readonly answer: string;
  /** When a decision that was kept for a while was sent, or given up. */
  readonly settledAt?: number | undefined;
  /** The linked channel. */
  readonly source: string;
  /** Empty for a change that is not about a comment, and once the comment's author was erased. */
  readonly commentId: string;
  readonly videoId?: string | undefined;
  /** What a change was about, where that is not the linked channel or a video. */
  readonly playlistId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly authorId?: string | undefined;
  /** Name and text are deleted after a while; the ids stay. A change's text is the title of what it is about. */
  readonly authorName?: string | undefined;
  readonly text?: string | undefined;
  /** Why it was rejected. */
  readonly reason?: DecisionReason | undefined;
  /** The beginning of a reply; deleted with the text. */
  readonly reply?: string | undefined;
  /** When the comment came into the queue; absent for what was decided elsewhere. */
  readonly seenAt?: number | undefined;
}

/** Which entries; all given conditions must hold. */
export interface AuditFilter {
  /** A person's id, or a rule's. */
  readonly actorId?: string | undefined;
  readonly acts?: readonly AuditAct[] | undefined;
  /** Part of the author's name or id. */
  readonly author?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** `before` an entry's id for older ones, `after` it for newer ones; the newest page when both are absent. */
export interface AuditPageOptions {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether there are more entries in the direction of reading. */
  readonly hasMore: boolean;
}

export interface AuditCount {
  readonly count: number;
  /** Counting stopped early: there are more. */
  readonly isMore: boolean;
}

/** Rows that one statement scans without an index. A SQLite statement blocks the process, so it must end within milliseconds. */
const sliceRows = 8_000;
const countSlices = 4;
const maxOfComment = 100;

type Sql = ReturnType<typeof sql>;

/** All of it throws ServiceError `store_unavailable`. */
export function createAuditRecords(database: Database) {
  return {
    async read(guildId: string, id: string): Promise<AuditEntry | undefined> {
      const serverId = await findServerId(database, guildId);
      return (await selectEntries(database, sql`server_id = ${serverId} and id = ${id}`))[0];
    },
    /** Adding an entry again changes nothing; returns whether it is new. */
    add: (guildId: string, entry: AuditEntry) => addEntry(database, guildId, entry),
    /** The entries about comments of one author. */
    async idsOfAuthor(guildId: string, authorId: string): Promise<readonly string[]> {
      const serverId = await findServerId(database, guildId);
      const { rows } = await sql<{ id: string }>`
        select id from audit_log where server_id = ${serverId} and author_id = ${authorId}`.execute(
        database.db,
      );
      return rows.map(({ id }) => id);
    },
    /** Changes an entry; nothing happens if it is not there. To be called in a transaction. */
    change: (guildId: string, id: string, make: (entry: AuditEntry) => AuditEntry) =>
      changeEntry(database, guildId, { id, make }),
    page: (guildId: string, filter: AuditFilter, options: AuditPageOptions) =>
      readPage(database, guildId, { filter, ...options }),
    /** Counts at most up to `atMost`, and stops early when that takes too long. */
    count: (guildId: string, filter: AuditFilter, atMost: number) =>
      countEntries(database, guildId, { filter, atMost }),
    /** What happened to one comment, newest first, at most 100. */
    async ofComment(guildId: string, commentId: string) {
      const serverId = await findServerId(database, guildId);
      return selectEntries(
        database,
        sql`server_id = ${serverId} and comment_id = ${commentId}
          order by id desc limit ${maxOfComment}`,
      );
    },
  };
}

async function selectEntries({ db }: Database, where: Sql): Promise<readonly AuditEntry[]> {
  const { rows } = await sql<{ data: string }>`
    select data from audit_log where ${where}`.execute(db);
  return rows.map(({ data }) => JSON.parse(data) as AuditEntry);
}

async function addEntry(
  { db, servers }: Database,
  guildId: string,
  entry: AuditEntry,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("audit_log")
    .values({ server_id: await servers.need(guildId), id: entry.id, ...columnsOf(entry) })
    .onConflict((conflict) => conflict.columns(["server_id", "id"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

async function changeEntry(
  database: Database,
  guildId: string,
  { id, make }: { readonly id: string; readonly make: (entry: AuditEntry) => AuditEntry },
): Promise<void> {
  const { db, dialect } = database;
  const serverId = await findServerId(database, guildId);
  const lock = dialect === "postgres" ? sql`for update` : sql``;
  const where = sql`server_id = ${serverId} and id = ${id} ${lock}`;
  const [entry] = await selectEntries(database, where);
  if (entry === undefined) return;
  await db
    .updateTable("audit_log")
    .set(columnsOf(make(entry)))
    .where("server_id", "=", serverId)
    .where("id", "=", id)
    .execute();
}

function columnsOf(entry: AuditEntry) {
  const { at, act, by, commentId, authorId, authorName, text } = entry;
  return {
    at,
    act,
    comment_id: commentId,
    actor_id: "userId" in by ? by.userId : by.ruleId,
    author_id: authorId ?? null,
    author_name: authorName?.toLowerCase() ?? null,
    has_text: text === undefined && authorName === undefined ? 0 : 1,
    data: JSON.stringify(entry),
  };
}

async function readPage(
  database: Database,
  guildId: string,
  { filter, before, after, limit }: AuditPageOptions & { readonly filter: AuditFilter },
): Promise<AuditPage> {
  const serverId = await database.servers.find(guildId);
  if (serverId === undefined) return { entries: [], hasMore: false };
  const isUp = after !== undefined;
  const isSliced = database.dialect === "sqlite";
  const found: AuditEntry[] = [];
  const slices = slicesOf(database, { serverId, filter, before, after, isSliced });
  for await (const { where } of slices) {
    const rest = sql`order by id ${direction(isUp)} limit ${limit + 1 - found.length}`;
    found.push(...(await selectEntries(database, sql`${where} ${rest}`)));
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  return { entries: isUp ? shown.reverse() : shown, hasMore: found.length > limit };
}

async function countEntries(
  database: Database,
  guildId: string,
  { filter, atMost }: { readonly filter: AuditFilter; readonly atMost: number },
): Promise<AuditCount> {
  const serverId = await database.servers.find(guildId);
  if (serverId === undefined) return { count: 0, isMore: false };
  let [count, slices] = [0, 0];
  for await (const { where, isLast } of slicesOf(database, { serverId, filter, isSliced: true })) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select 1 from audit_log where ${where} limit ${atMost + 1 - count}) as counted`.execute(
      database.db,
    );
    count += rows[0]?.count ?? 0;
    slices += 1;
    if (count > atMost) return { count: atMost, isMore: true };
    if (slices === countSlices && !isLast) return { count, isMore: true };
  }
  return { count, isMore: false };
}

interface Search extends Omit<AuditPageOptions, "limit"> {
  readonly serverId: number;
  readonly filter: AuditFilter;
  readonly isSliced: boolean;
}

/** The `where` conditions of one slice after the other, in the direction of reading. */
async function* slicesOf(
  database: Database,
  { serverId, filter, before, after, isSliced }: Search,
) {
  const { indexed, others } = conditionsOf(database, filter);
  const of = [sql`server_id = ${serverId}`, ...indexed, ...timeBoundsOf(filter)];
  const isUp = after !== undefined;
  for (let from = after ?? before; ; ) {
    const beside = from === undefined ? [] : [isUp ? sql`id > ${from}` : sql`id < ${from}`];
    const rest = [...of, ...beside];
    const end =
      isSliced && others.length > 0 ? await endOf(database, sql.join(rest, and), isUp) : undefined;
    const until = end === undefined ? [] : [isUp ? sql`id <= ${end}` : sql`id >= ${end}`];
    yield { where: sql.join([...rest, ...until, ...others], and), isLast: end === undefined };
    if (end === undefined) return;
    from = end;
  }
}

async function endOf({ db }: Database, where: Sql, isUp: boolean): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log where ${where}
    order by id ${direction(isUp)} limit 1 offset ${sliceRows - 1}`.execute(db);
  return rows[0]?.id;
}

/** Conditions that one index can answer in order, and those that have to be checked row by row. */
function conditionsOf(database: Database, { actorId, acts, author }: AuditFilter) {
  const isId = author !== undefined && /^UC[\w-]{22}$/u.test(author);
  const [act, ...moreActs] = acts ?? [];
  const indexed = [
    ...(isId ? [sql`author_id = ${author}`] : []),
    ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
    ...(act === undefined || moreActs.length > 0 ? [] : [sql`act = ${act}`]),
  ];
  const others = [
    ...indexed.splice(1),
    ...(acts !== undefined && moreActs.length > 0 ? [sql`act in (${sql.join(acts)})`] : []),
    ...(author === undefined || isId ? [] : [byAuthor(database, author.toLowerCase())]),
  ];
  return { indexed, others };
}

function byAuthor({ dialect }: Database, wanted: string): Sql {
  const holds = dialect === "postgres" ? sql.raw("strpos") : sql.raw("instr");
  const named = sql`${holds}(author_name, ${wanted}) > 0`;
  const isPartOfId = /^[\w-]+$/u.test(wanted);
  return isPartOfId ? sql`(${named} or ${holds}(lower(author_id), ${wanted}) > 0)` : named;
}

const and = sql` and `;

function direction(isUp: boolean): Sql {
  return isUp ? sql`asc` : sql`desc`;
}

/** Ids begin with the time. */
function timeBoundsOf({ since, until }: AuditFilter): readonly Sql[] {
  return [
    ...(since === undefined ? [] : [sql`id >= ${toTimeKey(since)}`]),
    ...(until === undefined ? [] : [sql`id < ${toTimeKey(until + 1)}`]),
  ];
}

/** Thirteen digits, which sort as the times do. */
export function toTimeKey(at: number): string {
  return String(Math.max(0, Math.floor(at))).padStart(13, "0");
}
