import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createRecordTable } from "../../src/database/index.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { fillServer, ownedTables } from "./fill.ts";
import { guild, openFor, otherGuild, rowsOf } from "./open.ts";

const script = fileURLToPath(new URL("./process.ts", import.meta.url));

/** Returns what a process that opens the database printed, or the signal that ended it. */
async function run(url: string, ...args: readonly (string | number)[]): Promise<string> {
  const child = spawn(process.execPath, [script, url, ...args.map(String)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  const [, signal] = await once(child, "close");
  return signal === null ? said : String(signal);
}

onEach((kind) => {
  afterAll(() => kind().stop());

  it("begins anew after a process that was killed halfway through its migration", async () => {
    const place = await kind().empty();
    for (const statement of [1, 4, 5, 8, 20, 40, 60]) {
      const said = await run(place.url, statement, guild);
      if (said === "done") break;
      expect(said).toBe("SIGKILL");
    }

    expect(await run(place.url, 0, guild)).toBe("done");
    const database = await openFor({ url: place.url });
    const books = createRecordTable<"rule_books", { n: number }>(database, {
      table: "rule_books",
      key: [],
    });

    expect((await books.read(guild))?.n).toBeGreaterThan(0);
  });

  it("is opened by several processes at once that find nothing there", async () => {
    const place = await kind().empty();

    const said = await Promise.all(Array.from({ length: 4 }, () => run(place.url, 0, guild)));

    expect(said).toEqual(Array(4).fill("done"));
    const [row] = await place.query("select data from rule_books");
    expect(row?.data).toBe('{"n":4}');
    expect(await rowsOf(place, "servers")).toBe(1);
  });

  it("finishes an erasure whose process was killed halfway, or has it never begun", async () => {
    const place = await kind().fresh();
    const counts = async () =>
      Object.fromEntries(
        await Promise.all(ownedTables.map(async (table) => [table, await rowsOf(place, table)])),
      );
    const database = await openFor({ url: place.url });
    await fillServer(database, otherGuild, { rows: 3 });
    const others = await counts();
    for (const statement of [1, 3, 4, 9, 16, 25]) {
      await database.servers.runFor(guild, () => fillServer(database, guild, { rows: 120 }));
      const before = await counts();

      const said = await run(place.url, 0, guild, "erase", statement);
      if (said !== "done") expect(said).toBe("SIGKILL");
      const isBegun = (await database.servers.find(guild)) === undefined;
      const isHalfway = (await rowsOf(place, "removals")) > 0;
      expect(await run(place.url, 0, otherGuild)).toBe("done");

      expect({ statement, ...(await counts()) }).toEqual({
        statement,
        ...(isBegun ? others : before),
        rule_books: isBegun ? 1 : 2,
      });
      expect(await rowsOf(place, "removals")).toBe(0);
      if (kind().dialect === "sqlite") {
        expect({ statement, isHalfway }).toEqual({ statement, isHalfway: statement > 3 });
      }
      const serverId = await database.servers.find(guild);
      if (serverId !== undefined) await database.servers.remove({ table: "servers", serverId });
    }
  });
});
