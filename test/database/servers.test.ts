import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createRecordTable, type Database } from "../../src/database/index.ts";
import { isServerErased } from "../../src/errors.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { fillServer, ownedTables } from "./fill.ts";
import { guild, openFor, otherGuild, rowsOf } from "./open.ts";

const recordsOf = (database: Database) =>
  createRecordTable<"rule_books", { n: number }>(database, { table: "rule_books", key: [] });

const repliesOf = (database: Database) =>
  createRecordTable<"saved_replies", { name: string }>(database, {
    table: "saved_replies",
    key: ["id"],
    columnsOf: ({ name }) => ({ name_key: name }),
  });

async function eraseServer({ servers }: Database, guildId: string): Promise<void> {
  const serverId = await servers.find(guildId);
  if (serverId !== undefined) await servers.remove({ table: "servers", serverId });
}

/** A function to call `count` times, and a promise that resolves after the last call. */
function begunBy(count: number): readonly [begun: () => void, allBegun: Promise<void>] {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  const begun = () => {
    missing -= 1;
    if (missing === 0) resolve();
  };
  return [begun, promise];
}

onEach((kind) => {
  afterAll(() => kind().stop());

  async function stage() {
    const place = await kind().fresh();
    const database = await openFor({ url: place.url });
    const counts = async () =>
      Object.fromEntries(
        await Promise.all(ownedTables.map(async (table) => [table, await rowsOf(place, table)])),
      );
    return { place, database, counts };
  }

  it("removes every row of a server, and no other's", async () => {
    const { place, database, counts } = await stage();
    await fillServer(database, otherGuild, { rows: 3 });
    const others = await counts();
    await fillServer(database, guild, { rows: 450 });

    await eraseServer(database, guild);

    expect(await counts()).toEqual(others);
    expect(Object.values(others)).not.toContain(0);
    expect(await database.servers.page()).toEqual([otherGuild]);
    expect(await rowsOf(place, "removals")).toBe(0);
  });

  it("removes a watch or a feed with what belongs to it, and nothing else", async () => {
    const { database, counts } = await stage();
    await fillServer(database, guild, { rows: 300 });
    const serverId = (await database.servers.find(guild)) ?? 0;
    const before = await counts();

    await database.servers.remove({ table: "watches", serverId, id: "w0" });
    await database.servers.remove({ table: "feeds", serverId, id: "f0" });

    expect(await counts()).toEqual({
      ...before,
      watches: (before.watches ?? 0) - 1,
      held_comments: 0,
      digests: 0,
      feeds: (before.feeds ?? 0) - 1,
      announcements: 0,
    });
  });

  it("does with it what has to happen before, or neither", async () => {
    const { place, database } = await stage();
    await fillServer(database, guild, { rows: 1 });
    const serverId = (await database.servers.find(guild)) ?? 0;
    const revoke = async (id: string) => {
      const row = { id, channel_id: null, token: "sealed", added_at: 0, due_at: 0 };
      await database.db.insertInto("revocations").values(row).execute();
    };

    const failing = database.servers.remove({ table: "servers", serverId }, async () => {
      await revoke("a");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await rowsOf(place, "revocations")).toBe(0);
    expect(await database.servers.find(guild)).toBe(serverId);
    await database.servers.remove({ table: "servers", serverId }, () => revoke("b"));

    expect(await rowsOf(place, "revocations")).toBe(1);
    expect(await database.servers.find(guild)).toBeUndefined();
  });

  it("looks after foreign keys again afterwards, also where it failed", async () => {
    const { database } = await stage();
    await fillServer(database, guild, { rows: 1 });
    const serverId = (await database.servers.find(guild)) ?? 0;
    const failing = database.servers.remove({ table: "servers", serverId }, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await eraseServer(database, guild);

    const late = database.db
      .insertInto("rule_books")
      .values({ server_id: serverId, data: "{}" })
      .execute();

    await expect(late).rejects.toSatisfy(isServerErased);
  });

  describe.each([
    ["this process", (url: string, own: Database) => ({ url, own }).own],
    ["another process", undefined],
  ])("erased by %s", (_, same) => {
    it.each([
      ["stays erased", false],
      ["is set up again by then", true],
    ])("refuses what a work writes too late, where the server %s", async (__, isSetUpAgain) => {
      const { place, database } = await stage();
      const other = same?.(place.url, database) ?? (await openFor({ url: place.url }));
      const records = recordsOf(database);
      await records.change(guild, [], () => ({ n: 1 }));

      const late = database.servers.runFor(guild, async () => {
        await records.change(guild, [], () => ({ n: 2 }));
        await eraseServer(other, guild);
        const setUp = () => fillServer(other, guild, { rows: 1 });
        if (isSetUpAgain) await other.servers.runFor(guild, setUp);
        const before = await rowsOf(place, "held_comments");
        const writes = [
          () => records.change(guild, [], () => ({ n: 3 })),
          () => repliesOf(database).change(guild, ["r1"], () => ({ name: "a" })),
        ];
        for (const write of writes) await expect(write()).rejects.toSatisfy(isServerErased);
        expect(await rowsOf(place, "held_comments")).toBe(before);
        return "ended";
      });

      expect(await late).toBe("ended");
      expect(await rowsOf(place, "saved_replies")).toBe(isSetUpAgain ? 1 : 0);
    });
  });

  it("refuses what a work writes too late whose server did not exist when it began", async () => {
    const { place, database } = await stage();
    const records = recordsOf(database);

    const late = database.servers.runFor(guild, async () => {
      await records.change(guild, [], () => ({ n: 1 }));
      await eraseServer(database, guild);
      await records.change(guild, [], () => ({ n: 2 }));
    });

    await expect(late).rejects.toSatisfy(isServerErased);
    expect(await rowsOf(place, "rule_books")).toBe(0);
  });

  it("wins over many that write at once, here and in another process", async () => {
    const { place, database } = await stage();
    const other = await openFor({ url: place.url });
    for (let round = 0; round < 4; round += 1) {
      await fillServer(database, guild, { rows: 20 });
      const [begun, allBegun] = begunBy(12);
      const writers = [database, other].flatMap((one) =>
        Array.from({ length: 6 }, (_, n) =>
          one.servers.runFor(guild, async () => {
            begun();
            for (let i = 0; i < 10; i += 1) {
              const name = `${one === other}${n}-${i}`;
              await repliesOf(one).change(guild, [name], () => ({ name }));
            }
          }),
        ),
      );
      const results = Promise.allSettled(writers);
      // Work that begins later may create the server again, so all of it has begun by now.
      await allBegun;
      await eraseServer(round % 2 === 0 ? other : database, guild);

      for (const result of await results) {
        if (result.status === "rejected") expect(result.reason).toSatisfy(isServerErased);
      }
      expect(await rowsOf(place, "saved_replies")).toBe(0);
    }
  });

  it("lets other work go on meanwhile", async () => {
    const { database } = await stage();
    await fillServer(database, guild, { rows: 1_000 });
    let count = 0;
    let isOver = false;

    const erasing = eraseServer(database, guild).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await database.servers.find(otherGuild);
      await nextTurn();
      count += 1;
    }
    await erasing;

    expect(count).toBeGreaterThan(kind().dialect === "sqlite" ? 20 : 0);
  });

  it("lists the servers page by page", async () => {
    const { database } = await stage();
    await fillServer(database, otherGuild, { rows: 0 });
    await fillServer(database, guild, { rows: 0 });

    expect(await database.servers.page()).toEqual([guild, otherGuild]);
    expect(await database.servers.page(guild)).toEqual([otherGuild]);
    expect(await database.servers.page(otherGuild)).toEqual([]);
  });

  it("names every table whose rows belong to a server", async () => {
    const { place } = await stage();
    const rows = await place.query(
      kind().dialect === "sqlite"
        ? `select distinct m.name as name from sqlite_master m, pragma_table_info(m.name) c
           where m.type = 'table' and c.name = 'server_id' order by 1`
        : `select table_name as name from information_schema.columns
           where column_name = 'server_id' and table_schema = 'public' order by 1`,
    );

    expect(rows.map(({ name }) => name)).toEqual([...ownedTables, "removals"].sort());
  });
});
