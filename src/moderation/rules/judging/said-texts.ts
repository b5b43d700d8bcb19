import type { QueuedComment } from "../../../store/index.ts";

/** How often the same was said. */
export interface SaidTexts {
  /** `likeness`: the same for texts that say the same; undefined for what is too short to count. */
  add(comment: Spoken, likeness: string | undefined): void;
  /** Within that time before it and with it; of one comment's edits only the last counts. */
  times(comment: Spoken, likeness: string | undefined, withinMs: number): number;
}

type Spoken = Pick<QueuedComment, "id" | "publishedAt">;

/** What is kept in memory of one server: about 2 MB. */
const mostKept = 20_000;

export function createSaidTexts(): SaidTexts {
  /** By likeness, in order, so that any span of time is counted at once. */
  const moments = new Map<string, number[]>();
  const said = new Map<string, { readonly likeness: string; readonly at: number }>();

  function drop(id: string): void {
    const before = said.get(id);
    if (before === undefined) return;
    said.delete(id);
    const own = moments.get(before.likeness) ?? [];
    own.splice(countBefore(own, before.at), 1);
    if (own.length === 0) moments.delete(before.likeness);
  }

  return {
    add({ id, publishedAt: at }, likeness) {
      drop(id);
      if (likeness === undefined) return;
      said.set(id, { likeness, at });
      const own = moments.get(likeness) ?? [];
      own.splice(countBefore(own, at), 0, at);
      moments.set(likeness, own);
      const [oldest] = said.keys();
      if (said.size > mostKept && oldest !== undefined) drop(oldest);
    },
    times({ id, publishedAt }, likeness, withinMs) {
      const all = likeness === undefined ? [] : (moments.get(likeness) ?? []);
      const from = countBefore(all, publishedAt - withinMs);
      const count = countBefore(all, publishedAt + withinMs + 1) - from;
      const own = said.get(id);
      const isCounted =
        own !== undefined &&
        own.likeness === likeness &&
        Math.abs(own.at - publishedAt) <= withinMs;
      return isCounted ? count : count + 1;
    },
  };
}

function countBefore(ordered: readonly number[], at: number): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
