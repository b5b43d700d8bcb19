import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CompiledQuery, sql } from "kysely";
import { InputError } from "../errors.ts";
import type { Database } from "./open-database.ts";
import type { Tables } from "./schema.ts";

/**
 * Discord's servers as owners of rows. Each has an id of its own that ends when the server is erased, so that whatever was
 * begun before leaves nothing, in this process or in another, even where the server is set up again by then.
 */
export interface Servers {
  /** Undefined where nothing is stored about it. @throws ServiceError `store_unavailable`. */
  find(guildId: string): Promise<number | undefined>;
  /** For a write: made where there is none yet. @throws ServiceError `store_unavailable`. */
  need(guildId: string): Promise<number>;
  /** Does a work whose writes for that server fail with ServiceError `guild_erased` once the server is erased. */
  runFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** The same, begun before the database has answered: for what a person waits for. */
  answerFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** Those after that one, in the order of their ids, at most 1,000. */
  page(after?: string): Promise<readonly string[]>;
  /**
   * Removes a server, watch or feed first, so that a write that comes too late fails, and then all that belongs to it.
   * SQLite does that in slices, so that the process goes on meanwhile.
   */
  remove(what: Removed): Promise<void>;
  /** Removes rows of what was removed by a process that ended before it was done. */
  removeLeftovers(): Promise<void>;
}

export type Removed =
  | { readonly table: "servers"; readonly serverId: number }
  | { readonly table: "watches" | "feeds"; readonly serverId: number; readonly id: string };

/** Which rows go with which, and by which column. A row of a server's goes in the order of this list. */
const owned = {
  servers: [
    ["keyv", "server_id"],
    ["linked_channels", "server_id"],
    ["jobs", "server_id"],
    ["held_comments", "server_id"],
    ["digests", "server_id"],
    ["announcements", "server_id"],
    ["watches", "server_id"],
    ["feeds", "server_id"],
    ["authors", "server_id"],
    ["audit_log", "server_id"],
    ["rule_books", "server_id"],
    ["saved_replies", "server_id"],
    ["spending", "server_id"],
  ],
  watches: [
    ["held_comments", "watch_id"],
    ["digests", "watch_id"],
  ],
  feeds: [["announcements", "feed_id"]],
} as const satisfies Record<Removed["table"], readonly (readonly [keyof Tables, string])[]>;

const pageSize = 1_000;
/** Rows that one statement deletes; between two of them other work goes on. */
const sliceRows = 200;

interface Work {
  readonly guildId: string;
  serverId: Promise<number | undefined>;
}

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/u;

export function createServers({
  db,
  dialect,
  ...database
}: Pick<Database, "db" | "dialect" | "now">): Servers {
  const works = new AsyncLocalStorage<Work>();

  async function read(guildId: string): Promise<number | undefined> {
    const row = await db
      .selectFrom("servers")
      .select("id")
      .where("guild_id", "=", checkGuildId(guildId))
      .executeTakeFirst();
    return row?.id;
  }

  async function add(guildId: string): Promise<number> {
    await db
      .insertInto("servers")
      .values({ guild_id: guildId, added_at: database.now() })
      .onConflict((conflict) => conflict.column("guild_id").doNothing())
      .execute();
    const id = await read(guildId);
    if (id === undefined) throw new Error("a server was removed while it was added");
    return id;
  }

  function begin(guildId: string): Work {
    const serverId = read(guildId);
    // A work that asks for nothing of the server's never hears of it.
    serverId.catch(() => undefined);
    return { guildId, serverId };
  }

  async function find(guildId: string): Promise<number | undefined> {
    const work = works.getStore();
    return work?.guildId === guildId ? work.serverId : read(guildId);
  }

  async function need(guildId: string): Promise<number> {
    const known = await find(guildId);
    if (known !== undefined) return known;
    const id = await add(checkGuildId(guildId));
    const work = works.getStore();
    if (work?.guildId === guildId) work.serverId = Promise.resolve(id);
    return id;
  }

  /** The row alone, and that the rest has to go: from then on nothing is added to what hangs on it. */
  async function cutOff(removed: Removed): Promise<void> {
    const { table, serverId } = removed;
    const by =
      table === "servers"
        ? sql`id = ${serverId}`
        : sql`server_id = ${serverId} and id = ${removed.id}`;
    const statement = sql`delete from ${sql.table(table)} where ${by}`;
    // Its foreign keys take the rest with it, and nobody else waits meanwhile.
    if (dialect === "postgres") return void (await statement.execute(db));
    const part_id = table === "servers" ? "" : removed.id;
    await db.connection().execute(async (connection) => {
      const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text));
      await run("PRAGMA foreign_keys = OFF");
      await run("BEGIN IMMEDIATE");
      try {
        await connection
          .insertInto("removals")
          .values({ parent: table, server_id: serverId, part_id })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await statement.execute(connection);
        await run("COMMIT");
      } catch (error) {
        await run("ROLLBACK");
        throw error;
      } finally {
        await run("PRAGMA foreign_keys = ON");
      }
    });
  }

  async function removeRest({ table: parent, serverId }: Removed, partId: string): Promise<void> {
    for (const [table, column] of owned[parent]) {
      const ofServer = sql`server_id = ${serverId}`;
      const where =
        parent === "servers" ? ofServer : sql`${ofServer} and ${sql.ref(column)} = ${partId}`;
      await removeInSlices(table, where);
    }
    await db
      .deleteFrom("removals")
      .where("parent", "=", parent)
      .where("server_id", "=", serverId)
      .where("part_id", "=", partId)
      .execute();
  }

  /** Answers when none is left. */
  async function removeInSlices(table: keyof Tables, where: ReturnType<typeof sql>): Promise<void> {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where rowid in (
          select rowid from ${sql.table(table)} where ${where} limit ${sliceRows})`.execute(db);
      if (numAffectedRows < BigInt(sliceRows)) return;
      await nextTurn();
    }
  }

  return {
    find,
    need,
    runFor: async (guildId, work) => {
      const begun = begin(guildId);
      // A database that fails tells the work so itself.
      await begun.serverId.catch(() => undefined);
      return works.run(begun, work);
    },
    answerFor: async (guildId, work) => works.run(begin(guildId), work),
    page: async (after = "") => {
      const rows = await db
        .selectFrom("servers")
        .select("guild_id")
        .where("guild_id", ">", after)
        .orderBy("guild_id")
        .limit(pageSize)
        .execute();
      return rows.map((row) => row.guild_id);
    },
    remove: async (removed) => {
      await cutOff(removed);
      if (dialect === "postgres") return;
      await removeRest(removed, removed.table === "servers" ? "" : removed.id);
      await truncateLog();
    },
    removeLeftovers: async () => {
      const rows = await db.selectFrom("removals").selectAll().execute();
      for (const { parent, server_id: serverId, part_id: id } of rows) {
        await removeRest({ table: parent, serverId, id }, id);
      }
    },
  };

  /** The log holds pages as they were before. What another process still reads of it goes with the next one. */
  async function truncateLog(): Promise<void> {
    await db.executeQuery(CompiledQuery.raw("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
}

/** @throws InputError for what is no Discord id. */
export function checkGuildId(guildId: string): string {
  if (snowflake.test(guildId)) return guildId;
  throw new InputError("a guild id for the store is not a snowflake", {
    code: "guild_id",
    hint: "Use this command inside a server.",
  });
}
