import { type Database, sql } from "../../database/index.ts";
import type { DecisionKind, HeldCommentStatus } from "./held-comment.ts";
import { countHeldComments, findServerId, type Sql, selectComments } from "./select-records.ts";
import type { WatchedState } from "./watch.ts";

/** The last comment of a page; the next page starts after it. */
export interface CommentCursor {
  readonly publishedAt: number;
  readonly id: string;
}

/** The next page starts after that id. */
export interface RecordsPage {
  readonly watchId: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

interface CommentsPage {
  readonly watchId: string;
  readonly after?: CommentCursor | undefined;
  readonly limit: number;
}

/** A linked channel's decisions of one kind that wait to be sent. */
export interface PendingDecisions {
  readonly kind: DecisionKind;
  /** When they are due, the earliest first; at most as many as were asked for. */
  readonly dueAt: readonly number[];
}

const maxCounted = 1_000;

interface StatusPage extends CommentsPage {
  readonly status: HeldCommentStatus;
}

interface WaitingPage extends CommentsPage {
  readonly listedAs: readonly WatchedState[];
}

interface NextOpen extends Omit<CommentsPage, "limit"> {
  /** Other watches of the same linked channel: what is snoozed there is left out, as is what was decided in any. */
  readonly others: readonly string[];
  /** Those of them whose open comments are left out too, because they are shown there. */
  readonly shown: readonly string[];
}

const kinds = ["approve", "reject", "ban", "hold"] as const satisfies readonly DecisionKind[];

export function createCommentQueries(database: Database) {
  return {
    ...createWatchQueries(database),
    ...createDecisionQueries(database),
    /** An author's comments, the newest first; one that several watches have once for each. */
    readOfAuthor: (guildId: string, authorId: string, limit: number) =>
      selectComments(
        database,
        guildId,
        sql`author_id = ${authorId} order by published_at desc limit ${limit}`,
      ),
    /** For all servers: how many comments wait for people, and how many decisions wait to be sent. */
    async load() {
      const { rows } = await sql<{ readonly waiting: number; readonly running: number }>`
        select count(*) filter (where status in ('open', 'later')) as waiting,
          count(*) filter (where status in ('pending', 'sending')) as running
        from held_comments
        where ended_at is null and status in ('open', 'later', 'pending', 'sending')`.execute(
        database.db,
      );
      return rows[0] ?? { waiting: 0, running: 0 };
    },
    /** How many other comments of the server said the same between two times, counted up to 1,000. */
    async countSameText(
      guildId: string,
      sameText: {
        readonly likeness: string;
        readonly exceptId: string;
        readonly from: number;
        readonly to: number;
      },
    ): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (
          select distinct id from held_comments
          where server_id = ${await findServerId(database, guildId)} and likeness = ${sameText.likeness}
            and published_at between ${sameText.from} and ${sameText.to} and id <> ${sameText.exceptId}
          limit ${maxCounted}) as said`.execute(database.db);
      return rows[0]?.count ?? 0;
    },
  };
}

/** The comments of one watch: what waits, and which messages have to be sent or redrawn. */
function createWatchQueries(database: Database) {
  const { db } = database;
  const select = (guildId: string, watchId: string, where: Sql) =>
    selectComments(database, guildId, sql`watch_id = ${watchId} and ${where}`);
  return {
    /** All of a watch, page by page, in the order of their ids. */
    readPage: (guildId: string, { watchId, after = "", limit }: RecordsPage) =>
      select(guildId, watchId, sql`id > ${after} order by id limit ${limit}`),
    /** Those of one status, the oldest first. */
    readInStatus: (guildId: string, { watchId, status, after, limit }: StatusPage) =>
      select(
        guildId,
        watchId,
        sql`status = ${status} ${afterCondition(after)} order by published_at, id limit ${limit}`,
      ),
    /** Comments that wait for people and came from these lists, the oldest first. */
    async readWaiting(guildId: string, { watchId, listedAs, after, limit }: WaitingPage) {
      const serverId = await findServerId(database, guildId);
      // For a single status the index returns them in order.
      const pages = ["open", "later"].map(
        (status) => sql`
          select id, published_at from (
            select id, published_at from held_comments
            where server_id = ${serverId} and watch_id = ${watchId} and status = ${status}
              and listed_as in (${sql.join(listedAs)}) ${afterCondition(after)}
            order by published_at, id limit ${limit}) as ${sql.ref(status)}`,
      );
      const { rows } = await sql<{ id: string; published_at: number }>`
        ${sql.join(pages, sql` union all `)}
        order by published_at, id limit ${limit}`.execute(db);
      return rows.map(({ id, published_at: publishedAt }): CommentCursor => ({ id, publishedAt }));
    },
    /** The oldest open comment after another one, and how many there are from there on, counted up to 1,000. */
    async readNextOpen(guildId: string, { watchId, after, others, shown }: NextOpen) {
      const orStatus = (status: HeldCommentStatus, watches: readonly string[]) =>
        watches.length === 0
          ? sql``
          : sql`or (other.status = ${status} and other.watch_id in (${sql.join(watches)}))`;
      const notShown = notElsewhere(sql`${orStatus("later", others)} ${orStatus("open", shown)}`);
      const open = sql`status = 'open' and ${notShown} ${afterCondition(after)}`;
      const [item] = await select(guildId, watchId, sql`${open} order by published_at, id limit 1`);
      if (item === undefined) return { item, left: 0 };
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (
          select id from held_comments
          where server_id = ${await findServerId(database, guildId)} and watch_id = ${watchId}
            and ${open} limit ${maxCounted}) as counted`.execute(db);
      return { item, left: rows[0]?.count ?? 0 };
    },
    /** Comments whose own card has to be sent, or may have been sent, the oldest first. */
    async readCardsDue(guildId: string, { watchId, after, limit }: CommentsPage) {
      const rest = sql`${afterCondition(after)} order by published_at, id limit ${limit}`;
      // For a single state the index returns them in order.
      const pages = await Promise.all([
        select(guildId, watchId, sql`card_state = 'due' ${rest}`),
        select(guildId, watchId, sql`card_state = 'sending' ${rest}`),
      ]);
      return pages
        .flat()
        .sort((a, b) => a.comment.publishedAt - b.comment.publishedAt || (a.id < b.id ? -1 : 1))
        .slice(0, limit);
    },
    /** Comments whose messages show an older revision. */
    readStale: (guildId: string, watchId: string, limit: number) =>
      select(guildId, watchId, sql`needs_drawing = 1 order by published_at limit ${limit}`),
    /** Snoozed comments that are due by `at`, the longest overdue first. */
    readSnoozed: (
      guildId: string,
      watchId: string,
      { at, limit }: { readonly at: number; readonly limit: number },
    ) =>
      select(
        guildId,
        watchId,
        sql`status = 'later' and due_at <= ${at} order by due_at limit ${limit}`,
      ),
    /** When the next snoozed comment of a watch comes back. */
    async nextSnoozedAt(guildId: string, watchId: string): Promise<number | undefined> {
      const { rows } = await sql<{ at: number | null }>`
        select min(due_at) as at from held_comments
        where server_id = ${await findServerId(database, guildId)} and watch_id = ${watchId}
          and status = 'later'`.execute(db);
      return rows[0]?.at ?? undefined;
    },
    /** How many decisions of a watch have no outcome yet. */
    countUnsettled: (guildId: string, watchId: string) =>
      countHeldComments(
        database,
        guildId,
        sql`watch_id = ${watchId} and status in ('pending', 'sending')`,
      ),
    /** How many comments of a watch wait for people, and when the oldest was written. */
    async countWaiting(guildId: string, watchId: string) {
      const { rows } = await sql<{ count: number; oldest: number | null }>`
        select count(*) as count, min(published_at) as oldest from held_comments
        where server_id = ${await findServerId(database, guildId)} and watch_id = ${watchId}
          and status in ('open', 'later') and ${notElsewhere()}`.execute(db);
      const { count = 0, oldest = null } = rows[0] ?? {};
      return { count, oldestAt: oldest ?? undefined };
    },
  };
}

