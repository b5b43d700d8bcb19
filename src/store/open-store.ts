import { checkSnowflake, type Database, openDatabase, toDatabaseError } from "../database/index.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createContinuations } from "./continuations.ts";
import { createCredentials } from "./credentials.ts";
import { exportServer } from "./export-server.ts";
import { readStore, writeStore } from "./failure.ts";
import { createFiles } from "./files.ts";
import { createInteractions } from "./interactions.ts";
import { createSharedLocks } from "./locks.ts";
import { checkMasterKeys } from "./master-keys.ts";
import { createOneTimeTokens, type PushToken } from "./one-time-tokens.ts";
import { createRecords } from "./records.ts";
import { createRevocations, type OnRevocation } from "./revocations.ts";
import { createRotation } from "./rotation/open-rotation.ts";
import { createKeyring, isUnreadable, type MasterKey } from "./seal.ts";
import { createSettings } from "./settings.ts";

export interface OpenStoreOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** Master keys; the first seals, all open. */
  readonly keys: readonly MasterKey[];
  /** Called with every secret that is opened or written, so that the log can remove it by its value. */
  readonly onSecret?: ((secret: string) => void) | undefined;
  /** Called with a warning about the database server, in words for the log. */
  readonly onWarning?: (what: string) => void;
  readonly onRevocation?: OnRevocation | undefined;
  /** Called with the callbacks of a server that is erased, within the transaction that erases it. */
  readonly onPushesErased?: ((pushes: readonly PushToken[]) => Promise<unknown>) | undefined;
  /** In place of the database's own clock. */
  readonly now?: () => number;
}

export type Store = Awaited<ReturnType<typeof createStore>>;

/**
 * Opens the database, creates its file or tables on first use, and checks that the master keys fit its records.
 * @throws ConfigError `store_keys`, or as `openDatabase`.
 */
export async function openStore({ url, onWarning, now, ...options }: OpenStoreOptions) {
  for (const password of findPasswords(url)) options.onSecret?.(password);
  const database = await openDatabase({ url, onWarning, now });
  try {
    return await createStore({ database, ...options });
  } catch (error) {
    await database.close();
    throw toDatabaseError(error);
  }
}

/** The typed stores over an open database. @throws ConfigError `store_keys`. */
export async function createStore(
  options: Omit<OpenStoreOptions, "url" | "onWarning" | "now"> & { readonly database: Database },
) {
  const { database, keys, onSecret = () => undefined, onRevocation, onPushesErased } = options;
  const keyring = createKeyring(keys);
  const records = createRecords(database);
  await checkMasterKeys(records, keyring);
  const deps = { records, keyring, onSecret };
  const credentials = createCredentials(deps);
  const settings = createSettings(records);
  const revocations = createRevocations(deps, onRevocation);
  const oneTimeTokens = createOneTimeTokens(deps);

  /**
   * Runs in the transaction that removes the links, so that no consent is forgotten. Whether another server has linked
   * the channel is checked later.
   */
  async function endConsents(guildId: string): Promise<void> {
    const read = await credentials.channels(guildId);
    // A consent that does not open can't be ended at Google; its record is removed nevertheless.
    if (read.state === "failed" && !isUnreadable(read.error)) throw read.error;
    if (read.state !== "found") return;
    for (const { secret, channelId } of read.value) await revocations.add(secret, { channelId });
  }

  return {
    /** The database, with everything else that is stored; `close` closes it. */
    database,
    credentials,
    settings,
    revocations,
    /** Undefined on SQLite. */
    files: createFiles(database, keyring),
    /** One after the other across processes, by server and name. */
    turns: createSharedLocks(database),
    accessTokens: createAccessTokens(deps),
    oneTimeTokens,
    continuations: createContinuations(records),
    interactions: createInteractions(database, keyring),
    /** @throws ServiceError `store_unavailable`. */
    exportServer: (guildId: string) =>
      writeStore(() => exportServer(database, { credentials, settings }, guildId)),
    /**
     * Removes everything that is stored about a server, in every table, and records in the same transaction that the consents
     * of its channels and its subscriptions at the hub have to be ended. @throws ServiceError `store_unavailable`, outcome `part`; then call it again.
     */
    eraseServer: (guildId: string) =>
      writeStore(async () => {
        const { servers } = database;
        const serverId = await servers.find(checkSnowflake(guildId));
        if (serverId === undefined) return await servers.removeLeftovers();
        await servers.remove({ table: "servers", serverId }, async () => {
          await endConsents(guildId);
          await onPushesErased?.(await oneTimeTokens.pushes(guildId));
        });
      }, "part"),
    /** Tests the database: writes and removes a row. */
    ping: () => ping(database),
    close: database.close,
  };
}

/**
 * What an operator wants to know about a store, while other processes may use it. It stores nothing, but creates a missing file
 * or table.
 * @throws ConfigError as `openStore`, but not for keys that do not fit, which are part of the result; ServiceError
 * `store_unavailable`.
 */
export async function inspectStore({ url, keys }: Pick<OpenStoreOptions, "url" | "keys">) {
  const keyring = createKeyring(keys);
  /** Warnings about the database server. */
  const warnings: string[] = [];
  const database = await openDatabase({ url, onWarning: (what) => warnings.push(what) });
  try {
    const states = await createRotation(createRecords(database), keyring).status();
    return { pinged: await ping(database), keys: states, warnings };
  } finally {
    await database.close();
  }
}

function ping(database: Database) {
  return readStore(async () => {
    await database.ping();
    return true as const;
  });
}

/** The secrets in a store's address: its password as written, and decoded. */
export function findPasswords(url: string): readonly string[] {
  const { password = "", searchParams } = URL.parse(url) ?? {};
  const passwords = [password, decode(password), searchParams?.get("password") ?? ""];
  return [...new Set(passwords)].filter((each) => each !== "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
