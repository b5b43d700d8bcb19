import { openDatabase } from "../../database/index.ts";
import { ConfigError } from "../../errors.ts";
import { change } from "../failure.ts";
import { forgetCanary, readCanaries, sealingAtLastStart } from "../master-keys.ts";
import { createRecords, type KeyedRecords } from "../records.ts";
import { createKeyring, type Keyring } from "../seal.ts";
import { countSealedRows, noRows, totalOf } from "../sealed-rows.ts";
import type { OpenStoreOptions } from "../types.ts";
import { reseal } from "./reseal.ts";
import type { KeyState, Rotation } from "./types.ts";

/**
 * Opens a store for work on its master keys, also while they do not fit.
 * @throws ConfigError `store_keys`, or as `openDatabase`.
 */
export async function openRotation({
  url,
  keys,
}: Pick<OpenStoreOptions, "url" | "keys">): Promise<Rotation> {
  const keyring = createKeyring(keys);
  return createRotation(createRecords(await openDatabase({ url })), keyring);
}

export function createRotation(records: KeyedRecords, keyring: Keyring): Rotation {
  const { database } = records;
  return {
    status: () => change(() => status(records, keyring)),
    sealingAtLastStart: () => change(() => sealingAtLastStart(records)),
    // Each page that was sealed anew is.
    reseal: (onProgress = () => undefined) =>
      change(() => reseal(records, keyring, onProgress), "part"),
    retire: (id) =>
      change(async () => {
        const count = totalOf((await countSealedRows(database)).get(id));
        if (count > 0) throw inUse(id, count);
        await forgetCanary(records, id);
      }),
    close: () => database.close(),
  };
}

async function status(records: KeyedRecords, keyring: Keyring): Promise<readonly KeyState[]> {
  const counts = await countSealedRows(records.database);
  const canaries = await readCanaries(records, keyring);
  const ids = new Set([...keyring.keys.keys(), ...canaries.keys(), ...counts.keys()]);
  return [...ids].map((id) => ({
    id,
    isSealing: id === keyring.sealingId,
    canary: canaries.get(id) ?? (keyring.keys.has(id) ? "absent" : "unknown"),
    rows: counts.get(id) ?? noRows(),
  }));
}

function inUse(id: string, count: number): ConfigError {
  return new ConfigError(`key "${id}" seals ${count === 1 ? "1 row" : `${count} rows`}`, {
    code: "key_in_use",
    hint: "Run: npm run keys -- reseal. Without this key nobody could open them any more.",
    facts: { count },
  });
}