/** That no other watch of the linked channel, ended ones included, has the comment decided without an outcome yet. */
function notElsewhere(orIs = sql``) {
  return sql`not exists (select 1 from held_comments as other
    where other.server_id = held_comments.server_id and other.id = held_comments.id
      and other.watch_id <> held_comments.watch_id and other.source = held_comments.source
      and (other.status in ('pending', 'sending') ${orIs}))`;
}

interface DecisionPage {
  /** The linked channel. */
  readonly source: string;
  readonly limit: number;
}

/** A linked channel's decisions that are not settled yet. */
function createDecisionQueries(database: Database) {
  const select = (guildId: string, source: string, where: Sql) =>
    selectComments(database, guildId, sql`source = ${source} and ${where}`);
  return {
    /** Comments with that status, of one kind of decision if given, the earliest due first. */
    readDecided(
      guildId: string,
      of: DecisionPage & { readonly status: "pending" | "sending"; readonly kind?: DecisionKind },
    ) {
      const isOfKind = of.kind === undefined ? sql`is not null` : sql`= ${of.kind}`;
      const where = sql`status = ${of.status} and decision ${isOfKind}`;
      return select(guildId, of.source, sql`${where} order by due_at limit ${of.limit}`);
    },
    /** Decisions that are due, the latest first; `before` the last one of a page. */
    readDue(
      guildId: string,
      of: DecisionPage & {
        readonly at: number;
        readonly before: { readonly dueAt: number; readonly id: string } | undefined;
      },
    ) {
      const { before } = of;
      const rest = before ? sql`and (due_at, id) < (${before.dueAt}, ${before.id})` : sql``;
      return select(
        guildId,
        of.source,
        sql`status = 'pending' and decision is not null and due_at <= ${of.at} ${rest}
          order by due_at desc, id desc limit ${of.limit}`,
      );
    },
    /** Decisions that wait to be sent at exactly that time. */
    readDueAt: (guildId: string, of: DecisionPage & { readonly dueAt: number }) =>
      select(
        guildId,
        of.source,
        sql`status = 'pending' and decision in (${sql.join(kinds)})
          and due_at = ${of.dueAt} order by id limit ${of.limit}`,
      ),
    /** How many decisions that were due at exactly that time have no outcome yet. */
    countUnsent: (guildId: string, source: string, dueAt: number) =>
      countHeldComments(
        database,
        guildId,
        sql`source = ${source} and status in ('pending', 'sending')
          and decision in (${sql.join(kinds)}) and due_at = ${dueAt}`,
      ),
    /** Decisions that wait to be sent, by kind; at most `limit` due times for each kind. */
    async readPendingDecisions(guildId: string, { source, limit }: DecisionPage) {
      const serverId = await findServerId(database, guildId);
      const found = await Promise.all(
        kinds.map(async (kind): Promise<PendingDecisions> => {
          const { rows } = await sql<{ due_at: number }>`
            select due_at from held_comments where server_id = ${serverId} and source = ${source}
              and status = 'pending' and decision = ${kind}
            order by due_at limit ${limit}`.execute(database.db);
          return { kind, dueAt: rows.map((row) => row.due_at) };
        }),
      );
      return found.filter(({ dueAt }) => dueAt.length > 0);
    },
  };
}

function afterCondition(after: CommentCursor | undefined) {
  if (after === undefined) return sql``;
  return sql`and (published_at, id) > (${after.publishedAt}, ${after.id})`;
}
