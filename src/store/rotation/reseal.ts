import type { Backend } from "../backend.ts";
import { plantCanary, readCanaries } from "../master-keys.ts";
import { type Keyring, open, seal } from "../seal.ts";
import { contextOfRow, type SealedRow, sealedRow, sealedRows, withText } from "../sealed-rows.ts";
import type { Resealed, ResealProgress } from "./types.ts";

/** A bot that still seals with another key may add rows all the while; what is left after these is told. */
const passes = 3;

/** Rows of a busy bot may be replaced while they are worked on; each such time they are looked at again. */
const mostLooks = 5;

/**
 * Seals every row anew that another key sealed. Each row is replaced whole and only as it was read, so that it may be
 * stopped at any point, done again, and done while others write.
 */
export async function reseal(
  backend: Backend,
  keyring: Keyring,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  const id = keyring.sealingId;
  // Before the first of its rows.
  if ((await readCanaries(backend, keyring)).get(id) !== "opens") {
    await plantCanary(backend, keyring, id);
  }
  let done = 0;
  let failed: readonly string[] = [];
  for (let pass = 0; pass < passes; pass++) {
    const rows = await othersRows(backend, id);
    if (rows.length === failed.length) break;
    failed = [];
    for (const [index, row] of rows.entries()) {
      const outcome = await renew(backend, keyring, row);
      if (outcome === "renewed") done += 1;
      if (outcome === "damaged") failed = [...failed, `${row.at.namespace}:${row.at.key}`];
      onProgress({ done: index + 1, total: rows.length });
    }
  }
  const left = await othersRows(backend, id);
  return { done, failed: failed.length, left: left.length };
}

async function othersRows(backend: Backend, sealingId: string): Promise<readonly SealedRow[]> {
  const rows: SealedRow[] = [];
  for await (const row of sealedRows(backend.records)) if (row.keyId !== sealingId) rows.push(row);
  return rows;
}

type Outcome = "renewed" | "gone" | "damaged";

async function renew(backend: Backend, keyring: Keyring, found: SealedRow): Promise<Outcome> {
  for (let look = 0; look < mostLooks; look++) {
    const raw = await backend.records[found.at.namespace].getRaw(found.at.key);
    const row = raw === undefined ? undefined : sealedRow(found.at, raw.value);
    if (row === undefined || row.keyId === keyring.sealingId) return "gone";
    const text = sealedAnew(keyring, row);
    if (text === undefined) return "damaged";
    if (await replace(backend, row, { text, expires: raw?.expires })) return "renewed";
  }
  return "gone";
}

function sealedAnew(keyring: Keyring, row: SealedRow): string | undefined {
  const context = contextOfRow(row);
  try {
    return seal(keyring, context, open(keyring, context, row.text));
  } catch {
    return undefined;
  }
}

interface Renewed {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
}

/** False when the row is another one by now: sealed texts never repeat. */
async function replace(
  backend: Backend,
  row: SealedRow,
  { text, expires }: Renewed,
): Promise<boolean> {
  const isNewer = new Error("the row was replaced meanwhile");
  const make = (value: unknown) => {
    // What is thrown here leaves the row and its time as they are.
    if (sealedRow(row.at, value)?.text !== row.text) throw isNewer;
    return withText(row, text);
  };
  try {
    const ttlMs = expires === undefined ? undefined : Math.max(1, expires - Date.now());
    await backend.update(row.at, make, ttlMs);
    return true;
  } catch (error) {
    if (error === isNewer) return false;
    throw error;
  }
}
