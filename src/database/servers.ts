import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";
import { InputError } from "../errors.ts";
import { createRowReader } from "./batches.ts";
import type { Database, ServerRemoval, Servers } from "./database.ts";
import { removeInSlices } from "./remove-in-slices.ts";
import type { Tables } from "./schema.ts";

const itemKey = ["server_id", "watch_id", "id"] as const;
const announcementKey = ["server_id", "feed_id", "video_id"] as const;
const partKey = ["server_id", "id"] as const;

/**
 * Which rows are removed with which, by which column, and their keys. A server's rows are removed in this order: secrets first.
 */
const owned = {
  servers: [
    ["interactions", "server_id", "id"],
    ["files", "server_id", "id"],
    ["continuations", "server_id", "id"],
    ["keyv", "server_id", "key"],
    ["linked_channels", "server_id", "server_id", "channel_id"],
    ["refresh_claims", "server_id", "server_id", "channel_id"],
    ["jobs", "server_id", "queue", "key"],
    ["held_comments", "server_id", ...itemKey],
    ["digests", "server_id", ...itemKey],
    ["announcements", "server_id", ...announcementKey],
    ["watches", "server_id", ...partKey],
    ["feeds", "server_id", ...partKey],
    ["authors", "server_id", ...partKey],
    ["author_notes", "server_id", "server_id", "author_id", "id"],
    ["audit_log", "server_id", ...partKey],
    ["rule_books", "server_id", "server_id"],
    ["rule_list_contents", "server_id", "server_id", "list_id"],
    ["rule_lists", "server_id", ...partKey],
    ["rule_shares", "server_id", ...partKey],
    ["saved_replies", "server_id", ...partKey],
    [
      "spending",
      ...["server_id", "server_id", "day", "project", "bucket"],
      ...["user_id", "command", "method", "purpose"],
    ],
    ["quota_servers", "server_id", "server_id", "project"],
    ["quota_channels", "server_id", "server_id", "project", "channel_id"],
  ],
  watches: [
    ["held_comments", "watch_id", ...itemKey],
    ["digests", "watch_id", ...itemKey],
  ],
  feeds: [["announcements", "feed_id", ...announcementKey]],
} as const satisfies Record<
  ServerRemoval["table"],
  readonly (readonly [table: keyof Tables, column: string, ...key: string[]])[]
>;

const pageSize = 1_000;

interface ServerWork {
  readonly guildId: string;
  serverId: Promise<number | undefined>;
  /** Its row when the work began; undefined where it was not read. */
  readonly row?: Promise<ServerRow | undefined>;
}

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/u;

type ServersBase = Omit<Database, "servers" | "ping" | "close">;

interface ServerRow {
  readonly id: number;
  readonly changes: number;
}

