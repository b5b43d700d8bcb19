import { createRecordTable, type Database, sql } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { createCommentQueries } from "./comment-queries.ts";
import { type HeldComment, type ItemRef, isUnsettled, isWaiting } from "./held-comment.ts";
import { type Sql, selectComments } from "./select-records.ts";

interface CommentChange {
  readonly ref: ItemRef;
  readonly make: (comment: HeldComment) => HeldComment;
}

/** Several changes of one message within this time cause one redraw. */
const gatherMs = 300;
/** SQLite limits the values of a statement to some thousand. */
const idsOfStatement = 500;

/** Comments in the queues of watches. Every method throws ServiceError `store_unavailable`. */
export function createHeldCommentRecords(database: Database, jobs: Pick<Jobs, "put">) {
  const { db, dialect, servers } = database;
  const table = createRecordTable<"held_comments", HeldComment>(database, {
    table: "held_comments",
    key: ["watch_id", "id"],
    columnsOf,
  });
  const select = (guildId: string, where: Sql) => selectComments(database, guildId, where);

  async function changeStored(
    guildId: string,
    { ref, make, isShown }: CommentChange & { readonly isShown: boolean },
  ) {
    let before: HeldComment | undefined;
    const comment = await table.change(guildId, [ref.watchId, ref.itemId], (stored) => {
      before = stored;
      if (stored === undefined) return undefined;
      const next = make(stored);
      // Whoever claimed a comment is done with it once it no longer waits.
      const hasEndedClaim = next.assigned !== undefined && !isWaiting(next);
      const made = hasEndedClaim ? { ...next, assigned: undefined } : next;
      if (made === stored || !isShown) return made;
      return { ...made, revision: stored.revision + 1, needsDrawing: true as const };
    });
    if (comment === undefined) return undefined;
    // Whether it has a decision without an outcome, or had one.
    const isTaken = [before, comment].some((one) => one !== undefined && isUnsettled(one));
    return { comment, isChanged: comment !== before, isTaken };
  }

  /** Changes comments, and has every message that shows one of them redrawn soon, in all watches that have it. */
  function changeShown(guildId: string, changes: readonly CommentChange[]) {
    return database.transaction(async () => {
      const changed = [];
      for (const one of changes) {
        changed.push(await changeStored(guildId, { ...one, isShown: true }));
      }
      const watches = changed.flatMap((one) => (one?.isChanged ? [one.comment.watchId] : []));
      const taken = changed.flatMap((one) => (one?.isChanged && one.isTaken ? [one.comment] : []));
      watches.push(...(await redrawElsewhere(guildId, taken)));
      // Always in the same order, so that two transactions can't deadlock over the jobs.
      for (const watchId of [...new Set(watches)].sort()) {
        const key = `${guildId}:${watchId}`;
        const dueAt = database.now() + gatherMs;
        await jobs.put({ queue: "moderation.announce", key, guildId, dueAt });
      }
      return changed;
    });
  }

  /** Notes that comments show something else where they wait in other watches; returns the ids of those. */
  async function redrawElsewhere(guildId: string, taken: readonly HeldComment[]) {
    if (taken.length === 0) return [];
    const ids = sql.join(taken.map(({ id }) => id));
    const waiting = await select(guildId, sql`id in (${ids}) and status in ('open', 'later')`);
    const others = waiting.filter(({ id, watchId, source }) =>
      taken.some((one) => one.id === id && one.watchId !== watchId && one.source === source),
    );
    for (const { watchId, id: itemId } of others) {
      const make = (stored: HeldComment) => ({ ...stored });
      await changeStored(guildId, { ref: { watchId, itemId }, make, isShown: true });
    }
    return others.map(({ watchId }) => watchId);
  }

  return {
    ...createCommentQueries(database),
    read: (guildId: string, { watchId, itemId }: ItemRef) => table.read(guildId, watchId, itemId),
    /** In the order of `ids`; unknown ones are left out. */
    async readAll(guildId: string, watchId: string, ids: readonly string[]) {
      const byId = new Map<string, HeldComment>();
      for (let from = 0; from < ids.length; from += idsOfStatement) {
        const some = sql.join(ids.slice(from, from + idsOfStatement));
        const found = await select(guildId, sql`watch_id = ${watchId} and id in (${some})`);
        for (const comment of found) byId.set(comment.id, comment);
      }
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    /** These comments in every watch of the server that has them. `ids`: at most as many as a digest or an API call holds. */
    readInAllWatches: async (guildId: string, ...ids: readonly string[]) =>
      ids.length === 0 ? [] : select(guildId, sql`id in (${sql.join(ids)})`),
    /** The same of one comment, locked until the transaction ends, so that it is decided in one of them only. */
    lockInAllWatches(guildId: string, id: string) {
      // SQLite has one writer at a time anyway.
      const lock = dialect === "postgres" ? sql`for update` : sql``;
      return select(guildId, sql`id = ${id} order by watch_id ${lock}`);
    },
    /**
     * Comments as people see them: one that waits, and that was decided in another watch of the linked channel, with that
     * decision until it has an outcome.
     */
    async asShown(guildId: string, items: readonly HeldComment[]): Promise<readonly HeldComment[]> {
      const ids = items.filter(isWaiting).map(({ id }) => id);
      if (ids.length === 0) return items;
      const where = sql`id in (${sql.join(ids)}) and status in ('pending', 'sending')`;
      const taken = await select(guildId, where);
      return items.map((item) => {
        const of = taken.find(({ id, source }) => id === item.id && source === item.source);
        if (of?.decision === undefined || !isWaiting(item)) return item;
        const { later: _, failure: __, undone: ___, assigned: ____, ...rest } = item;
        return { ...rest, status: of.status, decision: of.decision };
      });
    },
    /** Adds the comments that are not stored yet; returns their ids. */
    async addAll(guildId: string, fresh: readonly HeldComment[]): Promise<ReadonlySet<string>> {
      if (fresh.length === 0) return new Set();
      const server_id = await servers.need(guildId);
      const values = fresh.map((held) => {
        const { id, watchId: watch_id } = held;
        return { server_id, watch_id, id, ...columnsOf(held), data: JSON.stringify(held) };
      });
      const rows = await db
        .insertInto("held_comments")
        .values(values)
        .onConflict((conflict) => conflict.columns(["server_id", "watch_id", "id"]).doNothing())
        .returning("id")
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
    /**
     * Changes what people see of a comment: counts a revision, and has its messages redrawn soon. Returns the comment as it
     * is then. The change is atomic; `make` may be called several times.
     */
    change: async (guildId: string, ref: ItemRef, make: CommentChange["make"]) =>
      (await changeShown(guildId, [{ ref, make }]))[0],
    /** `change` for several comments, in order. Returns only the comments that changed. */
    async changeAll(guildId: string, changes: readonly CommentChange[]) {
      const changed = await changeShown(guildId, changes);
      return changed.flatMap((one) => (one?.isChanged ? [one.comment] : []));
    },
    /** Has the messages drawn again that show waiting comments of a watch. */
    async redrawWaiting(guildId: string, watchId: string): Promise<void> {
      const isOpen = sql`watch_id = ${watchId} and status in ('open', 'later')`;
      for (let after = ""; ; ) {
        const rest = sql`and id > ${after} order by id limit ${idsOfStatement}`;
        const page = await select(guildId, sql`${isOpen} ${rest}`);
        const make = (stored: HeldComment) => ({ ...stored });
        await changeShown(
          guildId,
          page.map(({ id: itemId }) => ({ ref: { watchId, itemId }, make })),
        );
        if (page.length < idsOfStatement) return;
        after = page.at(-1)?.id ?? "";
      }
    },
    /** `change` for what no message shows: counts no revision and redraws nothing. */
    changeSilently: async (guildId: string, ref: ItemRef, make: CommentChange["make"]) =>
      (await changeStored(guildId, { ref, make, isShown: false }))?.comment,
  };
}

/** The columns that comments are found by; all else is in the record alone. */
function columnsOf(held: HeldComment) {
  const { source, status, comment, card, decision, needsDrawing, digestId, likeness } = held;
  const { text, imageUrl, authorName, authorAvatar } = comment;
  const texts = [text || undefined, imageUrl, authorName, authorAvatar, held.video, held.parent];
  // A card that is due is not sent when the comment is no longer open, or when a digest shows it.
  const isDue = card.state === "due" && status === "open" && digestId === undefined;
  return {
    source,
    status,
    listed_as: comment.state,
    published_at: comment.publishedAt,
    due_at: dueAt(held),
    decision: isUnsettled(held) ? (decision?.kind ?? null) : null,
    card_state: card.state === "sending" || isDue ? card.state : null,
    needs_drawing: needsDrawing ? 1 : 0,
    digest_id: digestId ?? held.actsId ?? null,
    likeness: likeness ?? null,
    author_id: comment.authorId ?? null,
    read_at: held.readAt,
    ended_at: held.endedAt ?? null,
    has_text: texts.some((one) => one !== undefined) ? 1 : 0,
  };
}

function dueAt({ status, decision, later }: HeldComment): number | null {
  if (status === "pending") return decision?.dueAt ?? null;
  if (status === "sending") return decision?.unconfirmed?.lookAt ?? decision?.dueAt ?? null;
  return status === "later" ? (later?.until ?? 0) : null;
}
