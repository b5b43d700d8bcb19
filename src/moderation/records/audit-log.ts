import { type Database, sql } from "../../database/index.ts";
import type { WritingMethod } from "../../video/index.ts";
import type { Actor, DecisionOrigin, DecisionReason } from "./held-comment.ts";
import { findServerId, type Sql } from "./select-records.ts";

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
  | "handled"
  | "failed";

export type DecidedAct = Extract<DecisionAct, "approved" | "rejected" | "banned" | "held">;

/** Who decided or changed what, when, from where, and what YouTube answered. */
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
const maxHidden = 1_000;

/** All of it throws ServiceError `store_unavailable`. */
export function createAuditRecords(database: Database) {
  const { db, servers, dialect } = database;

  async function select(where: Sql): Promise<readonly AuditEntry[]> {
    const { rows } = await sql<{ data: string }>`
      select data from audit_log where ${where}`.execute(db);
    return rows.map(({ data }) => JSON.parse(data) as AuditEntry);
  }

  return {
    async read(guildId: string, id: string): Promise<AuditEntry | undefined> {
      const serverId = await findServerId(database, guildId);
      return (await select(sql`server_id = ${serverId} and id = ${id}`))[0];
    },
    /** Adding an entry again changes nothing; returns whether it is new. */
    async add(guildId: string, entry: AuditEntry): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto("audit_log")
        .values({ server_id: await servers.need(guildId), id: entry.id, ...columnsOf(entry) })
        .onConflict((conflict) => conflict.columns(["server_id", "id"]).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
    /** The entries about comments of one author. */
    async idsOfAuthor(guildId: string, authorId: string): Promise<readonly string[]> {
      const serverId = await findServerId(database, guildId);
      const { rows } = await sql<{ id: string }>`
        select id from audit_log where server_id = ${serverId} and author_id = ${authorId}`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Where else these authors were hidden: for each, the newest decision on another linked channel than this one. No decision
     * shows an author again.
     */
    async hiddenElsewhere(
      guildId: string,
      authorIds: readonly string[],
      source: string,
    ): Promise<ReadonlyMap<string, Pick<AuditEntry, "source" | "at">>> {
      const found = new Map<string, Pick<AuditEntry, "source" | "at">>();
      if (authorIds.length === 0) return found;
      const serverId = await findServerId(database, guildId);
      const entries = await select(sql`server_id = ${serverId} and act = 'banned'
        and author_id in (${sql.join(authorIds)}) order by id desc limit ${maxHidden}`);
      for (const entry of entries) {
        const { authorId = "", at, source: on } = entry;
        const isElsewhere = on !== source && isDecided(entry);
        if (isElsewhere && !found.has(authorId)) found.set(authorId, { source: on, at });
      }
      return found;
    },
    /** Changes an entry; nothing happens if it is not there. To be called in a transaction. */
    async change(guildId: string, id: string, make: (entry: AuditEntry) => AuditEntry) {
      const serverId = await findServerId(database, guildId);
      const lock = dialect === "postgres" ? sql`for update` : sql``;
      const [entry] = await select(sql`server_id = ${serverId} and id = ${id} ${lock}`);
      if (entry === undefined) return;
      await db
        .updateTable("audit_log")
        .set(columnsOf(make(entry)))
        .where("server_id", "=", serverId)
        .where("id", "=", id)
        .execute();
    },
    async page(
      guildId: string,
      filter: AuditFilter,
      { before, after, limit }: AuditPageOptions,
    ): Promise<AuditPage> {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return { entries: [], hasMore: false };
      const isUp = after !== undefined;
      const isSliced = dialect === "sqlite";
      const found: AuditEntry[] = [];
      const slices = readSlices(database, { serverId, filter, before, after, isSliced });
      for await (const { where } of slices) {
        const rest = sql`order by id ${direction(isUp)} limit ${limit + 1 - found.length}`;
        found.push(...(await select(sql`${where} ${rest}`)));
        if (found.length > limit) break;
      }
      const shown = found.slice(0, limit);
      return { entries: isUp ? shown.reverse() : shown, hasMore: found.length > limit };
    },
    /** Counts at most up to `atMost`, and stops early when that takes too long. */
    async count(guildId: string, filter: AuditFilter, atMost: number): Promise<AuditCount> {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return { count: 0, isMore: false };
      let [count, read] = [0, 0];
      const slices = readSlices(database, { serverId, filter, isSliced: true });
      for await (const { where, isLast } of slices) {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from (
            select 1 from audit_log where ${where} limit ${atMost + 1 - count}) as counted`.execute(
          db,
        );
        count += rows[0]?.count ?? 0;
        read += 1;
        if (count > atMost) return { count: atMost, isMore: true };
        if (read === countSlices && !isLast) return { count, isMore: true };
      }
      return { count, isMore: false };
    },
    /** What happened to one comment, newest first, at most 100. */
    async ofComment(guildId: string, commentId: string) {
      const serverId = await findServerId(database, guildId);
      const where = sql`server_id = ${serverId} and comment_id = ${commentId}`;
      return select(sql`${where} order by id desc limit ${maxOfComment}`);
    },
  };
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

interface Search extends Omit<AuditPageOptions, "limit"> {
  readonly serverId: number;
  readonly filter: AuditFilter;
  readonly isSliced: boolean;
}

/** The `where` conditions of one slice after the other, in the direction of reading. */
async function* readSlices(
  database: Database,
  { serverId, filter, before, after, isSliced }: Search,
) {
  const { indexed, others } = conditionsFor(database, filter);
  const { since, until } = filter;
  const of = [
    sql`server_id = ${serverId}`,
    ...indexed,
    // Ids begin with the time.
    ...(since === undefined ? [] : [sql`id >= ${toTimeKey(since)}`]),
    ...(until === undefined ? [] : [sql`id < ${toTimeKey(until + 1)}`]),
  ];
  const isUp = after !== undefined;
  for (let from = after ?? before; ; ) {
    const beside = from === undefined ? [] : [isUp ? sql`id > ${from}` : sql`id < ${from}`];
    const rest = [...of, ...beside];
    let end: string | undefined;
    if (isSliced && others.length > 0) {
      const { rows } = await sql<{ id: string }>`
        select id from audit_log where ${sql.join(rest, and)}
        order by id ${direction(isUp)} limit 1 offset ${sliceRows - 1}`.execute(database.db);
      end = rows[0]?.id;
    }
    const upToEnd = end === undefined ? [] : [isUp ? sql`id <= ${end}` : sql`id >= ${end}`];
    yield { where: sql.join([...rest, ...upToEnd, ...others], and), isLast: end === undefined };
    if (end === undefined) return;
    from = end;
  }
}

/** Conditions that one index can answer in order, and those that have to be checked row by row. */
function conditionsFor(database: Database, { actorId, acts, author }: AuditFilter) {
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

/** Whether it is a decision that YouTube took. */
export function isDecided(entry: AuditEntry): entry is AuditEntry & { readonly act: DecidedAct } {
  const isDecision = ["approved", "rejected", "banned", "held"].includes(entry.act);
  return isDecision && entry.answer === "done";
}

/** Thirteen digits, which sort as the times do. */
export function toTimeKey(at: number): string {
  return String(Math.max(0, Math.floor(at))).padStart(13, "0");
}
