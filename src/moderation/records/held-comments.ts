import { createRecordTable, type Database, type RecordTable, sql } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { createCommentQueries } from "./comment-queries.ts";
import type { HeldComment, ItemRef } from "./held-comment.ts";
import { selectComments } from "./select-records.ts";

interface CommentChange {
  readonly ref: ItemRef;
  readonly make: (comment: HeldComment) => HeldComment;
}

/** Several changes of one message within this time cause one redraw. */
const gatherMs = 300;
/** SQLite limits the values of a statement to some thousand. */
const idsOfStatement = 500;

interface CommentDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, "put">;
  readonly table: RecordTable<HeldComment>;
}

/** Comments in the queues of watches. Every method throws ServiceError `store_unavailable`. */
export function createHeldCommentRecords(database: Database, jobs: Pick<Jobs, "put">) {
  const table = createRecordTable<"held_comments", HeldComment>(database, {
    table: "held_comments",
    key: ["watch_id", "id"],
    columnsOf,
  });
  const deps: CommentDeps = { database, jobs, table };
  return {
    ...createCommentQueries(database),
    read: (guildId: string, { watchId, itemId }: ItemRef) => table.read(guildId, watchId, itemId),
    /** In the order of `ids`; unknown ones are left out. */
    readAll: (guildId: string, watchId: string, ids: readonly string[]) =>
      readAll(database, guildId, { watchId, ids }),
    /** These comments in every watch of the server that has them. `ids`: at most as many as a digest or an API call holds. */
    readInAllWatches: async (guildId: string, ...ids: readonly string[]) =>
      ids.length === 0 ? [] : selectComments(database, guildId, sql`id in (${sql.join(ids)})`),
    /** The same of one comment, locked until the transaction ends, so that it is decided in one of them only. */
    lockInAllWatches: (guildId: string, id: string) => lockInAllWatches(database, guildId, id),
    /**
     * Comments as people see them: one that waits, and that was decided in another watch of the linked channel, with that
     * decision until it has an outcome.
     */
    asShown: (guildId: string, items: readonly HeldComment[]) => asShown(database, guildId, items),
    /** Adds the comments that are not stored yet; returns their ids. */
    addAll: (guildId: string, fresh: readonly HeldComment[]) => addAll(database, guildId, fresh),
    /**
     * Changes what people see of a comment: counts a revision, and has its messages redrawn soon. Returns the comment as it
     * is then. The change is atomic; `make` may be called several times.
     */
    change: async (guildId: string, ref: ItemRef, make: CommentChange["make"]) =>
      (await changeShown(deps, guildId, [{ ref, make }]))[0],
    /** `change` for several comments, in order. Returns only the comments that changed. */
    async changeAll(guildId: string, changes: readonly CommentChange[]) {
      const changed = await changeShown(deps, guildId, changes);
      return changed.flatMap((one) => (one?.isChanged ? [one.comment] : []));
    },
    /** `change` for what no message shows: counts no revision and redraws nothing. */
    changeSilently: async (guildId: string, ref: ItemRef, make: CommentChange["make"]) =>
      (await changeStored(table, guildId, { ref, make, isShown: false }))?.comment,
  };
}

