import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import keyvTestSuite, { keyvIteratorTests } from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as test from "vitest";
import { openSqliteFile, scrub } from "../../../src/store/sqlite/file.ts";
import { KeyvSqlite } from "../../../src/store/sqlite/keyv-sqlite.ts";
import { temporaryFolder } from "../setup.ts";

const { afterAll, describe, expect, it, onTestFinished } = test;

describe("KeyvSqlite", () => {
  const shared = openSqliteFile({ path: ":memory:" });
  const adapter = new KeyvSqlite({ database: shared });
  afterAll(() => adapter.disconnect());

  keyvTestSuite(test, Keyv, () => new KeyvSqlite({ database: shared }));
  keyvIteratorTests(test, Keyv, () => new KeyvSqlite({ database: shared }));
});

function openFresh(now?: () => number) {
  const database = openSqliteFile({ path: ":memory:" });
  const adapter = new KeyvSqlite({ database, ...(now && { now }) });
  onTestFinished(() => adapter.disconnect());
  return { database, adapter };
}

describe("KeyvSqlite by itself", () => {
  it("sets many or none", async () => {
    const { adapter } = openFresh();
    const broken = { key: "b", value: Symbol("unbindable") as unknown as string };

    await expect(adapter.setMany([{ key: "a", value: "1" }, broken])).rejects.toThrow();
    await adapter.setMany([{ key: "c", value: "3" }]);

    expect(await adapter.getMany(["a", "b", "c"])).toEqual([undefined, undefined, "3"]);
  });

  it("sweeps what has expired when something is written later", async () => {
    let now = 1000;
    const { adapter, database } = openFresh(() => now);
    await adapter.set("short", "1", 500);
    await adapter.set("long", "1", 500_000);
    await adapter.set("ever", "1");

    now += 100_000;
    await adapter.set("new", "1");

    const keys = database.prepare("SELECT key FROM entries ORDER BY key").all();
    expect(keys.map(({ key }) => key)).toEqual(["ever", "long", "new"]);
    expect(await adapter.has("short")).toBe(false);
  });

  it("does not answer an expired entry before it is swept", async () => {
    let now = 1000;
    const { adapter } = openFresh(() => now);
    await adapter.set("short", "1", 500);

    now += 500;

    expect(await adapter.get("short")).toBeUndefined();
  });

  it("pages through a namespace while its entries are deleted", async () => {
    const { adapter } = openFresh();
    const keys = Array.from({ length: 1203 }, (_, n) => `a:${String(n).padStart(5, "0")}`);
    await adapter.setMany([...keys, "b:1", "ab:1", "a"].map((key) => ({ key, value: "v" })));

    const seen: unknown[] = [];
    for await (const [key] of adapter.iterator("a")) {
      seen.push(key);
      await adapter.delete(String(key));
    }

    expect(seen).toEqual(keys);
  });

  it("throws when the database is closed, whatever is asked", async () => {
    const { adapter, database } = openFresh();
    database.close();

    await expect(adapter.get("a")).rejects.toThrow();
    await expect(adapter.getMany(["a"])).rejects.toThrow();
    await expect(adapter.has("a")).rejects.toThrow();
    await expect(adapter.set("a", "1")).rejects.toThrow();
    await expect(adapter.delete("a")).rejects.toThrow();
    await expect(adapter.deleteMany(["a"])).rejects.toThrow();
    await expect(adapter.clear()).rejects.toThrow();
    await expect(adapter.iterator("a").next()).rejects.toThrow();
  });
});

describe("openSqliteFile", () => {
  const mode = (path: string) => statSync(path).mode & 0o777;

  it("keeps the folder it makes, the file, the log and the shared memory to its owner", () => {
    const folder = join(temporaryFolder(), "made", "inside");
    const path = join(folder, "a.sqlite");
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));

    const database = openSqliteFile({ path });
    onTestFinished(() => database.close());

    expect(mode(folder)).toBe(0o700);
    expect([path, `${path}-wal`, `${path}-shm`].map(mode)).toEqual([0o600, 0o600, 0o600]);
  });

  it("takes a file away from others that was open to them", () => {
    const path = join(temporaryFolder(), "a.sqlite");
    const before = process.umask(0);
    new DatabaseSync(path).close();
    process.umask(before);
    expect(mode(path)).toBe(0o644);

    openSqliteFile({ path }).close();

    expect(mode(path)).toBe(0o600);
  });

  it("sets what an acknowledged write needs to survive", () => {
    const database = openSqliteFile({ path: join(temporaryFolder(), "a.sqlite") });
    onTestFinished(() => database.close());
    const pragma = (name: string) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("secure_delete")).toBe(1);
    expect(pragma("busy_timeout")).toBe(10_000);
    expect(pragma("temp_store")).toBe(2);
  });

  it("refuses a file of a newer version", () => {
    const path = join(temporaryFolder(), "a.sqlite");
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();

    expect(() => openSqliteFile({ path })).toThrow(expect.objectContaining({ code: "store_file" }));
  });
});

describe("scrub", () => {
  it("leaves an empty log and no trace of a deleted value", async () => {
    const path = join(temporaryFolder(), "a.sqlite");
    const database = openSqliteFile({ path });
    const adapter = new KeyvSqlite({ database });
    await adapter.set("a", "trace-of-a-value");
    await adapter.delete("a");

    scrub(database);

    // Closing a file here would drop this process's locks on it, so the log is only measured while the database is open.
    expect(statSync(`${path}-wal`).size).toBe(0);
    database.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(readFileSync(path).includes("trace-of-a-value")).toBe(false);
  });
});
