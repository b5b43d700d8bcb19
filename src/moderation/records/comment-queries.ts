import { type Database, sql } from "../../database/index.ts";
import type { CommentStatus, DecisionKind, HeldComment } from "./held-comment.ts";
import { selectComments, serverIdOf } from "./select-records.ts";
import type { WatchedState } from "./watch.ts";

/** Where a page of comments goes on: the last one of the page before. */
export interface CommentsAfter {
  readonly publishedAt: number;
  readonly id: string;
}

interface CommentsPage {
  readonly watchId: string;
  readonly after?: CommentsAfter | undefined;
  readonly limit: number;
}

/** Decisions of a linked channel that wait to be sent, of one kind. */
export interface PendingDecisions {
  readonly kind: DecisionKind;
  /** When they are due, the first first; as many as were asked for. */
  readonly dueAt: readonly number[];
  /** When the last of all of them is due. */
  readonly lastDueAt: number;
}

const mostSaid = 1_000;

/** Questions about the comments in queues. */
export function createCommentQueries(database: Database) {
  return {
    ...createCardQueries(database),
    ...createDecisionQueries(database),
    ...createCommentCounts(database),
    /** Of a watch those that wait for people and were found in these lists, the oldest first. */
    waiting: (guildId: string, of: WaitingPage) => waiting(database, guildId, of),
  };
}

interface WaitingPage extends CommentsPage {
  readonly listedAs: readonly WatchedState[];
}

async function waiting(
  database: Database,
  guildId: string,
  of: WaitingPage,
): Promise<readonly CommentsAfter[]> {
  const { watchId, listedAs, after, limit } = of;
  const serverId = await serverIdOf(database, guildId);
  // Each state's own come out of the index in order.
  const pageOf = (status: CommentStatus) => sql`
    select id, published_at from (
      select id, published_at from held_comments
      where server_id = ${serverId} and watch_id = ${watchId} and status = ${status}
        and listed_as in (${sql.join(listedAs)}) ${isAfter(after)}
      order by published_at, id limit ${limit}) as ${sql.ref(status)}`;
  const { rows } = await sql<{ id: string; published_at: number }>`
    ${pageOf("open")} union all ${pageOf("later")}
    order by published_at, id limit ${limit}`.execute(database.db);
  return rows.map(({ id, published_at: publishedAt }) => ({ id, publishedAt }));
}

/** What has to be sent, drawn or brought back, for the messages of a watch. */
function createCardQueries(database: Database) {
  return {
    /** Whose own card has to be sent, or may have been, the oldest first. */
    async cardsDue(guildId: string, { watchId, after, limit }: CommentsPage) {
      const inState = (state: string) =>
        selectComments(
          database,
          guildId,
          sql`watch_id = ${watchId} and card_state = ${state} ${isAfter(after)}
            order by published_at, id limit ${limit}`,
        );
      // Each state's own page comes out of the index in order.
      const pages = await Promise.all([inState("due"), inState("sending")]);
      return pages.flat().sort(byAge).slice(0, limit);
    },
    /** Whose messages show an older revision. */
    needDrawing: (guildId: string, watchId: string, limit: number) =>
      selectComments(
        database,
        guildId,
        sql`watch_id = ${watchId} and needs_drawing = 1 order by published_at limit ${limit}`,
      ),
    /** Snoozed ones whose time has come by then, those first that waited longest. */
    snoozedUntil: (
      guildId: string,
      watchId: string,
      { at, limit }: { readonly at: number; readonly limit: number },
    ) =>
      selectComments(
        database,
        guildId,
        sql`watch_id = ${watchId} and status = 'later' and due_at <= ${at}
          order by due_at limit ${limit}`,
      ),
    /** When the first snoozed one of a watch comes back. */
    async nextSnoozedAt(guildId: string, watchId: string): Promise<number | undefined> {
      const { rows } = await sql<{ at: number | null }>`
        select min(due_at) as at from held_comments
        where server_id = ${await serverIdOf(database, guildId)} and watch_id = ${watchId}
          and status = 'later'`.execute(database.db);
      return rows[0]?.at ?? undefined;
    },
  };
}

