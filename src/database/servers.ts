import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";
import { InputError } from "../errors.ts";
import type { Database } from "./open-database.ts";
import type { Tables } from "./schema.ts";
import { removeInSlices } from "./slices.ts";

/**
 * Discord's servers as owners of rows. Each has an id of its own that ends when the server is erased, so that whatever was
 * begun before leaves nothing, in this process or in another, even where the server is set up again by then.
 */
export interface Servers {
  /** Undefined where nothing is stored about it. @throws ServiceError `store_unavailable`. */
  find(guildId: string): Promise<number | undefined>;
  /** For a write: made where there is none yet. @throws ServiceError `store_unavailable`. */
  need(guildId: string): Promise<number>;
  /**
   * Does a work whose writes for that server fail with ServiceError `guild_erased` once the server is erased. `serverId` is its
   * own where that is known, and read where it is not.
   */
  runFor<T>(guildId: string, work: () => Promise<T>, serverId?: number): Promise<T>;
  /** The same, begun before the database has answered: for what a person waits for. */
  answerFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** Those after that one, in the order of their ids, at most 1,000. */
  page(after?: string): Promise<readonly string[]>;
  /**
   * Removes a server, watch or feed first, so that a write that comes too late fails, and then all that belongs to it.
   * SQLite does that in slices, so that the process goes on meanwhile. `before` is part of the transaction that removes it.
   * To remove it again finishes what was begun.
   */
  remove(what: Removed, before?: () => Promise<void>): Promise<void>;
  /** Removes rows of what was removed by a process that ended before it was done. */
  removeLeftovers(): Promise<void>;
}

export type Removed =
  | { readonly table: "servers"; readonly serverId: number }
  | { readonly table: "watches" | "feeds"; readonly serverId: number; readonly id: string };

const itemKey = ["server_id", "watch_id", "id"] as const;
const announcementKey = ["server_id", "feed_id", "video_id"] as const;
const partKey = ["server_id", "id"] as const;

/** Which rows go with which, by which column, and their keys. A server's go in the order of this list: secrets first. */
const owned = {
  servers: [
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
    ["audit_log", "server_id", ...partKey],
    ["rule_books", "server_id", "server_id"],
    ["saved_replies", "server_id", ...partKey],
    [
      "spending",
      ...["server_id", "server_id", "day", "project", "bucket"],
      ...["user_id", "command", "method", "purpose"],
    ],
    ["quota_servers", "server_id", "server_id", "project"],
  ],
  watches: [
    ["held_comments", "watch_id", ...itemKey],
    ["digests", "watch_id", ...itemKey],
  ],
  feeds: [["announcements", "feed_id", ...announcementKey]],
} as const satisfies Record<
  Removed["table"],
  readonly (readonly [table: keyof Tables, column: string, ...key: string[]])[]
>;

const pageSize = 1_000;

interface Work {
  readonly guildId: string;
  serverId: Promise<number | undefined>;
}

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/u;

interface ServersDeps
  extends Pick<
    Database,
    "db" | "dialect" | "now" | "afterCommit" | "hurriedly" | "settled" | "wipe"
  > {
  /** A transaction in which SQLite does not take rows with what they hang on. */
  readonly withoutForeignKeys: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createServers(deps: ServersDeps): Servers {
  const { db, dialect } = deps;
  return {
    ...createServerIds(deps),
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
      await cutOff(deps, removed, before);
      if (dialect === "postgres") return;
      await removeRest(deps, removed, partIdOf(removed));
      await deps.wipe();
    },
    removeLeftovers: async () => {
      const rows = await db.selectFrom("removals").selectAll().execute();
      for (const { parent, server_id: serverId, part_id: id } of rows) {
        await removeRest(deps, { table: parent, serverId, id }, id);
      }
      if (rows.length > 0) await deps.wipe();
    },
  };
}

type ServerIds = Pick<Servers, "find" | "need" | "runFor" | "answerFor">;

/** A work that is done for a server keeps the id that the server had when it was begun. */
function createServerIds({ db, now, afterCommit }: ServersDeps): ServerIds {
  const works = new AsyncLocalStorage<Work>();
  const read = (guildId: string) => readId(db, guildId);

  function begin(guildId: string): Work {
    const serverId = read(guildId);
    // A work that asks for nothing of the server's never hears of it.
    serverId.catch(() => undefined);
    return { guildId, serverId };
  }

  async function find(guildId: string): Promise<number | undefined> {
    const work = works.getStore();
    const known = work?.guildId === guildId ? await work.serverId : undefined;
    return known ?? read(guildId);
  }

  return {
    find,
    need: async (guildId) => {
      const known = await find(guildId);
      if (known !== undefined) return known;
      const id = await addServer(db, guildId, now());
      const work = works.getStore();
      // What is rolled back was never there.
      if (work?.guildId === guildId) {
        afterCommit(() => {
          work.serverId = Promise.resolve(id);
        });
      }
      return id;
    },
    runFor: async (guildId, work, serverId) => {
      const known = serverId && { guildId, serverId: Promise.resolve(serverId) };
      const begun = known || begin(guildId);
      // A database that fails tells the work so itself.
      await begun.serverId.catch(() => undefined);
      return works.run(begun, work);
    },
    answerFor: async (guildId, work) => works.run(begin(guildId), work),
  };
}

async function readId(db: Database["db"], guildId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("servers")
    .select("id")
    .where("guild_id", "=", checkGuildId(guildId))
    .executeTakeFirst();
  return row?.id;
}

async function addServer(db: Database["db"], guildId: string, now: number): Promise<number> {
  await db
    .insertInto("servers")
    .values({ guild_id: guildId, added_at: now })
    .onConflict((conflict) => conflict.column("guild_id").doNothing())
    .execute();
  const id = await readId(db, guildId);
  if (id === undefined) throw new Error("a server was removed while it was added");
  return id;
}

/** Of a server as a whole empty. */
function partIdOf(removed: Removed): string {
  return removed.table === "servers" ? "" : removed.id;
}

/** The row alone, and that the rest has to go: from then on nothing is added to what hangs on it. */
async function cutOff(
  { db, dialect, withoutForeignKeys }: ServersDeps,
  removed: Removed,
  before: () => Promise<void>,
): Promise<void> {
  const { table, serverId } = removed;
  const partId = partIdOf(removed);
  const by =
    table === "servers" ? sql`id = ${serverId}` : sql`server_id = ${serverId} and id = ${partId}`;
  await withoutForeignKeys(async () => {
    await before();
    if (dialect === "sqlite") {
      await db
        .insertInto("removals")
        .values({ parent: table, server_id: serverId, part_id: partId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    // PostgreSQL's foreign keys take the rest with it, and nobody else waits meanwhile.
    await sql`delete from ${sql.table(table)} where ${by}`.execute(db);
  });
}

async function removeRest(
  deps: ServersDeps,
  { table: parent, serverId }: Removed,
  partId: string,
): Promise<void> {
  for (const [table, column, ...key] of owned[parent]) {
    const ofServer = sql`server_id = ${serverId}`;
    const where =
      parent === "servers" ? ofServer : sql`${ofServer} and ${sql.ref(column)} = ${partId}`;
    await removeInSlices(deps, { table, key, where });
  }
  await deps.db
    .deleteFrom("removals")
    .where("parent", "=", parent)
    .where("server_id", "=", serverId)
    .where("part_id", "=", partId)
    .execute();
}

/** @throws InputError for what is no Discord id. */
export function checkGuildId(guildId: string): string {
  if (snowflake.test(guildId)) return guildId;
  throw new InputError("a guild id for the store is not a snowflake", { code: "guild_id" });
}
