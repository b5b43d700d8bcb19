import { openBackend, refuseUnusable } from "./open-backend.ts";
import { ping } from "./ping.ts";
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
  const backend = await openBackend(url, { onWarning: (what) => warnings.push(what) });
  return refuseUnusable(url, async () => {
    try {
      const states = await createRotation(backend, keyring).status();
      return { pinged: await ping(backend), keys: states, warnings };
    } finally {
      await backend.close();
    }
  });
}
