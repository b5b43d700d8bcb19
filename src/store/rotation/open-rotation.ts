import { setImmediate as nextTurn } from "node:timers/promises";
import { openDatabase } from "../../database/index.ts";
import { ConfigError } from "../../errors.ts";
import { writeStore } from "../failure.ts";
import { type CanaryState, lastStart, readCanaries, sealCanary } from "../master-keys.ts";
import type { StoredOneTimeToken } from "../one-time-tokens.ts";
import { createRecords, type KeyedRecords } from "../records.ts";
import {
  createKeyring,
  type Keyring,
  type MasterKey,
  openSealed,
  type SealedKind,
  seal,
  sealContextFor,
  sealedKinds,
} from "../seal.ts";
import {
  countSealedRecords,
  noRecords,
  readSealedPage,
  type SealedRecord,
  sumRows,
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

interface ResealProgress {
  /** Records of this pass. */
  readonly done: number;
  readonly total: number;
}

/**
 * A bot that still seals with another key may keep adding records, so the number of passes is limited. The result says how many
 * records are left.
 */
const passes = 3;

/** The operations for changing a store's master keys. Other processes may use the store meanwhile. */
export function createRotation(records: KeyedRecords, keyring: Keyring) {
  const { database } = records;
  const { sealingId } = keyring;

  async function countOthers(): Promise<number> {
    const counts = await countSealedRecords(database);
    return [...counts].reduce((sum, [id, rows]) => sum + (id === sealingId ? 0 : sumRows(rows)), 0);
  }

  /** Returns whether it was sealed with the first key; false where no key here opens it. */
  async function renew(row: SealedRecord): Promise<boolean> {
    let text: string;
    try {
      const { kind, key, stored } = row;
      const ticket: StoredOneTimeToken | undefined =
        kind === "ticket" ? JSON.parse(stored).value : undefined;
      const context = sealContextFor(kind, key, ticket?.guildId);
      text = seal(keyring, context, openSealed(keyring, context, row.text));
    } catch {
      return false;
    }
    await writeSealedRecord(database, row, text);
    return true;
  }

  /** Yields for each record that another key sealed what `renew` returns. Each page is one transaction. */
  async function* renewAll(kind: SealedKind): AsyncGenerator<boolean> {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const from: string = after;
      const { renewed, next } = await database.transaction(async () => {
        const page = await readSealedPage(database, kind, { after: from, isLocked: true });
        const outcomes: boolean[] = [];
        for (const row of page.rows) if (row.keyId !== sealingId) outcomes.push(await renew(row));
        return { renewed: outcomes, next: page.next };
      });
      yield* renewed;
      after = next;
      await nextTurn();
    }
  }

  return {
    /** Every configured key, and then every other key that sealed something. @throws ServiceError `store_unavailable`. */
    status: (): Promise<readonly KeyState[]> =>
      writeStore(async () => {
        const counts = await countSealedRecords(database);
        const canaries = await readCanaries(records, keyring);
        const ids = new Set([...keyring.keys.keys(), ...canaries.keys(), ...counts.keys()]);
        return [...ids].map((id) => ({
          id,
          isSealing: id === sealingId,
          canary: canaries.get(id) ?? (keyring.keys.has(id) ? "absent" : "unknown"),
          rows: counts.get(id) ?? noRecords(),
        }));
      }),
    /**
     * Id of the key that seals in the process that was started last; undefined before the first start. @throws ServiceError
     * `store_unavailable`.
     */
    sealingAtLastStart: () =>
      writeStore(async () => {
        const id = await records.get({ namespace: "canary", key: lastStart });
        return id === undefined ? undefined : String(id);
      }),
    /**
     * Seals again, with the first key, what other keys sealed, page by page. May be stopped at any point, called again, and
     * done while others write. `failed` records open with no key and stay as they are; `left` are those that another key
     * still seals, the failed ones included.
     * @throws ServiceError `store_unavailable`.
     */
    reseal: (onProgress: (progress: ResealProgress) => void = () => undefined) =>
      writeStore(async () => {
        // Before the first record is sealed with it.
        if ((await readCanaries(records, keyring)).get(sealingId) !== "opens") {
          const at = { namespace: "canary", key: sealingId } as const;
          await records.set(at, sealCanary(keyring, sealingId));
        }
        let done = 0;
        let failed = 0;
        let left = await countOthers();
        for (let pass = 0; pass < passes && left > failed; pass++) {
          failed = 0;
          let looked = 0;
          for (const kind of sealedKinds) {
            for await (const isRenewed of renewAll(kind)) {
              if (isRenewed) done += 1;
              else failed += 1;
              looked += 1;
              onProgress({ done: looked, total: Math.max(left, looked) });
            }
          }
          left = await countOthers();
        }
        return { done, failed, left };
      }, "part"),
    /**
     * Forgets a key that seals nothing.
     * @throws ConfigError `key_in_use` with the number of records; ServiceError `store_unavailable`.
     */
    retire: (id: string): Promise<void> =>
      writeStore(async () => {
        const count = sumRows((await countSealedRecords(database)).get(id));
        if (count === 0) return void (await records.remove({ namespace: "canary", key: id }));
        const rows = count === 1 ? "1 row" : `${count} rows`;
        throw new ConfigError(`key "${id}" still encrypts ${rows}`, {
          code: "key_in_use",
          hint: "Run: npm run keys -- reseal. Without this key nobody could open them any more.",
          facts: { count },
        });
      }),
    close: database.close,
  };
}
