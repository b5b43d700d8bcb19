import type { Http } from "../../http/index.ts";

/** An upload that has not moved for so long is given up, and so is one that missed ten times (reliability.md 2). */
const stallMs = 30 * 60_000;

/** How long an upload is still tried. */
export interface Patience {
  /** Until it is given up, if it does not move. */
  leftMs(): number;
  /** The service holds more than it did. */
  moved(storedBytes: number): void;
  /** Waits for the next try; false when there must be none. */
  miss(retryAfterMs: number | undefined): Promise<boolean>;
}

export function createPatience(
  { http, now }: { readonly http: Pick<Http, "backOff">; readonly now: () => number },
  signal: AbortSignal | undefined,
): Patience {
  let misses = 0;
  let movedAt = now();
  let furthest = 0;
  const leftMs = () => movedAt + stallMs - now();
  return {
    leftMs,
    moved: (storedBytes) => {
      movedAt = now();
      // What is only sent again forgives nothing, or a service that keeps forgetting would be tried for ever.
      if (storedBytes > furthest) misses = 0;
      furthest = Math.max(furthest, storedBytes);
    },
    miss: (retryAfterMs) => {
      misses += 1;
      return http.backOff("upload", misses, { retryAfterMs, withinMs: leftMs(), signal });
    },
  };
}
