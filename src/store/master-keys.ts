import type { Keyv } from "keyv";
import { type Backend, entries } from "./backend.ts";
import { type Context, type Keyring, keysFault, open, seal, sealedBy } from "./seal.ts";

const canaryText = "greenroom";

/**
 * Checks that every master key that sealed rows is here and is the same key. A canary a key id stands for its rows:
 * it is written before the first of them.
 * @throws ConfigError `store_keys` naming each key id that does not fit and its number of rows.
 */
export async function checkMasterKeys(backend: Backend, keyring: Keyring): Promise<void> {
  const misfits = await findMisfits(backend.records.canary, keyring);
  if (misfits.size > 0) await refuseUsed(backend, misfits);
  await plantCanary(backend.records.canary, keyring);
}

/** By key id, what is wrong with it. */
async function findMisfits(canaries: Keyv, keyring: Keyring): Promise<ReadonlyMap<string, string>> {
  const misfits = new Map<string, string>();
  for await (const [id, sealed] of entries(canaries)) {
    if (!keyring.keys.has(id)) misfits.set(id, "is unknown");
    else if (!opens(keyring, id, sealed))
      misfits.set(id, "is another key than the one that sealed");
  }
  return misfits;
}

function opens(keyring: Keyring, id: string, sealed: unknown): boolean {
  try {
    return open(keyring, canaryContext(id), String(sealed)) === canaryText;
  } catch {
    return false;
  }
}

/** A misfit without rows is a key that was retired; its canary goes. */
async function refuseUsed(backend: Backend, misfits: ReadonlyMap<string, string>): Promise<void> {
  const counts = await countRows(backend.records.credential);
  const used = [...misfits].filter(([id]) => counts.has(id));
  if (used.length > 0) {
    const words = used.map(([id, wrong]) => `key id "${id}" ${wrong}, for ${rows(counts.get(id))}`);
    throw keysFault(words.join("; "));
  }
  for (const id of misfits.keys()) await backend.records.canary.delete(id);
}

/** Counted only when something is wrong, because it reads every row. */
async function countRows(credentials: Keyv): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const [, sealed] of entries(credentials)) {
    const id = sealedBy(String(sealed));
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function rows(count = 0): string {
  return count === 1 ? "1 row" : `${count} rows`;
}

async function plantCanary(canaries: Keyv, keyring: Keyring): Promise<void> {
  const id = keyring.sealingId;
  if ((await canaries.get(id)) !== undefined) return;
  await canaries.set(id, seal(keyring, canaryContext(id), canaryText));
}

function canaryContext(id: string): Context {
  return { purpose: "canary", guildId: "", kind: "", field: id };
}
