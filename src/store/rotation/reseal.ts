import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../database/index.ts";
import { plantCanary, readCanaries } from "../master-keys.ts";
import type { KeyedRecords } from "../records.ts";
import { type Keyring, open, seal } from "../seal.ts";
import {
  contextOfRow,
  countSealedRows,
  readSealedPage,
  type SealedKind,
  type SealedRow,
  sealedKinds,
  totalOf,
  writeSealedRow,
} from "../sealed-rows.ts";

export interface ResealProgress {
  /** Rows of this pass. */
  readonly done: number;
  readonly total: number;
}

interface Resealed {
  readonly done: number;
  /** Rows that no key opens; they are left as they are. */
  readonly failed: number;
  /** Rows that another key than the first seals now, those that failed among them. */
  readonly left: number;
}

/** A bot that still seals with another key may add rows all the while; what is left after these is told. */
const passes = 3;

interface Resealing {
  readonly database: Database;
  readonly keyring: Keyring;
}

/**
 * Seals every row anew that another key sealed, page by page. Each page is one transaction, so it may be stopped at any
 * point, done again, and done while others write.
 */
export async function reseal(
  records: KeyedRecords,
  keyring: Keyring,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  const { database } = records;
  // Before the first of its rows.
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

async function countOthers({ database, keyring }: Resealing): Promise<number> {
  const counts = await countSealedRows(database);
  return [...counts].reduce(
    (sum, [id, rows]) => (id === keyring.sealingId ? sum : sum + totalOf(rows)),
    0,
  );
}

/** Yields of each row that another key sealed whether it is sealed anew; false for what no key here opens. */
async function* renewAll(
  { database, keyring }: Resealing,
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

async function renew(database: Database, keyring: Keyring, row: SealedRow): Promise<boolean> {
  const text = sealedAnew(keyring, row);
  if (text === undefined) return false;
  await writeSealedRow(database, row, text);
  return true;
}

function sealedAnew(keyring: Keyring, row: SealedRow): string | undefined {
  try {
    const context = contextOfRow(row);
    return seal(keyring, context, open(keyring, context, row.text));
  } catch {
    return undefined;
  }
}
