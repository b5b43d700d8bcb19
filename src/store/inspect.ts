import { type Database, openDatabase } from "../database/index.ts";
import { answer } from "./failure.ts";
import { createRecords } from "./records.ts";
import { createRotation } from "./rotation/open-rotation.ts";
import type { KeyState } from "./rotation/types.ts";
import { createKeyring } from "./seal.ts";
import type { OpenStoreOptions, Read } from "./types.ts";

/** What an operator wants to know about a store. */
export interface Inspection {
  /** Whether a row could be written, read and removed. */
  readonly pinged: Read<true>;
  readonly keys: readonly KeyState[];
  /** What is doubtful about a database server. */
  readonly warnings: readonly string[];
}

/**
 * Looks at a store beside the processes that use it, and leaves nothing there; but a file or table that is missing is made.
 * @throws ConfigError as `openStore`, but for keys that do not fit: those are told; ServiceError `store_unavailable`.
 */
export async function inspectStore({
  url,
  keys,
}: Pick<OpenStoreOptions, "url" | "keys">): Promise<Inspection> {
  const keyring = createKeyring(keys);
  const warnings: string[] = [];
  const database = await openDatabase({ url, onWarning: (what) => warnings.push(what) });
  try {
    const states = await createRotation(createRecords(database), keyring).status();
    return { pinged: await ping(database), keys: states, warnings };
  } finally {
    await database.close();
  }
}

/** Writes, reads and removes a row of its own. */
export function ping(database: Database): Promise<Read<true>> {
  return answer<true>(async () => {
    await database.ping();
    return true;
  });
}
