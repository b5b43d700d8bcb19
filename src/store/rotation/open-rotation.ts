import { openDatabase } from "../../database/index.ts";
import { ConfigError } from "../../errors.ts";
import { change } from "../failure.ts";
import {
  type CanaryState,
  forgetCanary,
  readCanaries,
  sealingAtLastStart,
} from "../master-keys.ts";
import { createRecords, type KeyedRecords } from "../records.ts";
import { createKeyring, type Keyring, type MasterKey } from "../seal.ts";
import { countSealedRows, noRows, type SealedKind, totalOf } from "../sealed-rows.ts";
import { type ResealProgress, reseal } from "./reseal.ts";

/** One master key, as the store knows it. */
export interface KeyState {
  readonly id: string;
  /** Whether the new rows are sealed with it: it stands first. */
  readonly isSealing: boolean;
  /** `absent` until a process that has the key was started; `unknown` and `another` as the store's check calls them. */
  readonly canary: CanaryState | "absent";
  /** How many rows of each kind it seals. */
  readonly rows: Readonly<Record<SealedKind, number>>;
}

export type Rotation = ReturnType<typeof createRotation>;

/**
 * Opens a store for work on its master keys, also while they do not fit.
 * @throws ConfigError `store_keys`, or as `openDatabase`.
 */
export async function openRotation(options: {
  readonly url: string;
  readonly keys: readonly MasterKey[];
}): Promise<Rotation> {
  const keyring = createKeyring(options.keys);
  return createRotation(createRecords(await openDatabase({ url: options.url })), keyring);
}

/** What changing the master keys of a store needs of it. Other processes may use the store meanwhile. */
export function createRotation(records: KeyedRecords, keyring: Keyring) {
  const { database } = records;
  return {
    /** Every key that is here or that sealed something, in the order of the keys. @throws ServiceError `store_unavailable`. */
    status: () => change(() => status(records, keyring)),
    /** Which key the process sealed with that was started last; undefined before the first. @throws ServiceError `store_unavailable`. */
    sealingAtLastStart: () => change(() => sealingAtLastStart(records)),
    /**
     * Seals anew under the first key what other keys sealed, each page for good. May be stopped at any point and called again.
     * @throws ServiceError `store_unavailable`.
     */
    reseal: (onProgress: (progress: ResealProgress) => void = () => undefined) =>
      change(() => reseal(records, keyring, onProgress), "part"),
    /**
     * Forgets a key that seals nothing.
     * @throws ConfigError `key_in_use` with the number of rows; ServiceError `store_unavailable`.
     */
    retire: (id: string) =>
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
