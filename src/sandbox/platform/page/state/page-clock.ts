let aheadMs = 0;
const listeners = new Set<() => void>();

/** The sandbox's time on the page; it can be ahead of the browser's. */
export function pageNow(): number {
  return Date.now() + aheadMs;
}

export function setPageClock(now: number): void {
  aheadMs = now - Date.now();
  for (const listener of listeners) listener();
}

/** Calls back when the clock was set; answers the function that ends it. */
export function onPageClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
