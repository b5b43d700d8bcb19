import type { CallOptions } from "../types.ts";

export interface Progress {
  /** Tells how far it has come; never less than before. */
  reach(sentBytes: number): void;
}

export function createProgress(
  totalBytes: number,
  onProgress: CallOptions["onProgress"],
): Progress {
  let furthest = 0;
  return {
    reach: (sentBytes) => {
      if (sentBytes <= furthest) return;
      furthest = sentBytes;
      tell(() => onProgress?.(sentBytes, totalBytes));
    },
  };
}

/** Whoever draws a progress bar badly must not lose an upload by it. */
function tell(listener: () => unknown): void {
  try {
    Promise.resolve(listener()).catch(() => {});
  } catch {
    // The same, for listeners that fail at once.
  }
}
