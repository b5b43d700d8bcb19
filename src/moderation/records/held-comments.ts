import { createRecordTable, type Database, type RawBuilder, sql } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import type { CommentStatus, DecisionKind, HeldComment, ItemRef } from "./held-comment.ts";
import { selectRecords } from "./select-records.ts";
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

interface CommentChange {
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

/** Several changes of one message become one drawing. */
const gatherMs = 300;
/** SQLite takes some thousand values a statement, and no caller has more than a digest's or a call's. */
const idsOfStatement = 500;
const mostSaid = 1_000;

/** Comments that are held in the queues of watches. All of it throws ServiceError `store_unavailable`. */
export function createHeldComments(database: Database, jobs: Pick<Jobs, "put">) {
  const { db, servers, transaction, now } = database;
  const table = createRecordTable<"held_comments", HeldComment>(database, {
    table: "held_comments",
    key: ["watch_id", "id"],
    columnsOf,
  });
  const select = (guildId: string, where: RawBuilder<unknown>) =>
    selectRecords<HeldComment>(database, guildId, { table: "held_comments", where });
  const serverOf = async (guildId: string) => (await servers.find(guildId)) ?? 0;

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
      for (const watchId of new Set(watches)) {
        const key = `${guildId}:${watchId}`;
        await jobs.put({ queue: "moderation.announce", key, guildId, dueAt: now() + gatherMs });
      }
      return changed;
    });
  }

  return {
    read: (guildId: string, { watchId, itemId }: ItemRef) => table.read(guildId, watchId, itemId),
    /** In the order of the ids, without those that are unknown. */
    async readAll(guildId: string, watchId: string, ids: readonly string[]) {
      const byId = new Map<string, HeldComment>();
      for (let from = 0; from < ids.length; from += idsOfStatement) {
        const some = sql.join(ids.slice(from, from + idsOfStatement));
        const read = await select(guildId, sql`watch_id = ${watchId} and id in (${some})`);
        for (const comment of read) byId.set(comment.id, comment);
      }
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    /** The same comments in every watch of the server that holds them; at most a call's or a digest's. */
    everywhere: async (guildId: string, ...ids: readonly string[]) =>
      ids.length === 0 ? [] : select(guildId, sql`id in (${sql.join(ids)})`),
    /** Writes those of a watch that are not known yet; answers their ids. */
    async addAll(guildId: string, fresh: readonly HeldComment[]): Promise<ReadonlySet<string>> {
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
    /**
     * Changes what people see of a comment: counts a revision, and has its messages drawn soon. Answers what is there then;
     * nobody comes between, and `make` may be called several times.
     */
    change: async (guildId: string, ref: ItemRef, make: CommentChange["make"]) =>
      (await changeShown(guildId, [{ ref, make }]))[0],
    /** The same for several, in their order, each by what its `make` says. Those that are unknown, or stay as they are, are left out. */
    async changeAll(guildId: string, changes: readonly CommentChange[]) {
      const changed = await changeShown(guildId, changes);
      return changed.flatMap((one) => (one?.isChanged ? [one.comment] : []));
    },
    /** The same for what no message shows. */
    note: async (guildId: string, ref: ItemRef, make: CommentChange["make"]) =>
      (await changeStored(guildId, { ref, make }, false))?.comment,
    /** How many of a watch are in these states, and when the oldest was written. */
    async count(
      guildId: string,
      of: { readonly watchId: string; readonly statuses: readonly CommentStatus[] },
    ) {
      const { rows } = await sql<{ count: number; oldest: number | null }>`
        select count(*) as count, min(published_at) as oldest from held_comments
        where server_id = ${await serverOf(guildId)} and watch_id = ${of.watchId}
          and status in (${sql.join(of.statuses)})`.execute(db);
      const { count = 0, oldest = null } = rows[0] ?? {};
      return { count, oldestAt: oldest ?? undefined };
    },
    /** Of a watch those that wait for people and were found in these lists, the oldest first. */
    async waiting(
      guildId: string,
      of: CommentsPage & { readonly listedAs: readonly WatchedState[] },
    ): Promise<readonly CommentsAfter[]> {
      const { watchId, listedAs, after, limit } = of;
      const serverId = await serverOf(guildId);
      // Each state's own come out of the index in order.
      const pageOf = (status: CommentStatus) => sql`
        select id, published_at from (
          select id, published_at from held_comments
          where server_id = ${serverId} and watch_id = ${watchId} and status = ${status}
            and listed_as in (${sql.join(listedAs)}) ${isAfter(after)}
          order by published_at, id limit ${limit}) as ${sql.ref(status)}`;
      const { rows } = await sql<{ id: string; published_at: number }>`
        ${pageOf("open")} union all ${pageOf("later")}
        order by published_at, id limit ${limit}`.execute(db);
      return rows.map(({ id, published_at: publishedAt }) => ({ id, publishedAt }));
    },
    /** Whose own card has to be sent, or may have been, the oldest first. */
    async cardsDue(guildId: string, { watchId, after, limit }: CommentsPage) {
      const inState = (state: string) =>
        select(
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
      select(
        guildId,
        sql`watch_id = ${watchId} and needs_drawing = 1 order by published_at limit ${limit}`,
      ),
    /** Snoozed ones whose time has come by then, those first that waited longest. */
    snoozedUntil: (
      guildId: string,
      watchId: string,
      { at, limit }: { readonly at: number; readonly limit: number },
    ) =>
      select(
        guildId,
        sql`watch_id = ${watchId} and status = 'later' and due_at <= ${at}
          order by due_at limit ${limit}`,
      ),
    /** When the first snoozed one of a watch comes back. */
    async nextSnoozedAt(guildId: string, watchId: string): Promise<number | undefined> {
      const { rows } = await sql<{ at: number | null }>`
        select min(due_at) as at from held_comments
        where server_id = ${await serverOf(guildId)} and watch_id = ${watchId}
          and status = 'later'`.execute(db);
      return rows[0]?.at ?? undefined;
    },
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
      select(
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
      const serverId = await serverOf(guildId);
      const found = await Promise.all(
        kinds.map(async (kind) => {
          const of = sql`from held_comments where server_id = ${serverId} and source = ${source}
            and status = 'pending' and decision = ${kind}`;
          const { rows } = await sql<{ due_at: number; last: number }>`
            select due_at, (select max(due_at) ${of}) as last ${of}
            order by due_at limit ${limit}`.execute(db);
          return { kind, dueAt: rows.map((row) => row.due_at), lastDueAt: rows[0]?.last ?? 0 };
        }),
      );
      return found.filter(({ dueAt }) => dueAt.length > 0);
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
          where server_id = ${await serverOf(guildId)} and likeness = ${said.likeness}
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
