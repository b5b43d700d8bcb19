import { type Database, describeDatabaseFailure, openDatabase } from "../database/index.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createContinuations } from "./continuations.ts";
import { createCredentials } from "./credentials.ts";
import { eraseServer } from "./erase-server.ts";
import { exportServer } from "./export-server.ts";
import { answer, change } from "./failure.ts";
import { checkMasterKeys } from "./master-keys.ts";
import { passwordsOf } from "./passwords.ts";
import { createRecords } from "./records.ts";
import { createRevocations, type OnRevocation } from "./revocations.ts";
import { createRotation } from "./rotation/open-rotation.ts";
import { createKeyring, type MasterKey } from "./seal.ts";
import { createSettings } from "./settings.ts";
import { createTickets } from "./tickets.ts";

export interface OpenStoreOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** Master keys; the first seals, all open. */
  readonly keys: readonly MasterKey[];
  /** Told every secret that is opened or written, so that the log can remove it by value. */
  readonly onSecret?: ((secret: string) => void) | undefined;
  /** Told what is doubtful about a database server, in words for the log. */
  readonly onWarning?: (what: string) => void;
  readonly onRevocation?: OnRevocation | undefined;
  /** In place of the database's own clock. */
  readonly now?: () => number;
}

/** The same over a database that is open already; whoever opened it closes it. */
interface StoreOverOptions extends Omit<OpenStoreOptions, "url" | "onWarning" | "now"> {
  readonly database: Database;
}

export type Store = Awaited<ReturnType<typeof createStore>>;

/**
 * Opens the database, makes its file or tables on first use, and checks that the master keys fit what is in it.
 * @throws ConfigError `store_keys`, or as `openDatabase`.
 */
export async function openStore({ url, onWarning, now, ...options }: OpenStoreOptions) {
  for (const password of passwordsOf(url)) options.onSecret?.(password);
  const database = await openDatabase({ url, onWarning, now });
  try {
    return await createStore({ database, ...options });
  } catch (error) {
    await database.close();
    throw describeDatabaseFailure(error);
  }
}

/** The typed stores over a database that is open. @throws ConfigError `store_keys`. */
export async function createStore(options: StoreOverOptions) {
  const { database, keys, onSecret = () => undefined, onRevocation } = options;
  const keyring = createKeyring(keys);
  const records = createRecords(database);
  await checkMasterKeys(records, keyring);
  const deps = { records, keyring, onSecret };
  const credentials = createCredentials(deps);
  const settings = createSettings(records);
  const revocations = createRevocations({ ...deps, onRevocation });
  return {
    /** What it lies on, with everything else that is stored; `close` closes it. */
    database,
    ...{ credentials, settings, revocations },
    accessTokens: createAccessTokens(deps),
    tickets: createTickets(deps),
    continuations: createContinuations(records),
    /** @throws ServiceError `store_unavailable`. */
    exportServer: (guildId: string) =>
      change(() => exportServer({ database, credentials, settings }, guildId)),
    /**
     * Removes all that is stored about a server, in every table. The consents of its channels are written down to be ended as
     * its links go. @throws ServiceError `store_unavailable`, outcome `part`; call it again then.
     */
    eraseServer: (guildId: string) =>
      change(() => eraseServer({ database, credentials, revocations }, guildId), "part"),
    /** Writes, reads and removes a row of its own. */
    ping: () => ping(database),
    close: () => database.close(),
  };
}

/**
 * What an operator wants to know about a store, beside the processes that use it. Leaves nothing there; but a file or table
 * that is missing is made.
 * @throws ConfigError as `openStore`, but for keys that do not fit: those are told; ServiceError `store_unavailable`.
 */
export async function inspectStore({ url, keys }: Pick<OpenStoreOptions, "url" | "keys">) {
  const keyring = createKeyring(keys);
  /** What is doubtful about a database server. */
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
  return answer(async () => {
    await database.ping();
    return true as const;
  });
}