async function readAll(
  database: Database,
  guildId: string,
  { watchId, ids }: { readonly watchId: string; readonly ids: readonly string[] },
): Promise<readonly HeldComment[]> {
  const byId = new Map<string, HeldComment>();
  for (let from = 0; from < ids.length; from += idsOfStatement) {
    const some = sql.join(ids.slice(from, from + idsOfStatement));
    const where = sql`watch_id = ${watchId} and id in (${some})`;
    for (const comment of await selectComments(database, guildId, where)) {
      byId.set(comment.id, comment);
    }
  }
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function lockInAllWatches(database: Database, guildId: string, id: string) {
  // SQLite has one writer at a time anyway.
  const lock = database.dialect === "postgres" ? sql`for update` : sql``;
  return selectComments(database, guildId, sql`id = ${id} order by watch_id ${lock}`);
}

async function asShown(
  database: Database,
  guildId: string,
  items: readonly HeldComment[],
): Promise<readonly HeldComment[]> {
  const ids = items.filter(isWaiting).map(({ id }) => id);
  if (ids.length === 0) return items;
  const where = sql`id in (${sql.join(ids)}) and status in ('pending', 'sending')`;
  const taken = await selectComments(database, guildId, where);
  return taken.length === 0 ? items : items.map((item) => withDecision(item, taken));
}

function withDecision(item: HeldComment, taken: readonly HeldComment[]): HeldComment {
  const of = taken.find(({ id, source }) => id === item.id && source === item.source);
  if (of?.decision === undefined || !isWaiting(item)) return item;
  const { later: _, failure: __, undone: ___, assigned: ____, ...rest } = item;
  return { ...rest, status: of.status, decision: of.decision };
}

function isWaiting({ status }: HeldComment): boolean {
  return status === "open" || status === "later";
}

async function addAll(
  { db, servers }: Database,
  guildId: string,
  fresh: readonly HeldComment[],
): Promise<ReadonlySet<string>> {
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
}

/** Changes comments, and has every message that shows one of them redrawn soon, in all watches that have it. */
function changeShown(
  { database, jobs, table }: CommentDeps,
  guildId: string,
  changes: readonly CommentChange[],
) {
  return database.transaction(async () => {
    const changed = [];
    for (const one of changes) {
      changed.push(await changeStored(table, guildId, { ...one, isShown: true }));
    }
    const watches = changed.flatMap((one) => (one?.isChanged ? [one.comment.watchId] : []));
    const taken = changed.flatMap((one) => (one?.isChanged && one.isTaken ? [one.comment] : []));
    watches.push(...(await redrawElsewhere({ database, table }, guildId, taken)));
    for (const watchId of new Set(watches)) {
      const key = `${guildId}:${watchId}`;
      const dueAt = database.now() + gatherMs;
      await jobs.put({ queue: "moderation.announce", key, guildId, dueAt });
    }
    return changed;
  });
}

/** Notes that comments show something else where they wait in other watches; returns the ids of those. */
async function redrawElsewhere(
  { database, table }: Pick<CommentDeps, "database" | "table">,
  guildId: string,
  taken: readonly HeldComment[],
): Promise<readonly string[]> {
  if (taken.length === 0) return [];
  const ids = sql.join(taken.map(({ id }) => id));
  const where = sql`id in (${ids}) and status in ('open', 'later')`;
  const others = (await selectComments(database, guildId, where)).filter(
    ({ id, watchId, source }) =>
      taken.some((one) => one.id === id && one.watchId !== watchId && one.source === source),
  );
  for (const { watchId, id: itemId } of others) {
    const make = (stored: HeldComment) => ({ ...stored });
    await changeStored(table, guildId, { ref: { watchId, itemId }, make, isShown: true });
  }
  return others.map(({ watchId }) => watchId);
}

async function changeStored(
  table: RecordTable<HeldComment>,
  guildId: string,
  { ref, make, isShown }: CommentChange & { readonly isShown: boolean },
) {
  let before: HeldComment | undefined;
  const comment = await table.change(guildId, [ref.watchId, ref.itemId], (stored) => {
    before = stored;
    if (stored === undefined) return undefined;
    const made = withoutEndedClaim(make(stored));
    if (made === stored || !isShown) return made;
    return { ...made, revision: stored.revision + 1, needsDrawing: true as const };
  });
  if (comment === undefined) return undefined;
  // Whether it has a decision without an outcome, or had one.
  const isTaken = [before, comment].some((one) => one !== undefined && isUnsettled(one));
  return { comment, isChanged: comment !== before, isTaken };
}

function isUnsettled({ status }: HeldComment): boolean {
  return status === "pending" || status === "sending";
}

/** Whoever claimed a comment is done with it once it no longer waits. */
function withoutEndedClaim(held: HeldComment): HeldComment {
  if (held.assigned === undefined || isWaiting(held)) return held;
  const { assigned: _, ...rest } = held;
  return rest;
}

function columnsOf(held: HeldComment) {
  const { source, status, comment, decision, needsDrawing, digestId, likeness } = held;
  return {
    source,
    status,
    listed_as: comment.state,
    published_at: comment.publishedAt,
    due_at: dueAtOf(held),
    decision: isUnsettled(held) ? (decision?.kind ?? null) : null,
    card_state: cardStateOf(held),
    needs_drawing: needsDrawing ? 1 : 0,
    digest_id: digestId ?? held.actsId ?? null,
    likeness: likeness ?? null,
    author_id: comment.authorId ?? null,
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

/** A card that is due is not sent when the comment is no longer open, or when a digest shows it. */
function cardStateOf({ card, status, digestId }: HeldComment): string | null {
  if (card.state === "sending") return card.state;
  const isWanted = status === "open" && digestId === undefined;
  return card.state === "due" && isWanted ? card.state : null;
}

function hasText({ comment, video, parent }: HeldComment): boolean {
  const { text, imageUrl, authorName, authorAvatar } = comment;
  const texts = [text || undefined, imageUrl, authorName, authorAvatar, video, parent];
  return texts.some((one) => one !== undefined);
}
