/**
 * Aborts a little after the given signal: a call under way may still end, so that what it did is known when the work
 * around it stops.
 */
export function lingering(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const wait = () => setTimeout(() => late.abort(signal.reason), lingerMs).unref();
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return late.signal;
}

/** How long what is under way, or paid for, may take after a cancellation; the answer is due soon after. */
export const lingerMs = 700;
