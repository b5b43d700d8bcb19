import type { Store } from "../../store/index.ts";
import { within } from "../health/within.ts";
import type { Probed } from "./live.ts";

/** Longest wait for the store's answer. */
const patienceMs = 2_000;
/** So long an answer is good for those who ask next. */
const freshMs = 1_000;

/** Tries the store, at most once a second however many ask. */
export function createStoreProbe(store: Pick<Store, "ping">): () => Promise<Probed> {
  let last: { readonly at: number; readonly probed: Promise<Probed> } | undefined;
  return () => {
    const at = performance.now();
    if (last === undefined || at - last.at > freshMs) last = { at, probed: probe(store) };
    return last.probed;
  };
}

async function probe(store: Pick<Store, "ping">): Promise<Probed> {
  const startedAt = performance.now();
  const isUp = await within(patienceMs, async () => (await store.ping()).state === "found");
  return { isUp: isUp === true, ms: performance.now() - startedAt };
}
