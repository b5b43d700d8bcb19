import type { KeyedRecords } from "./records.ts";
import { createKeysError, type Keyring, openSealed, type SealContext, seal } from "./seal.ts";
import { countSealedRecords, sumRows } from "./sealed-records.ts";

const canaryText = "greenroom";

/** Among the canaries: the id of the key that seals in the process that opened the store last. No key's id has this shape. */
export const lastStart = "_last-start";

/** Whether the canary of a key id opens: `unknown` if the keyring lacks the id, `another` if it has another key under it. */
export type CanaryState = "opens" | "unknown" | "another";

/**
 * Checks that every master key that sealed records is here and is the same key, and stores a canary for each key: a record that
 * stands for everything that the key sealed, and shows that a process with this key was started. Another key under the id of a
 * canary is refused even if that key has sealed nothing yet, because the process that stored the canary may be about to seal.
 * @throws ConfigError `store_keys` naming each key id that does not fit and the number of its records.
 */
export async function checkMasterKeys(records: KeyedRecords, keyring: Keyring): Promise<void> {
  const states = await readCanaries(records, keyring);
  await refuseUsed(records, states);
  refuseOthers([...states].flatMap(([id, state]) => (state === "another" ? [id] : [])));
  for (const id of keyring.keys.keys()) {
    if (states.get(id) === "opens") continue;
    // If several processes start at the same moment with different keys under one id, only the first succeeds.
    const at = { namespace: "canary", key: id } as const;
    const canary = await records.change(at, (there) => there ?? sealCanary(keyring, id));
    if (!isOpenedBy(keyring, id, canary)) refuseOthers([id]);
  }
  await records.set({ namespace: "canary", key: lastStart }, keyring.sealingId);
}

export async function readCanaries(
  records: KeyedRecords,
  keyring: Keyring,
): Promise<ReadonlyMap<string, CanaryState>> {
  const states = new Map<string, CanaryState>();
  for (const [id, sealed] of await records.entries("canary")) {
    if (id === lastStart) continue;
    if (!keyring.keys.has(id)) states.set(id, "unknown");
    else states.set(id, isOpenedBy(keyring, id, sealed) ? "opens" : "another");
  }
  return states;
}

function refuseOthers(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const each = ids.map((id) => `key id "${id}" is not the key that was used before`);
  throw createKeysError(
    each.join("; "),
    "Every process of the bot needs the same key under the same id: put the one that was used before into SECRET_KEYS. If it is lost, give the new key an id that this store has never had; npm run keys -- retire <id> then forgets the old one.",
  );
}

const problems = {
  unknown: "is unknown",
  another: "is not the key that encrypted these rows",
} as const satisfies Record<Exclude<CanaryState, "opens">, string>;

/** Records are counted only when something is wrong, because that reads all of them. */
async function refuseUsed(
  { database }: KeyedRecords,
  states: ReadonlyMap<string, CanaryState>,
): Promise<void> {
  const misfits = [...states].flatMap(([id, state]) =>
    state === "opens" ? [] : [[id, state] as const],
  );
  if (misfits.length === 0) return;
  const counts = await countSealedRecords(database);
  const used = misfits.filter(([id]) => counts.has(id));
  if (used.length === 0) return;
  const each = used.map(([id, state]) => {
    const count = sumRows(counts.get(id));
    return `key id "${id}" ${problems[state]}, for ${count === 1 ? "1 row" : `${count} rows`}`;
  });
  throw createKeysError(each.join("; "));
}

function isOpenedBy(keyring: Keyring, id: string, sealed: unknown): boolean {
  try {
    return openSealed(keyring, canaryContext(id), String(sealed)) === canaryText;
  } catch {
    return false;
  }
}

export function sealCanary(keyring: Keyring, id: string): string {
  return seal({ ...keyring, sealingId: id }, canaryContext(id), canaryText);
}

function canaryContext(id: string): SealContext {
  return { purpose: "canary", guildId: "", kind: "", field: id };
}
