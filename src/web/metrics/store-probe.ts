import { withTimeout } from "../../clock.ts";
import type { Store } from "../../store/index.ts";
import type { Probed } from "./live.ts";

/** Longest wait for the store's answer. */
const patienceMs = 2_000;
/** So long an answer is good for those who ask next. */
const freshMs = 1_000;

const failed = { state: "failed" } as const;

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
  const { state } = await withTimeout(() => store.ping(), { ms: patienceMs }).catch(() => failed);
  return { isUp: state === "found", ms: performance.now() - startedAt };
}
