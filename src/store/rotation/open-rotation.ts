import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, openDatabase } from "../../database/index.ts";
import { ConfigError } from "../../errors.ts";
import { writeStore } from "../failure.ts";
import {
  type CanaryState,
  forgetCanary,
  plantCanary,
  readCanaries,
  sealingAtLastStart,
} from "../master-keys.ts";
import { createRecords, type KeyedRecords } from "../records.ts";
import { createKeyring, type Keyring, type MasterKey, openSealed, seal } from "../seal.ts";
import {
  contextOfRecord,
  countSealedRecords,
  noRecords,
  readSealedPage,
  type SealedKind,
  type SealedRecord,
  sealedKinds,
  totalOf,
  writeSealedRecord,
} from "../sealed-records.ts";

/** What the store knows about one master key. */
export interface KeyState {
  readonly id: string;
  /** Whether new records are sealed with it, because it is the first key. */
  readonly isSealing: boolean;
  /** `absent` until a process that has the key was started; `unknown` and `another` as the store's check calls them. */
  readonly canary: CanaryState | "absent";
  /** How many records of each kind it seals. */
  readonly rows: Readonly<Record<SealedKind, number>>;
}

export type Rotation = ReturnType<typeof createRotation>;

/**
 * Opens a store for work on its master keys, even if they do not fit.
 * @throws ConfigError `store_keys`, or as `openDatabase`.
 */
export async function openRotation(options: {
  readonly url: string;
  readonly keys: readonly MasterKey[];
}): Promise<Rotation> {
  const keyring = createKeyring(options.keys);
  return createRotation(createRecords(await openDatabase({ url: options.url })), keyring);
}

/** The operations for changing a store's master keys. Other processes may use the store meanwhile. */
export function createRotation(records: KeyedRecords, keyring: Keyring) {
  const { database } = records;
  return {
    /** Every configured key, and then every other key that sealed something. @throws ServiceError `store_unavailable`. */
    status: () => writeStore(() => status(records, keyring)),
    /**
     * Id of the key that seals in the process that was started last; undefined before the first start. @throws ServiceError
     * `store_unavailable`.
     */
    sealingAtLastStart: () => writeStore(() => sealingAtLastStart(records)),
    /**
     * Seals again, with the first key, what other keys sealed, page by page. May be stopped at any point and called again.
     * @throws ServiceError `store_unavailable`.
     */
    reseal: (onProgress: (progress: ResealProgress) => void = () => undefined) =>
      writeStore(() => reseal(records, keyring, onProgress), "part"),
    /**
     * Forgets a key that seals nothing.
     * @throws ConfigError `key_in_use` with the number of records; ServiceError `store_unavailable`.
     */
    retire: (id: string) =>
      writeStore(async () => {
        const count = totalOf((await countSealedRecords(database)).get(id));
        if (count > 0) throw inUse(id, count);
        await forgetCanary(records, id);
      }),
    close: () => database.close(),
  };
}

async function status(records: KeyedRecords, keyring: Keyring): Promise<readonly KeyState[]> {
  const counts = await countSealedRecords(records.database);
  const canaries = await readCanaries(records, keyring);
  const ids = new Set([...keyring.keys.keys(), ...canaries.keys(), ...counts.keys()]);
  return [...ids].map((id) => ({
    id,
    isSealing: id === keyring.sealingId,
    canary: canaries.get(id) ?? (keyring.keys.has(id) ? "absent" : "unknown"),
    rows: counts.get(id) ?? noRecords(),
  }));
}

function inUse(id: string, count: number): ConfigError {
  return new ConfigError(`key "${id}" still encrypts ${count === 1 ? "1 row" : `${count} rows`}`, {
    code: "key_in_use",
    hint: "Run: npm run keys -- reseal. Without this key nobody could open them any more.",
    facts: { count },
  });
}

interface ResealProgress {
  /** Records of this pass. */
  readonly done: number;
  readonly total: number;
}

interface ResealResult {
  readonly done: number;
  /** Records that no key opens; they stay as they are. */
  readonly failed: number;
  /** Records that are still sealed by another key than the first, including those that failed. */
  readonly left: number;
}

/**
 * A bot that still seals with another key may keep adding records, so the number of passes is limited. The result says how many
 * records are left.
 */
const passes = 3;

interface ResealDeps {
  readonly database: Database;
  readonly keyring: Keyring;
}

/**
 * Seals again, with the first key, every record that another key sealed, page by page. Each page is one transaction, so this
 * may be stopped at any point, repeated, and done while others write.
 */
async function reseal(
  records: KeyedRecords,
  keyring: Keyring,
  onProgress: (progress: ResealProgress) => void,
): Promise<ResealResult> {
  const { database } = records;
  // Before the first record is sealed with it.
  if ((await readCanaries(records, keyring)).get(keyring.sealingId) !== "opens") {
    await plantCanary(records, keyring, keyring.sealingId);
  }
  let done = 0;
  let failed = 0;
  let total = await countOthers({ database, keyring });
  for (let pass = 0; pass < passes && total > failed; pass++) {
    failed = 0;
    let looked = 0;
    for (const kind of sealedKinds) {
      for await (const isRenewed of renewAll({ database, keyring }, kind)) {
        if (isRenewed) done += 1;
        else failed += 1;
        looked += 1;
        onProgress({ done: looked, total: Math.max(total, looked) });
      }
    }
    total = await countOthers({ database, keyring });
  }
  return { done, failed, left: total };
}

async function countOthers({ database, keyring }: ResealDeps): Promise<number> {
  const counts = await countSealedRecords(database);
  return [...counts].reduce(
    (sum, [id, rows]) => (id === keyring.sealingId ? sum : sum + totalOf(rows)),
    0,
  );
}

/** Yields for each record that another key sealed whether it was sealed with the first; false where no key here opens it. */
async function* renewAll(
  { database, keyring }: ResealDeps,
  kind: SealedKind,
): AsyncGenerator<boolean> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    const { renewed, next } = await database.transaction(async () => {
      const page = await readSealedPage(database, kind, { after: from, isLocked: true });
      const others = page.rows.filter(({ keyId }) => keyId !== keyring.sealingId);
      const outcomes: boolean[] = [];
      for (const row of others) outcomes.push(await renew(database, keyring, row));
      return { renewed: outcomes, next: page.next };
    });
    yield* renewed;
    after = next;
    await nextTurn();
  }
}

async function renew(database: Database, keyring: Keyring, row: SealedRecord): Promise<boolean> {
  const text = sealAgain(keyring, row);
  if (text === undefined) return false;
  await writeSealedRecord(database, row, text);
  return true;
}

function sealAgain(keyring: Keyring, row: SealedRecord): string | undefined {
  try {
    const context = contextOfRecord(row);
    return seal(keyring, context, openSealed(keyring, context, row.text));
  } catch {
    return undefined;
  }
}
