import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, removeInSlices, type Slices, sql } from "../database/index.ts";
import { platformDataMs } from "../store/index.ts";

const dayMs = 24 * 3_600_000;
/** For what the video service told. A day early, because the next time would be late. */
const textMs = platformDataMs - dayMs;
const endedMs = 30 * dayMs;
/** The service tells of what is held for some sixty days, and what nobody remembers would be announced anew. */
const heldMs = 61 * dayMs;
const yearMs = 365 * dayMs;
/** A digest so young may still be waiting for its comments. */
const settledMs = 3_600_000;
/** Each may lie elsewhere on the disk, and a page is read in one piece of the event loop. */
const pageSize = 16;

const commentKey = ["server_id", "watch_id", "id"] as const;
const entryKey = ["server_id", "id"] as const;

/** How many records of each kind. */
export type ForgottenRecords = Readonly<
  Record<"comments" | "digests" | "auditEntries" | "authors" | "texts", number>
>;

/**
 * Forgets, for all servers, what nobody needs any more: texts and names in the log and in comments that were not read again
 * for 30 days; comments that were over 30 days ago, and digests without comments; log entries and authors after a year.
 * @throws ServiceError `store_unavailable`.
 */
export async function forgetOldRecords(database: Database): Promise<ForgottenRecords> {
  const now = database.now();
  const remove = (slices: Slices) => removeInSlices(database, slices);
  const comments = { table: "held_comments", key: commentKey } as const;
  const removed = [
    { where: sql`ended_at < ${now - endedMs} and status <> 'held'`, by: "ended_at" },
    { where: sql`ended_at < ${now - heldMs}`, by: "ended_at" },
    // A process that ended while it stopped a watch leaves some that nobody decides about any more.
    { where: sql`has_text = 0 and read_at < ${now - yearMs}`, by: "read_at" },
    { where: sql`has_text = 1 and read_at < ${now - yearMs}`, by: "read_at" },
  ];
  let commentCount = 0;
  for (const one of removed) commentCount += await remove({ ...comments, ...one });
  const old = (column: string) => ({
    where: sql`${sql.ref(column)} < ${now - yearMs}`,
    by: column,
  });
  return {
    comments: commentCount,
    auditEntries: await remove({ table: "audit_log", key: entryKey, ...old("at") }),
    authors: await remove({ table: "authors", key: entryKey, ...old("last_at") }),
    digests: await remove({
      ...{ table: "digests", key: commentKey, by: "added_at" },
      where: sql`added_at < ${now - settledMs} and not exists (
        select 1 from held_comments where held_comments.server_id = digests.server_id
          and held_comments.watch_id = digests.watch_id and held_comments.digest_id = digests.id)`,
    }),
    texts: (await forgetTexts(database, commentTexts)) + (await forgetTexts(database, entryTexts)),
  };
}

type Data = Readonly<Record<string, unknown>>;

interface TextsOf {
  readonly table: "held_comments" | "audit_log";
  readonly key: readonly string[];
  /** When the service told it last. */
  readonly by: string;
  readonly without: (data: Data) => Data;
  /** To be changed too. */
  readonly columns?: ReturnType<typeof sql>;
}

/** No card is drawn anew for it: what was posted stays as it was. */
const commentTexts: TextsOf = {
  ...{ table: "held_comments", key: commentKey, by: "read_at" },
  without: ({ video: _, parent: __, comment = {}, ...rest }) => {
    const { imageUrl: _i, authorName: _n, authorAvatar: _a, ...facts } = comment as Data;
    return { ...rest, comment: { ...facts, text: "" } };
  },
};

const entryTexts: TextsOf = {
  ...{ table: "audit_log", key: entryKey, by: "at" },
  without: ({ text: _, authorName: __, ...rest }) => rest,
  columns: sql`, author_name = null`,
};

/** Page after page; each page is one transaction, so that nobody changes a record in between. */
async function forgetTexts(database: Database, texts: TextsOf): Promise<number> {
  const before = database.now() - textMs;
  let count = 0;
  for (;;) {
    const done = await database.hurriedly(() =>
      database.transaction(() => forgetPage(database, { ...texts, before })),
    );
    count += done;
    if (done < pageSize) return count;
    await database.settled();
    await nextTurn();
  }
}

async function forgetPage(
  { db, dialect }: Database,
  { table, key, by, before, without, columns = sql`` }: TextsOf & { readonly before: number },
): Promise<number> {
  const lock = dialect === "postgres" ? sql`for update skip locked` : sql``;
  const names = sql.join(key.map((name) => sql.ref(name)));
  const { rows } = await sql<Readonly<Record<string, string>>>`
    select ${names}, data from ${sql.table(table)}
    where has_text = 1 and ${sql.ref(by)} < ${before}
    order by ${sql.ref(by)} limit ${pageSize} ${lock}`.execute(db);
  for (const row of rows) {
    const data = JSON.stringify(without(JSON.parse(row.data ?? "{}") as Data));
    const ids = sql.join(key.map((name) => sql`${row[name]}`));
    await sql`update ${sql.table(table)} set data = ${data}, has_text = 0 ${columns}
      where (${names}) = (${ids})`.execute(db);
  }
  return rows.length;
}
