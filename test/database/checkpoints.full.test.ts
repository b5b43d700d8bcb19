import { mkdtempSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createCheckpoints } from "../../src/database/checkpoints.ts";
import { type Database, removeInSlices, sql } from "../../src/database/index.ts";
import { temporaryFolder } from "../store/setup.ts";
import { fillServer } from "./fill.ts";
import { guild, openFor } from "./open.ts";

const pageBytes = 4_096;

async function opened() {
  const path = join(temporaryFolder(), "a.sqlite");
  const database = await openFor({ url: `sqlite:${path}` });
  return { path, database, logBytes: () => statSync(`${path}-wal`).size };
}

/** How many pages the write-ahead log may have before a writer copies it; 0 means never. */
async function settingOf({ db }: Database): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma wal_autocheckpoint`.execute(db);
  return rows[0]?.wal_autocheckpoint;
}

it("has a log that grew copied, so that the next writes begin it anew", async () => {
  const { database, logBytes } = await opened();
  await fillServer(database, guild, { rows: 4_000 });
  const longest = logBytes();

  for (let n = 0; n < 10; n += 1) {
    await database.settled();
    await database.db
      .updateTable("held_comments")
      .set({ likeness: `l${n}` })
      .execute();
  }
  await database.settled();

  expect(longest).toBeGreaterThan(1_000 * pageBytes);
  expect(logBytes()).toBeLessThan(longest * 3);
  expect(await settingOf(database)).toBe(0);
});

it("waits for the log where much is removed", async () => {
  const { database, logBytes } = await opened();
  await fillServer(database, guild, { rows: 8_000 });
  await database.wipe();
  expect(logBytes()).toBe(0);

  await removeInSlices(database, {
    table: "held_comments",
    key: ["server_id", "watch_id", "id"],
    where: sql`1 = 1`,
  });

  expect(logBytes()).toBeGreaterThan(0);
  expect(logBytes()).toBeLessThan(6_000 * pageBytes);
});

it("empties the log where others write at the same time", async () => {
  const { database, logBytes } = await opened();
  await fillServer(database, guild, { rows: 2_000 });
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await database.ping();
      await nextTurn();
    }
  })();

  await database.wipe();
  isOver = true;
  await writing;

  expect(logBytes()).toBeLessThan(1_000 * pageBytes);
});

it("does not let the log grow without end where no turn of the event loop comes between", async () => {
  const { database, logBytes } = await opened();
  const row = { key: "a", server_id: null, value: "x".repeat(400_000), expires_at: null };
  await database.db.insertInto("keyv").values(row).execute();

  // 100 pages each, written without any other wait in between.
  for (let n = 0; n < 400; n += 1) {
    await database.db
      .updateTable("keyv")
      .set({ value: `${n}`.repeat(130_000) })
      .execute();
  }

  expect(logBytes()).toBeLessThan(25_000 * pageBytes);
});

it("leaves it to SQLite where the thread can't do it", async () => {
  const folder = temporaryFolder();
  const file = new DatabaseSync(join(folder, "a.sqlite"));
  onTestFinished(() => file.close());
  file.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
  const checkpoints = createCheckpoints(file, join(mkdtempSync(join(folder, "b")), "c", "none"));
  file.exec(`WITH RECURSIVE g (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < 2000)
    INSERT INTO t SELECT randomblob(4096) FROM g`);

  checkpoints.look();
  await checkpoints.settled();

  expect(file.prepare("PRAGMA wal_autocheckpoint").get()).toEqual({ wal_autocheckpoint: 1_000 });
  await checkpoints.empty();
  expect(statSync(join(folder, "a.sqlite-wal")).size).toBe(0);
  await checkpoints.close();
});
