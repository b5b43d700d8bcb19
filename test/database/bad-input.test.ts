import {
  copyFileSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { openDatabase, sql } from "../../src/database/index.ts";
import { temporaryFolder } from "../store/setup.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { fillServer } from "./fill.ts";
import { guild, openFor, otherGuild, rowsOf } from "./open.ts";

describe("openDatabase", () => {
  onEach((kind) => {
    afterAll(() => kind().stop());

    it("works with a newer schema whose floor it knows, and says so", async () => {
      const place = await kind().fresh();
      await place.query("create table later (id integer)");
      await place.query("insert into kysely_migration values ('0999-later', '2030-01-01')");
      const warnings: string[] = [];

      const database = await openFor({
        url: place.url,
        onWarning: (what) => warnings.push(what),
      });
      await fillServer(database, guild, { rows: 1 });

      expect(warnings.filter((what) => what.includes("0999-later"))).toHaveLength(1);
      expect(await rowsOf(place, "held_comments")).toBe(1);
    });

    it("refuses a database of a newer version whose floor it does not know, and changes nothing", async () => {
      const place = await kind().fresh();
      const database = await openDatabase({ url: place.url });
      await fillServer(database, guild, { rows: 1 });
      await database.close();
      await place.query("insert into kysely_migration values ('0999-later', '2030-01-01')");
      await place.query("update schema_floor set migration = '0999-later'");

      await expect(openDatabase({ url: place.url })).rejects.toMatchObject({
        code: "store_newer",
        message: expect.stringContaining("0999-later"),
        hint: expect.stringContaining("Start the version"),
      });

      expect(await rowsOf(place, "held_comments")).toBe(1);
      await place.query("delete from kysely_migration where name = '0999-later'");
      const again = await openFor({ url: place.url });
      expect(await again.servers.page()).toEqual([guild]);
    });

    it("refuses one from before the first schema, says how to begin anew, and touches nothing", async () => {
      const place = await kind().empty();
      const table = kind().dialect === "sqlite" ? "entries" : "greenroom_entries";
      await place.query(`create table ${table} (key text primary key, value text)`);
      await place.query(`insert into ${table} values ('settings:1', '{}')`);

      await expect(openDatabase({ url: place.url })).rejects.toMatchObject({
        code: "store_former",
        hint: expect.stringMatching(/nothing was changed.*STORE_URL/),
      });

      const tables = await place.query(
        kind().dialect === "sqlite"
          ? "select name from sqlite_master where type = 'table'"
          : "select tablename as name from pg_tables where schemaname = 'public'",
      );
      expect(tables).toEqual([{ name: table }]);
      expect(await rowsOf(place, table)).toBe(1);
    });
  });

  it("says that a file is no database of its own", async () => {
    const path = join(temporaryFolder(), "a.sqlite");
    const text = "This is a letter to my aunt. ".repeat(500);
    writeFileSync(path, text);

    await expect(openDatabase({ url: `sqlite:${path}` })).rejects.toMatchObject({
      code: "store_file",
      message: expect.stringContaining("not a database"),
    });

    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it.each(["sqlite:", "mysql://localhost/x", "redis://localhost", "a.sqlite", ""])(
    "refuses the address %j",
    async (url) => {
      await expect(openDatabase({ url })).rejects.toMatchObject({ code: "store_url" });
    },
  );
});

describe("a damaged file", () => {
  async function filled() {
    const path = join(temporaryFolder(), "a.sqlite");
    const database = await openDatabase({ url: `sqlite:${path}` });
    await fillServer(database, guild, { rows: 500 });
    await fillServer(database, otherGuild, { rows: 500 });
    await database.close();
    return path;
  }

  it.each([
    ["cut short", (path: string) => truncateSync(path, 12_288)],
    ["overwritten at its start", (path: string) => overwrite(path, 100, 4_000)],
  ])("is refused in words when it is %s", async (_, damage) => {
    const path = await filled();
    damage(path);
    const before = readFileSync(path);

    await expect(openDatabase({ url: `sqlite:${path}` })).rejects.toMatchObject({
      code: "store_file",
      message: expect.stringMatching(/malformed|not a database/),
      // Error 5 would mean a lock, the only error that is waited for: https://www.sqlite.org/rescode.html
      cause: { errcode: expect.toBeOneOf([11, 26]) },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("fails where the damage is, says so, and serves the rest", async () => {
    const path = await filled();
    const pages = pagesOf(path, "audit_log");
    for (const page of pages) overwrite(path, (page - 1) * 4_096, 4_096);
    const database = await openFor({ url: `sqlite:${path}` });

    const failing = database.db.selectFrom("audit_log").selectAll().execute();

    await expect(failing).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("damaged"),
    });
    const comments = await database.db.selectFrom("held_comments").select("id").execute();
    expect(comments).toHaveLength(1_000);
  });
});

describe("a full disk", () => {
  it("refuses what has no room, whole, and goes on once there is some", async () => {
    const path = join(temporaryFolder(), "a.sqlite");
    const database = await openFor({ url: `sqlite:${path}` });
    await fillServer(database, guild, { rows: 10 });
    const [size] = await pragma("page_count");
    await pragma(`max_page_count = ${Number(size) + 3}`);

    const failing = fillServer(database, otherGuild, { rows: 500 });
    await expect(failing).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("full"),
    });
    expect(await count()).toBe(10);
    await pragma("max_page_count = 1000000");
    await database.servers.runFor(otherGuild, () =>
      fillServer(database, otherGuild, { rows: 500 }),
    );

    expect(await count()).toBe(510);
    const [problems] = await pragma("integrity_check");
    expect(problems).toBe("ok");

    async function pragma(text: string): Promise<readonly unknown[]> {
      const { rows } = await sql
        .raw<Record<string, unknown>>(`pragma ${text}`)
        .execute(database.db);
      return rows.flatMap((row) => Object.values(row));
    }

    async function count(): Promise<number> {
      const rows = await database.db.selectFrom("held_comments").select("id").execute();
      return rows.length;
    }
  });
});

function overwrite(path: string, from: number, bytes: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(bytes, 0x5a), 0, bytes, from);
}

/** The page numbers of a table's leaf pages. */
function pagesOf(path: string, table: string): readonly number[] {
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  const file = new DatabaseSync(copy);
  const rows = file
    .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf'")
    .all(table);
  file.close();
  return rows.map(({ pageno }) => Number(pageno));
}