/** What of a linked channel has been decided and is not over. */
function createDecisionQueries(database: Database) {
  return {
    /** Of a linked channel: those in that state, of one kind where it is given, the first due first. */
    decided: (
      guildId: string,
      of: {
        readonly source: string;
        readonly status: "pending" | "sending";
        readonly kind?: DecisionKind;
        readonly limit: number;
      },
    ) =>
      selectComments(
        database,
        guildId,
        sql`source = ${of.source} and status = ${of.status}
          ${of.kind === undefined ? sql`and decision is not null` : sql`and decision = ${of.kind}`}
          order by due_at limit ${of.limit}`,
      ),
    /** What of a linked channel waits to be sent, by kind, each with the first so many. */
    async pendingDecisions(
      guildId: string,
      source: string,
      limit: number,
    ): Promise<readonly PendingDecisions[]> {
      const serverId = await serverIdOf(database, guildId);
      const found = await Promise.all(
        kinds.map(async (kind) => {
          const of = sql`from held_comments where server_id = ${serverId} and source = ${source}
            and status = 'pending' and decision = ${kind}`;
          const { rows } = await sql<{ due_at: number; last: number }>`
            select due_at, (select max(due_at) ${of}) as last ${of}
            order by due_at limit ${limit}`.execute(database.db);
          return { kind, dueAt: rows.map((row) => row.due_at), lastDueAt: rows[0]?.last ?? 0 };
        }),
      );
      return found.filter(({ dueAt }) => dueAt.length > 0);
    },
  };
}

function createCommentCounts(database: Database) {
  const { db } = database;
  return {
    /** How many of a watch are in these states, and when the oldest was written. */
    async count(
      guildId: string,
      of: { readonly watchId: string; readonly statuses: readonly CommentStatus[] },
    ) {
      const { rows } = await sql<{ count: number; oldest: number | null }>`
        select count(*) as count, min(published_at) as oldest from held_comments
        where server_id = ${await serverIdOf(database, guildId)} and watch_id = ${of.watchId}
          and status in (${sql.join(of.statuses)})`.execute(db);
      const { count = 0, oldest = null } = rows[0] ?? {};
      return { count, oldestAt: oldest ?? undefined };
    },
    /** Of all servers: how many wait for people, and how many decisions are to be sent. */
    async load() {
      const { rows } = await sql<{ readonly waiting: number; readonly running: number }>`
        select count(*) filter (where status in ('open', 'later')) as waiting,
          count(*) filter (where status in ('pending', 'sending')) as running
        from held_comments
        where ended_at is null and status in ('open', 'later', 'pending', 'sending')`.execute(db);
      return rows[0] ?? { waiting: 0, running: 0 };
    },
    /** How many other comments of the server said the same within that time; 1,000 stand for more. */
    async timesSaid(
      guildId: string,
      said: {
        readonly likeness: string;
        readonly exceptId: string;
        readonly from: number;
        readonly to: number;
      },
    ): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (
          select distinct id from held_comments
          where server_id = ${await serverIdOf(database, guildId)} and likeness = ${said.likeness}
            and published_at between ${said.from} and ${said.to} and id <> ${said.exceptId}
          limit ${mostSaid}) as said`.execute(db);
      return rows[0]?.count ?? 0;
    },
  };
}

const kinds = ["approve", "reject", "ban", "hold"] as const satisfies readonly DecisionKind[];

function isAfter(after: CommentsAfter | undefined) {
  if (after === undefined) return sql``;
  return sql`and (published_at, id) > (${after.publishedAt}, ${after.id})`;
}

function byAge(one: HeldComment, other: HeldComment): number {
  const ms = one.comment.publishedAt - other.comment.publishedAt;
  return ms || (one.id < other.id ? -1 : 1);
}
