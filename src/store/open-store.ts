import { describeDatabaseFailure, openDatabase } from "../database/index.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createContinuations } from "./continuations.ts";
import { createCredentials } from "./credentials.ts";
import { eraseServer } from "./erase-server.ts";
import { exportServer } from "./export-server.ts";
import { change } from "./failure.ts";
import { ping } from "./inspect.ts";
import { checkMasterKeys } from "./master-keys.ts";
import { passwordsOf } from "./passwords.ts";
import { createRecords } from "./records.ts";
import { createRevocations } from "./revocations.ts";
import { createKeyring } from "./seal.ts";
import { createSettings } from "./settings.ts";
import { createTickets } from "./tickets.ts";
import type { OpenStoreOptions, Store, StoreOverOptions } from "./types.ts";

/**
 * Opens the database, makes its file or tables on first use, and checks that the master keys fit what is in it.
 * @throws ConfigError `store_keys`, or as `openDatabase`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { url, keys, onSecret, onRevocation, onWarning, now } = options;
  for (const password of passwordsOf(url)) onSecret?.(password);
  const database = await openDatabase({ url, onWarning, now });
  try {
    return await createStore({
      ...{ database, keys },
      ...(onSecret && { onSecret }),
      ...(onRevocation && { onRevocation }),
    });
  } catch (error) {
    await database.close();
    throw describeDatabaseFailure(error);
  }
}

/** The typed stores over a database that is open. @throws ConfigError `store_keys`. */
export async function createStore(options: StoreOverOptions): Promise<Store> {
  const { database, keys, onSecret = () => undefined, onRevocation } = options;
  const keyring = createKeyring(keys);
  const records = createRecords(database);
  await checkMasterKeys(records, keyring);
  const deps = { records, keyring, onSecret };
  const credentials = createCredentials(deps);
  const settings = createSettings(records);
  const revocations = createRevocations({
    ...{ database, keyring, onSecret },
    ...(onRevocation && { onRevocation }),
  });
  return {
    ...{ database, credentials, settings },
    accessTokens: createAccessTokens(deps),
    tickets: createTickets(deps),
    revocations,
    continuations: createContinuations(records),
    exportServer: (guildId) =>
      change(() => exportServer({ database, credentials, settings }, guildId)),
    eraseServer: (guildId) =>
      change(() => eraseServer({ database, credentials, revocations }, guildId), "part"),
    ping: () => ping(database),
    close: () => database.close(),
  };
}
