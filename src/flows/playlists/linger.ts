/**
 * Aborts a little after the given signal: a call under way may still end, so that what it did is known when the work
 * around it stops.
 */
export function lingering(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  const wait = () => setTimeout(() => late.abort(signal.reason), ms).unref();
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return late.signal;
}

/** How long a write under way may take after a cancellation; the answer is due soon after. */
export const lingerMs = 700;
