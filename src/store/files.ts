import { checkSnowflake, type Database, sql } from "../database/index.ts";
import { BotError } from "../errors.ts";
import { readStore, readValue, writeStore } from "./failure.ts";
import { hashToRecordId } from "./ids.ts";
import {
  isUnreadable,
  type Keyring,
  openSealedBytes,
  type SealContext,
  sealBytes,
} from "./seal.ts";

export interface StoredFilesLimits {
  readonly maxServerBytes: number;
  readonly maxBytes: number;
}

const storedMs = 15 * 60_000;
const mebibyte = 1024 * 1024;
/** What is smaller needs no room made for it. */
const smallBytes = 4_096;
const usualLimits: StoredFilesLimits = { maxServerBytes: 64 * mebibyte, maxBytes: 512 * mebibyte };

export type StoredFiles = NonNullable<ReturnType<typeof createFiles>>;

/**
 * Files of servers that other processes may need soon, sealed. They expire by themselves. Undefined on SQLite, where one
 * process lives and keeps what it needs in its memory. All throw ServiceError `store_unavailable`.
 */
export function createFiles(database: Database, keyring: Keyring, limits = usualLimits) {
  if (database.dialect === "sqlite") return undefined;
  const { db, now, servers } = database;
  return {
    /**
     * Stores a file for a quarter of an hour; one that is stored under this handle already stays. The server's oldest files, or
     * those of all, make room for it; a file that is larger than a server's room is not stored.
     * @throws ServiceError `guild_erased`.
     */
    put: (guildId: string, handle: string, bytes: Uint8Array): Promise<void> =>
      writeStore(async () => {
        if (bytes.byteLength > limits.maxServerBytes) return;
        const serverId = await servers.need(guildId);
        const content = sealBytes(keyring, fileContext(guildId, handle), bytes);
        await sql`
          insert into files (id, server_id, content, size, expires_at)
          values (${fileId(guildId, handle)}, ${serverId}, ${content}, ${content.length}, ${now() + storedMs})
          on conflict (id) do nothing`.execute(db);
        if (bytes.byteLength > smallBytes) await makeRoom(database, limits);
      }),
    remove: (guildId: string, handle: string): Promise<void> =>
      writeStore(async () => {
        await sql`delete from files where id = ${fileId(guildId, handle)}`.execute(db);
      }),
    /** Undefined if it expired, made room for others, or belongs to another server. */
    async get(guildId: string, handle: string): Promise<Buffer | undefined> {
      const read = await readStore(async () => {
        const { rows } = await sql<{ content: Uint8Array }>`
          select content from files
          where id = ${fileId(guildId, handle)} and expires_at > ${now()}`.execute(db);
        return rows[0] && openSealedBytes(keyring, fileContext(guildId, handle), rows[0].content);
      });
      if (read.state !== "failed") return readValue(read);
      const { error } = read;
      // Sealed with a key that the operator has removed since, or changed: as good as gone.
      const isLost = error instanceof BotError && error.code === "store_keys";
      if (isLost || isUnreadable(error)) return undefined;
      throw error;
    },
  };
}

/** The handle can't be read from it. */
function fileId(guildId: string, handle: string): string {
  return hashToRecordId(`file ${checkSnowflake(guildId)} ${handle}`);
}

function fileContext(guildId: string, handle: string): SealContext {
  return { purpose: "file", guildId, kind: "file", field: handle };
}

/** Removes what has expired, and the oldest files beyond the limits. Processes that do so at once don't wait for each other. */
async function makeRoom(
  { db, now, skipLocked }: Database,
  { maxServerBytes, maxBytes }: StoredFilesLimits,
): Promise<void> {
  await sql`
    delete from files where id in (
      select id from files where expires_at <= ${now()} or id in (
        select id from (
          select id,
            sum(size) over (order by expires_at desc, id) as of_all,
            sum(size) over (partition by server_id order by expires_at desc, id) as of_server
          from files where expires_at > ${now()}) as sums
        where of_all > ${maxBytes} or of_server > ${maxServerBytes})
      ${skipLocked})`.execute(db);
}
