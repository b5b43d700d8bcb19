import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { createRecordTable } from "../../src/database/index.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { guild, openFor, otherGuild, rowsOf } from "./open.ts";

onEach((kind) => {
  afterAll(() => kind().stop());

  async function stage() {
    const place = await kind().fresh();
    const database = await openFor({ url: place.url });
    const put = (key: string) =>
      database.db
        .insertInto("keyv")
        .values({ key, server_id: null, value: "v", expires_at: null })
        .execute();
    const keys = async () => [...(await place.all()).keys()];
    return { place, database, put, keys };
  }

  it("keeps all that is written within it, by whoever is called, or nothing", async () => {
    const { database, put, keys } = await stage();

    await database.transaction(async () => {
      await put("a");
      await Promise.all([put("b"), put("c")]);
    });
    const failing = database.transaction(async () => {
      await put("d");
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(await keys()).toEqual(["a", "b", "c"]);
  });

  it("is part of the one that is under way", async () => {
    const { database, put, keys } = await stage();

    const failing = database.transaction(async () => {
      await database.transaction(() => put("a"));
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(await keys()).toEqual([]);
  });

  it("lets nothing of somebody else's in", async () => {
    const { database, put, keys } = await stage();
    const isIn = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();

    const failing = database.transaction(async () => {
      await put("mine");
      isIn.resolve();
      await goOn.promise;
      throw new Error("no");
    });
    await isIn.promise;
    const theirs = put("theirs");
    await wait(20);
    goOn.resolve();

    await expect(failing).rejects.toThrow("no");
    await theirs;
    expect(await keys()).toEqual(["theirs"]);
  });

  it("takes nothing in that comes after its end", async () => {
    const { database, put, keys } = await stage();
    const isOver = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();

    await database.transaction(async () => {
      await put("a");
      late = isOver.promise.then(() => put("late"));
    });
    const failing = database.transaction(async () => {
      isOver.resolve();
      await wait(20);
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    await late;
    expect(await keys()).toEqual(["a", "late"]);
  });

  it("refuses what nobody waited for, or does it by itself: never as part of another's", async () => {
    const { database, put, keys } = await stage();
    const floating: Promise<unknown>[] = [];

    for (let n = 0; n < 20; n += 1) {
      const failing = database.transaction(async () => {
        floating.push(put(`floating${n}`).catch((error: unknown) => error));
        throw new Error("no");
      });
      const theirs = database.transaction(() => put(`theirs${n}`));
      await expect(failing).rejects.toThrow("no");
      await theirs;
    }

    const results = await Promise.all(floating);
    const done = results.flatMap((one, n) => (one instanceof Error ? [] : [`floating${n}`]));
    const found = (await keys()).filter((key) => key.startsWith("floating"));
    // Writes that were part of a failed transaction were rolled back with it.
    expect(done).toEqual(expect.arrayContaining(found));
    expect((await keys()).filter((key) => key.startsWith("theirs"))).toHaveLength(20);
  });

  it("calls back once it is committed, and never where it is not", async () => {
    const { database } = await stage();
    const calls: string[] = [];
    const call = (name: string) => database.afterCommit(() => void calls.push(name));

    await database.transaction(async () => {
      call("a");
      expect(calls).toEqual([]);
    });
    await expect(
      database.transaction(async () => {
        call("b");
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    call("c");

    expect(calls).toEqual(["a", "c"]);
  });

  it("is done again where two made the same row", async () => {
    const { place, database } = await stage();
    const other = await openFor({ url: place.url });
    const tables = [database, other].map((one) =>
      createRecordTable<"rule_books", { count: number }>(one, { table: "rule_books", key: [] }),
    );

    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        tables[n % 2]?.change(guild, [], (stored) => ({ count: (stored?.count ?? 0) + 1 })),
      ),
    );

    expect(await tables[0]?.read(guild)).toEqual({ count: 40 });
    expect(await rowsOf(place, "servers")).toBe(1);
  });

  it("remembers no server that was rolled back with it", async () => {
    const { database } = await stage();
    const books = createRecordTable<"rule_books", { n: number }>(database, {
      table: "rule_books",
      key: [],
    });

    await database.servers.runFor(guild, async () => {
      const failing = database.transaction(async () => {
        await books.change(guild, [], () => ({ n: 1 }));
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      await books.change(otherGuild, [], () => ({ n: 2 }));
      await books.change(guild, [], () => ({ n: 3 }));
    });

    expect(await books.read(guild)).toEqual({ n: 3 });
  });

  it("gives the database's time to processes whose own clocks differ", async () => {
    const { database } = await stage();

    const before = Date.now();
    const now = database.now();

    expect(now).toBeGreaterThan(before - 1_000);
    expect(now).toBeLessThan(Date.now() + 1_000);
    expect(Number.isInteger(now)).toBe(true);
  });
});
