import { createRecordTable, type Database, sql } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import type { CommentStatus, DecisionKind, HeldComment, ItemRef } from "./held-comment.ts";
import type { WatchedState } from "./watch.ts";

/** Where a page of comments goes on: the last one of the page before. */
export interface CommentsAfter {
  readonly publishedAt: number;
  readonly id: string;
}

export interface CommentsPage {
  readonly watchId: string;
  readonly statuses: readonly CommentStatus[];
  readonly after?: CommentsAfter | undefined;
  readonly limit: number;
}

export interface CommentChange {
  readonly ref: ItemRef;
  readonly make: (comment: HeldComment) => HeldComment;
}

/** Decisions of a linked channel that wait to be sent, of one kind. */
export interface PendingDecisions {
  readonly kind: DecisionKind;
  /** When they are due, the first first; as many as were asked for. */
  readonly dueAt: readonly number[];
  /** When the last of all of them is due. */
  readonly lastDueAt: number;
}

/** Comments that are held in the queues of watches. All of it throws ServiceError `store_unavailable`. */
export interface HeldCommentRecords {
  read(guildId: string, ref: ItemRef): Promise<HeldComment | undefined>;
  /** In the order of the ids, without those that are unknown. */
  readAll(
    guildId: string,
    watchId: string,
    ids: readonly string[],
  ): Promise<readonly HeldComment[]>;
  /** The same comments in every watch of the server that holds them; at most a call's or a digest's. */
  everywhere(guildId: string, ...ids: readonly string[]): Promise<readonly HeldComment[]>;
  /** Writes those of a watch that are not known yet; answers their ids. */
  addAll(guildId: string, comments: readonly HeldComment[]): Promise<ReadonlySet<string>>;
  /** Writes a comment unless it is known; answers what is there then. */
  add(
    guildId: string,
    comment: HeldComment,
  ): Promise<{ readonly comment: HeldComment; readonly isNew: boolean }>;
  /**
   * Changes what people see of a comment: counts a revision, and has its messages drawn soon. Answers what is there then;
   * nobody comes between, and `make` may be called several times.
   */
  change(
    guildId: string,
    ref: ItemRef,
    make: (comment: HeldComment) => HeldComment,
  ): Promise<{ readonly comment: HeldComment; readonly isChanged: boolean } | undefined>;
  /** The same for several, in their order, each by what its `make` says. Those that are unknown, or stay as they are, are left out. */
  changeAll(guildId: string, changes: readonly CommentChange[]): Promise<readonly HeldComment[]>;
  /** The same for what no message shows. */
  note(
    guildId: string,
    ref: ItemRef,
    make: (comment: HeldComment) => HeldComment,
  ): Promise<HeldComment | undefined>;
  remove(guildId: string, ref: ItemRef): Promise<boolean>;
  /** Those of a watch in these states, the oldest first. */
  page(guildId: string, page: CommentsPage): Promise<readonly HeldComment[]>;
  /** How many of a watch, or of all watches of the server, are in these states, and when the oldest was written. */
  count(
    guildId: string,
    of: { readonly watchId?: string | undefined; readonly statuses: readonly CommentStatus[] },
  ): Promise<{ readonly count: number; readonly oldestAt?: number }>;
  /** Of a watch those that wait for people and were found in these lists, the oldest first. */
  waiting(
    guildId: string,
    of: Omit<CommentsPage, "statuses"> & { readonly listedAs: readonly WatchedState[] },
  ): Promise<readonly CommentsAfter[]>;
  /** Whose own card has to be sent, or may have been, the oldest first. */
  cardsDue(guildId: string, page: Omit<CommentsPage, "statuses">): Promise<readonly HeldComment[]>;
  /** Whose messages show an older revision. */
  needDrawing(guildId: string, watchId: string, limit: number): Promise<readonly HeldComment[]>;
  /** Snoozed ones whose time has come by then, those first that waited longest. */
  snoozedUntil(
    guildId: string,
    watchId: string,
    by: { readonly at: number; readonly limit: number },
  ): Promise<readonly HeldComment[]>;
  /** When the first snoozed one of a watch comes back. */
  nextSnoozedAt(guildId: string, watchId: string): Promise<number | undefined>;
  /** Of a linked channel: those in that state, of one kind where it is given, the first due first. */
  decided(
    guildId: string,
    of: {
      readonly source: string;
      readonly status: "pending" | "sending";
      readonly kind?: DecisionKind;
      readonly limit: number;
    },
  ): Promise<readonly HeldComment[]>;
  /** What of a linked channel waits to be sent, by kind, each with the first so many. */
  pendingDecisions(
    guildId: string,
    source: string,
    limit: number,
  ): Promise<readonly PendingDecisions[]>;
  /** Of all servers: how many wait for people, and how many decisions are to be sent. */
  load(): Promise<{ readonly waiting: number; readonly running: number }>;
  /** How many other comments of the server said the same within that time; 1,000 stand for more. */
  timesSaid(
    guildId: string,
    said: {
      readonly likeness: string;
      readonly exceptId: string;
      readonly from: number;
      readonly to: number;
    },
  ): Promise<number>;
}

