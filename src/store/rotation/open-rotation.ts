import { ConfigError } from "../../errors.ts";
import type { Backend } from "../backend.ts";
import { change } from "../failure.ts";
import { readCanaries, sealingAtLastStart } from "../master-keys.ts";
import { openBackend, refuseUnusable } from "../open-backend.ts";
import { createKeyring, type Keyring } from "../seal.ts";
import { type SealedKind, type sealedKinds, sealedRows } from "../sealed-rows.ts";
import type { OpenStoreOptions } from "../types.ts";
import { reseal } from "./reseal.ts";
import type { KeyState, Rotation } from "./types.ts";

/**
 * Opens a store for work on its master keys, also while they do not fit.
 * @throws ConfigError `store_url`, `store_file` or `store_keys`.
 */
export async function openRotation({
  url,
  keys,
}: Pick<OpenStoreOptions, "url" | "keys">): Promise<Rotation> {
  const keyring = createKeyring(keys);
  const backend = await openBackend(url);
  return refuseUnusable(url, async () => createRotation(backend, keyring));
}

export function createRotation(backend: Backend, keyring: Keyring): Rotation {
  return {
    status: () => change(() => status(backend, keyring)),
    sealingAtLastStart: () => change(() => sealingAtLastStart(backend)),
    // Each row that was sealed anew is.
    reseal: (onProgress = () => undefined) =>
      change(() => reseal(backend, keyring, onProgress), "part"),
    retire: (id) =>
      change(async () => {
        const count = total((await countRows(backend)).get(id));
        if (count > 0) throw inUse(id, count);
        await backend.records.canary.delete(id);
      }),
    close: () => backend.close(),
  };
}

type Rows = Record<SealedKind, number>;

async function status(backend: Backend, keyring: Keyring): Promise<readonly KeyState[]> {
  const counts = await countRows(backend);
  const canaries = await readCanaries(backend, keyring);
  const ids = new Set([...keyring.keys.keys(), ...canaries.keys(), ...counts.keys()]);
  return [...ids].map((id) => ({
    id,
    isSealing: id === keyring.sealingId,
    canary: canaries.get(id) ?? (keyring.keys.has(id) ? "absent" : "unknown"),
    rows: counts.get(id) ?? noRows(),
  }));
}

async function countRows({ records }: Backend): Promise<ReadonlyMap<string, Rows>> {
  const counts = new Map<string, Rows>();
  for await (const { at, keyId } of sealedRows(records)) {
    const rows = counts.get(keyId) ?? noRows();
    rows[at.namespace] += 1;
    counts.set(keyId, rows);
  }
  return counts;
}

function noRows(): Rows {
  return { credential: 0, token: 0, ticket: 0, revocation: 0 } satisfies Record<
    (typeof sealedKinds)[number],
    number
  >;
}

function total(rows: Rows = noRows()): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

function inUse(id: string, count: number): ConfigError {
  return new ConfigError(`key "${id}" seals ${count === 1 ? "1 row" : `${count} rows`}`, {
    code: "key_in_use",
    hint: "Run: npm run keys -- reseal. Without this key nobody could open them any more.",
    facts: { count },
  });
}