/** `withoutForeignKeys` runs a transaction in which SQLite does not delete rows along with those that they refer to. */
export function createServers(
  database: ServersBase,
  withoutForeignKeys: Database["transaction"],
): Servers {
  const { db, dialect, now, afterCommit, wipe } = database;
  /** Gives work for a server the id that the server had when the work began. */
  const serverWork = new AsyncLocalStorage<ServerWork>();
  const readRow = createRowReader(database, readServers(database));
  const read = async (guildId: string) => readRow(checkSnowflake(guildId));

  function begin(guildId: string): ServerWork {
    const row = read(guildId);
    const serverId = row.then((found) => found?.id);
    // Work that uses neither must not fail because of this.
    for (const each of [serverId, row]) each.catch(() => undefined);
    return { guildId, serverId, row };
  }

  async function find(guildId: string): Promise<number | undefined> {
    const work = serverWork.getStore();
    const known = work?.guildId === guildId ? await work.serverId : undefined;
    return known ?? (await read(guildId))?.id;
  }

  async function removeRest(parent: ServerRemoval["table"], serverId: number, partId: string) {
    for (const [table, column, ...key] of owned[parent]) {
      const isPart = parent === "servers" ? sql`` : sql`and ${sql.ref(column)} = ${partId}`;
      await removeInSlices(database, { table, key, where: sql`server_id = ${serverId} ${isPart}` });
    }
    await db
      .deleteFrom("removals")
      .where("parent", "=", parent)
      .where("server_id", "=", serverId)
      .where("part_id", "=", partId)
      .execute();
  }

  return {
    find,
    need: async (guildId) => {
      const known = await find(guildId);
      if (known !== undefined) return known;
      await db
        .insertInto("servers")
        .values({ guild_id: guildId, added_at: now() })
        .onConflict((conflict) => conflict.column("guild_id").doNothing())
        .execute();
      const id = (await read(guildId))?.id;
      if (id === undefined) throw new Error("a server was removed while it was added");
      const work = serverWork.getStore();
      // Only after the commit: an id that is rolled back was never there.
      if (work?.guildId === guildId) {
        afterCommit(() => {
          work.serverId = Promise.resolve(id);
        });
      }
      return id;
    },
    runFor: async (guildId, work, serverId) => {
      const begun = serverId ? { guildId, serverId: Promise.resolve(serverId) } : begin(guildId);
      // If the database fails, the work's own queries fail too.
      await begun.serverId.catch(() => undefined);
      return serverWork.run(begun, work);
    },
    answerFor: async (guildId, work) =>
      guildId === undefined ? work() : serverWork.run(begin(guildId), work),
    version: async (guildId) => {
      if (dialect === "sqlite") return "";
      const work = serverWork.getStore();
      const known = work?.guildId === guildId ? work.row : undefined;
      const row = await (known ?? read(guildId));
      // A server that was erased and added again has another id.
      return row === undefined ? "" : `${row.id}.${row.changes}`;
    },
    noteChange: async (guildId) => {
      if (dialect === "sqlite") return;
      await db
        .updateTable("servers")
        .set({ changes: sql<number>`changes + 1` })
        .where("guild_id", "=", guildId)
        .execute();
    },
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
    remove: async (removed, before = async () => undefined) => {
      const { table, serverId } = removed;
      const [partId, by] =
        table === "servers"
          ? ["", sql`id = ${serverId}`]
          : [removed.id, sql`server_id = ${serverId} and id = ${removed.id}`];
      const isRemoved = await withoutForeignKeys(async () => {
        if ((await before()) === false) return false;
        if (dialect === "sqlite") {
          await db
            .insertInto("removals")
            .values({ parent: table, server_id: serverId, part_id: partId })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        // From now on nothing that refers to it can be added. PostgreSQL's foreign keys remove the rest with it, and nobody
        // else waits meanwhile.
        await sql`delete from ${sql.table(table)} where ${by}`.execute(db);
        return true;
      });
      if (!isRemoved || dialect === "postgres") return isRemoved;
      await removeRest(table, serverId, partId);
      await wipe();
      return true;
    },
    removeLeftovers: async () => {
      const rows = await db.selectFrom("removals").selectAll().execute();
      for (const { parent, server_id, part_id } of rows) {
        await removeRest(parent, server_id, part_id);
      }
      if (rows.length > 0) await wipe();
    },
  };
}

/** The query is built only once, because every interaction reads its server. */
function readServers({ db, dialect }: ServersBase) {
  const isPostgres = dialect === "postgres";
  const query = db
    .selectFrom("servers")
    .select(["guild_id", "id", "changes"])
    .where(isPostgres ? sql<boolean>`guild_id = any(${[]})` : sql<boolean>`guild_id = ${""}`)
    .compile();
  return async (guildIds: readonly string[]): Promise<readonly (ServerRow | undefined)[]> => {
    const { rows } = await db.executeQuery<ServerRow & { guild_id: string }>({
      ...query,
      parameters: [isPostgres ? guildIds : guildIds[0]],
    });
    if (!isPostgres) return rows;
    const servers = new Map(rows.map((row) => [row.guild_id, row]));
    return guildIds.map((guildId) => servers.get(guildId));
  };
}

/** @throws InputError for what is no Discord id. */
export function checkSnowflake(guildId: string): string {
  if (snowflake.test(guildId)) return guildId;
  throw new InputError("a server's id for the store is not a snowflake", { code: "guild_id" });
}