/** Several changes of one message become one drawing. */
const gatherMs = 300;
/** SQLite takes some thousand values a statement, and no caller has more than a digest's or a call's. */
const idsOfStatement = 500;
const mostSaid = 1_000;

export function createHeldComments(
  database: Database,
  jobs: Pick<Jobs, "put">,
): HeldCommentRecords {
  const { db, servers, transaction, now } = database;
  const table = createRecordTable<"held_comments", HeldComment>(database, {
    table: "held_comments",
    key: ["watch_id", "id"],
    columnsOf,
  });

  /** Nothing where nothing is stored about the server. */
  async function select(
    guildId: string,
    where: (serverId: number) => ReturnType<typeof sql>,
  ): Promise<readonly HeldComment[]> {
    const serverId = await servers.find(guildId);
    if (serverId === undefined) return [];
    const { rows } = await sql<{ data: string }>`
      select data from held_comments where server_id = ${serverId} and ${where(serverId)}`.execute(
      db,
    );
    return rows.map(({ data }) => JSON.parse(data) as HeldComment);
  }

  async function changeStored(guildId: string, { ref, make }: CommentChange, isShown: boolean) {
    let before: HeldComment | undefined;
    const comment = await table.change(guildId, [ref.watchId, ref.itemId], (stored) => {
      before = stored;
      if (stored === undefined) return undefined;
      const made = make(stored);
      if (made === stored || !isShown) return made;
      return { ...made, revision: stored.revision + 1, needsDrawing: true as const };
    });
    return comment && { comment, isChanged: comment !== before };
  }

  /** Each message that shows one of them is drawn soon. */
  function changeShown(guildId: string, changes: readonly CommentChange[]) {
    return transaction(async () => {
      const changed = [];
      for (const one of changes) changed.push(await changeStored(guildId, one, true));
      const watches = changed.flatMap((one) => (one?.isChanged ? [one.comment.watchId] : []));
      for (const watchId of new Set(watches)) await announceSoon(guildId, watchId);
      return changed;
    });
  }

  function announceSoon(guildId: string, watchId: string): Promise<void> {
    const key = `${guildId}:${watchId}`;
    return jobs.put({ queue: "moderation.announce", key, guildId, dueAt: now() + gatherMs });
  }

  return {
    read: (guildId, { watchId, itemId }) => table.read(guildId, watchId, itemId),
    async readAll(guildId, watchId, ids) {
      const read: HeldComment[] = [];
      for (let from = 0; from < ids.length; from += idsOfStatement) {
        const some = ids.slice(from, from + idsOfStatement);
        read.push(
          ...(await select(
            guildId,
            () => sql`watch_id = ${watchId} and id in (${sql.join(some)})`,
          )),
        );
      }
      const byId = new Map(read.map((comment) => [comment.id, comment]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    everywhere: async (guildId, ...ids) =>
      ids.length === 0 ? [] : select(guildId, () => sql`id in (${sql.join(ids)})`),
    async addAll(guildId, fresh) {
      if (fresh.length === 0) return new Set();
      const server_id = await servers.need(guildId);
      const rows = await db
        .insertInto("held_comments")
        .values(
          fresh.map((held) => {
            const { id, watchId: watch_id } = held;
            return { server_id, watch_id, id, ...columnsOf(held), data: JSON.stringify(held) };
          }),
        )
        .onConflict((conflict) => conflict.columns(["server_id", "watch_id", "id"]).doNothing())
        .returning("id")
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
    async add(guildId, fresh) {
      let isNew = false;
      const comment = await table.change(guildId, [fresh.watchId, fresh.id], (stored) => {
        isNew = stored === undefined;
        return stored ?? fresh;
      });
      return { comment, isNew };
    },
    change: async (guildId, ref, make) => (await changeShown(guildId, [{ ref, make }]))[0],
    changeAll: async (guildId, changes) => {
      const changed = await changeShown(guildId, changes);
      return changed.flatMap((one) => (one?.isChanged ? [one.comment] : []));
    },
    note: async (guildId, ref, make) =>
      (await changeStored(guildId, { ref, make }, false))?.comment,
    remove: (guildId, { watchId, itemId }) => table.remove(guildId, watchId, itemId),
    page: (guildId, { watchId, statuses, after, limit }) =>
      // Each state's own page comes out of the index in order; a few of them are put together here.
      mergedPages(
        statuses.map((status) =>
          select(
            guildId,
            () => sql`watch_id = ${watchId} and status = ${status}
              ${isAfter(after)}
              order by published_at, id limit ${limit}`,
          ),
        ),
        limit,
      ),
    async count(guildId, { watchId, statuses }) {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return { count: 0 };
      const inWatch = watchId === undefined ? sql`` : sql`and watch_id = ${watchId}`;
      const { rows } = await sql<{ count: number; oldest: number | null }>`
        select count(*) as count, min(published_at) as oldest from held_comments
        where server_id = ${serverId} ${inWatch} and status in (${sql.join(statuses)})`.execute(db);
      const { count = 0, oldest = null } = rows[0] ?? {};
      return { count, ...(oldest !== null && { oldestAt: oldest }) };
    },
    async waiting(guildId, { watchId, listedAs, after, limit }) {
      const serverId = await servers.find(guildId);
      const { rows } = await sql<{ id: string; published_at: number }>`
        select id, published_at from held_comments
        where server_id = ${serverId ?? 0} and watch_id = ${watchId} and status in ('open', 'later')
          and listed_as in (${sql.join(listedAs)}) ${isAfter(after)}
        order by published_at, id limit ${limit}`.execute(db);
      return rows.map(({ id, published_at: publishedAt }) => ({ id, publishedAt }));
    },
    cardsDue: async (guildId, { watchId, after, limit }) =>
      mergedPages(
        ["due", "sending"].map((state) =>
          select(
            guildId,
            () => sql`watch_id = ${watchId} and card_state = ${state} ${isAfter(after)}
              order by published_at, id limit ${limit}`,
          ),
        ),
        limit,
      ),
    needDrawing: (guildId, watchId, limit) =>
      select(
        guildId,
        () => sql`watch_id = ${watchId} and needs_drawing = 1 order by published_at limit ${limit}`,
      ),
    snoozedUntil: (guildId, watchId, { at, limit }) =>
      select(
        guildId,
        () => sql`watch_id = ${watchId} and status = 'later' and due_at <= ${at}
          order by due_at limit ${limit}`,
      ),
    async nextSnoozedAt(guildId, watchId) {
      const serverId = await servers.find(guildId);
      const { rows } = await sql<{ at: number | null }>`
        select min(due_at) as at from held_comments
        where server_id = ${serverId ?? 0} and watch_id = ${watchId} and status = 'later'`.execute(
        db,
      );
      return rows[0]?.at ?? undefined;
    },
    decided: (guildId, { source, status, kind, limit }) =>
      select(
        guildId,
        () => sql`source = ${source} and status = ${status}
          ${kind === undefined ? sql`and decision is not null` : sql`and decision = ${kind}`}
          order by due_at limit ${limit}`,
      ),
    async pendingDecisions(guildId, source, limit) {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return [];
      const found = await Promise.all(
        kinds.map(async (kind) => {
          const of = sql`server_id = ${serverId} and source = ${source}
            and status = 'pending' and decision = ${kind}`;
          const { rows } = await sql<{ due_at: number }>`
            select due_at from held_comments where ${of} order by due_at limit ${limit}`.execute(
            db,
          );
          const last = await sql<{ due_at: number }>`
            select max(due_at) as due_at from held_comments where ${of}`.execute(db);
          const dueAt = rows.map(({ due_at }) => due_at);
          return { kind, dueAt, lastDueAt: last.rows[0]?.due_at ?? 0 };
        }),
      );
      return found.filter(({ dueAt }) => dueAt.length > 0);
    },
    async load() {
      const { rows } = await sql<{ waiting: number; running: number }>`
        select count(*) filter (where status in ('open', 'later')) as waiting,
          count(*) filter (where status in ('pending', 'sending')) as running
        from held_comments
        where ended_at is null and status in ('open', 'later', 'pending', 'sending')`.execute(db);
      return rows[0] ?? { waiting: 0, running: 0 };
    },
    async timesSaid(guildId, { likeness, exceptId, from, to }) {
      const serverId = await servers.find(guildId);
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (
          select distinct id from held_comments
          where server_id = ${serverId ?? 0} and likeness = ${likeness}
            and published_at between ${from} and ${to} and id <> ${exceptId}
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

async function mergedPages(
  pages: readonly Promise<readonly HeldComment[]>[],
  limit: number,
): Promise<readonly HeldComment[]> {
  const all = (await Promise.all(pages)).flat();
  return all.sort(byAge).slice(0, limit);
}

function byAge(one: HeldComment, other: HeldComment): number {
  const ms = one.comment.publishedAt - other.comment.publishedAt;
  return ms || (one.id < other.id ? -1 : 1);
}

function columnsOf(held: HeldComment) {
  const { source, status, comment, decision, needsDrawing, digestId, likeness } = held;
  const isDecided = status === "pending" || status === "sending";
  return {
    ...{ source, status, listed_as: comment.state, published_at: comment.publishedAt },
    due_at: dueAtOf(held),
    decision: isDecided ? (decision?.kind ?? null) : null,
    card_state: cardStateOf(held),
    needs_drawing: needsDrawing ? 1 : 0,
    digest_id: digestId ?? held.actsId ?? null,
    likeness: likeness ?? null,
    read_at: held.readAt,
    ended_at: held.endedAt ?? null,
    has_text: hasText(held) ? 1 : 0,
  };
}

function dueAtOf({ status, decision, later }: HeldComment): number | null {
  if (status === "pending") return decision?.dueAt ?? null;
  if (status === "sending") return decision?.unconfirmed?.lookAt ?? decision?.dueAt ?? null;
  return status === "later" ? (later?.until ?? 0) : null;
}

/** A card of its own that is due while nobody waits for it, or a digest shows it, is never sent. */
function cardStateOf({ card, status, digestId }: HeldComment): string | null {
  if (card.state === "sending") return card.state;
  const isWanted = status === "open" && digestId === undefined;
  return card.state === "due" && isWanted ? card.state : null;
}

function hasText({ comment, video, parent }: HeldComment): boolean {
  const { text, imageUrl, authorName, authorAvatar } = comment;
  const told = [text || undefined, imageUrl, authorName, authorAvatar, video, parent];
  return told.some((one) => one !== undefined);
}
