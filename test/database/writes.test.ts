import { expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import { describeOnEach } from "../support/databases/each-kind.ts";

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ url });
  onTestFinished(() => database.close());
  return database;
}

describeOnEach("writes", (kind) => {
  it("call after a transaction is committed, and at once where there is none", async () => {
    const { url } = await kind.fresh();
    const { transaction, afterCommit, servers } = await open(url);
    const calls: string[] = [];

    afterCommit(() => calls.push("alone"));
    await transaction(async () => {
      await servers.need("111111111111111111");
      afterCommit(() => calls.push("committed"));
      await transaction(async () => afterCommit(() => calls.push("inner")));
      calls.push("work");
    });

    expect(calls).toEqual(["alone", "work", "committed", "inner"]);
  });

  it("never call after a transaction that failed", async () => {
    const { url } = await kind.fresh();
    const { transaction, afterCommit, servers } = await open(url);
    const calls: string[] = [];

    const failing = transaction(async () => {
      await servers.need("111111111111111111");
      afterCommit(() => calls.push("committed"));
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(calls).toEqual([]);
  });

  it("are read by everybody at once, whether they wait for the disk or not", async () => {
    const { url } = await kind.fresh();
    const [one, other] = [await open(url), await open(url)];

    await one.withoutDiskWait(() =>
      one.db
        .insertInto("servers")
        .values({ guild_id: "111111111111111111", added_at: 1 })
        .execute(),
    );

    expect(await other.servers.find("111111111111111111")).toBeGreaterThan(0);
  });

  it("belong to a transaction that is under way, whether they wait for the disk or not", async () => {
    const { url } = await kind.fresh();
    const { db, transaction, withoutDiskWait, servers } = await open(url);

    const failing = transaction(async () => {
      await withoutDiskWait(() =>
        db.insertInto("servers").values({ guild_id: "111111111111111111", added_at: 1 }).execute(),
      );
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(await servers.find("111111111111111111")).toBeUndefined();
  });
});

it("wait for the disk again after one that did not, even if that failed", async () => {
  const database = await open("sqlite::memory:");
  const full = 2;
  const settingOf = async () =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(database.db)).rows[0]
      ?.synchronous;

  const within = await database.withoutDiskWait(settingOf);
  const failing = database.withoutDiskWait(() => Promise.reject(new Error("no")));

  await expect(failing).rejects.toThrow("no");
  expect([within, await settingOf()]).toEqual([1, full]);
});
