import { setImmediate as nextTurn } from "node:timers/promises";
import { dayMs } from "../clock.ts";
import { type Database, removeInSlices, sql } from "../database/index.ts";
import { youtubeDataMs } from "../store/index.ts";
import type { Watch } from "./records/index.ts";

/** The limit for stored YouTube data, less a day, because this runs once a day. */
const textMs = youtubeDataMs - dayMs;
const endedMs = 30 * dayMs;
/** YouTube lists held comments for about 60 days; one that is forgotten earlier would be announced again. */
const heldMs = 61 * dayMs;
const yearMs = 365 * dayMs;
/** The comments of a younger digest may not be written yet. */
const settledMs = 3_600_000;
/** Small, because a page blocks the event loop and each record may be elsewhere on the disk. */
const pageSize = 16;

const commentKey = ["server_id", "watch_id", "id"] as const;
const entryKey = ["server_id", "id"] as const;

/** How many records of each kind. */
export type ForgottenRecords = Readonly<
  Record<"comments" | "digests" | "auditEntries" | "authors" | "notes" | "texts", number>
>;

/**
 * Deletes old records of all servers: texts and names that were not read again for 30 days, in comments and in the audit log;
 * comments settled 30 days ago, and digests without comments; audit entries, authors and notes about them after a year.
 * @throws ServiceError `store_unavailable`.
 */
export async function forgetOldRecords(database: Database): Promise<ForgottenRecords> {
  const now = database.now();
  const comments = { table: "held_comments", key: commentKey } as const;
  const removed = [
    {
      where: sql`ended_at < ${now - endedMs} and status not in ('held', 'erased')`,
      by: "ended_at",
    },
    { where: sql`ended_at < ${now - heldMs}`, by: "ended_at" },
    // Left over when a process died while it removed a watch.
    { where: sql`has_text = 0 and read_at < ${now - yearMs}`, by: "read_at" },
    { where: sql`has_text = 1 and read_at < ${now - yearMs}`, by: "read_at" },
  ];
  let commentCount = 0;
  for (const one of removed)
    commentCount += await removeInSlices(database, { ...comments, ...one });
  const old = (column: string) => ({
    where: sql`${sql.ref(column)} < ${now - yearMs}`,
    by: column,
  });
  return {
    comments: commentCount,
    auditEntries: await removeInSlices(database, {
      table: "audit_log",
      key: entryKey,
      ...old("at"),
    }),
    authors: await removeInSlices(database, { table: "authors", key: entryKey, ...old("last_at") }),
    notes: await removeInSlices(database, {
      table: "author_notes",
      key: ["server_id", "author_id", "id"],
      ...old("at"),
    }),
    digests: await removeInSlices(database, {
      table: "digests",
      key: commentKey,
      by: "added_at",
      where: sql`added_at < ${now - settledMs} and not exists (
        select 1 from held_comments where held_comments.server_id = digests.server_id
          and held_comments.watch_id = digests.watch_id and held_comments.digest_id = digests.id)`,
    }),
    texts:
      (await forgetTexts(database, commentTexts)) +
      (await forgetTexts(database, entryTexts)) +
      (await forgetTitles(database)),
  };
}

/** Few watches have a title: those whose channel is not linked. One that is polled reads it again in time. */
async function forgetTitles({ db, now }: Database): Promise<number> {
  const before = now() - textMs;
  const { rows } = await sql<{ readonly server_id: number; readonly id: string; data: string }>`
    select server_id, id, data from watches where data like '%"titleReadAt":%'`.execute(db);
  let count = 0;
  for (const { server_id, id, data } of rows) {
    const { title: _, titleReadAt, ...rest } = JSON.parse(data) as Partial<Watch>;
    if (titleReadAt === undefined || titleReadAt >= before) continue;
    // Whoever changed it meanwhile may have read the title again; the next run looks again.
    await sql`update watches set data = ${JSON.stringify(rest)}
      where server_id = ${server_id} and id = ${id} and data = ${data}`.execute(db);
    count += 1;
  }
  return count;
}

type RecordData = Readonly<Record<string, unknown>>;

interface OldTexts {
  readonly table: "held_comments" | "audit_log";
  readonly key: readonly string[];
  /** The column that says when it was last read from YouTube. */
  readonly by: string;
  readonly without: (data: RecordData) => RecordData;
  /** Further columns to change. */
  readonly columns?: ReturnType<typeof sql>;
}

/** Cards are not redrawn for this: posted messages stay as they are. */
const commentTexts: OldTexts = {
  table: "held_comments",
  key: commentKey,
  by: "read_at",
  without: ({ video: _, parent: __, comment = {}, advice, hiddenOn, ...rest }) => {
    const { imageUrl: _i, authorName: _n, authorAvatar: _a, ...facts } = comment as RecordData;
    return {
      ...rest,
      comment: { ...facts, text: "" },
      // What matched is part of the comment or its author's name.
      ...(advice !== undefined && { advice: { ...(advice as RecordData), found: undefined } }),
      ...(hiddenOn !== undefined && { hiddenOn: { ...(hiddenOn as RecordData), name: undefined } }),
    };
  },
};

const entryTexts: OldTexts = {
  table: "audit_log",
  key: entryKey,
  by: "at",
  without: ({ text: _, authorName: __, reply: ___, ...rest }) => rest,
  columns: sql`, author_name = null`,
};

/** Works page by page; each page is one transaction, so that no record changes in between. */
async function forgetTexts(database: Database, texts: OldTexts): Promise<number> {
  const before = database.now() - textMs;
  let count = 0;
  for (;;) {
    const done = await database.withoutDiskWait(() =>
      database.transaction(() => forgetPage(database, { ...texts, before })),
    );
    count += done;
    if (done < pageSize) return count;
    await database.settled();
    await nextTurn();
  }
}

async function forgetPage(
  { db, skipLocked }: Database,
  { table, key, by, before, without, columns = sql`` }: OldTexts & { readonly before: number },
): Promise<number> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const { rows } = await sql<Readonly<Record<string, string>>>`
    select ${names}, data from ${sql.table(table)}
    where has_text = 1 and ${sql.ref(by)} < ${before}
    order by ${sql.ref(by)} limit ${pageSize} ${skipLocked}`.execute(db);
  for (const row of rows) {
    const data = JSON.stringify(without(JSON.parse(row.data ?? "{}") as RecordData));
    const ids = sql.join(key.map((name) => sql`${row[name]}`));
    await sql`update ${sql.table(table)} set data = ${data}, has_text = 0 ${columns}
      where (${names}) = (${ids})`.execute(db);
  }
  return rows.length;
}
