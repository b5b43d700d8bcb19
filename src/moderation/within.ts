import type { Clock } from "../clock.ts";
import { NetworkError } from "../errors.ts";

/**
 * Ends what takes too long, by its signal, and waits for it no longer: what hangs must not keep its place.
 * @throws NetworkError `timeout`; what `work` throws.
 */
export async function within<T>(
  clock: Clock,
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const cut = Promise.withResolvers<never>();
  // Who is late is not heard any more.
  cut.promise.catch(() => undefined);
  const end = (reason: unknown) => {
    cut.reject(reason);
    own.abort(reason);
  };
  const stop = clock.after(ms, () => end(tooLate(ms)));
  const onAbort = () => end(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([work(own.signal), cut.promise]);
  } finally {
    stop();
    signal?.removeEventListener("abort", onAbort);
  }
}

function tooLate(ms: number): NetworkError {
  return new NetworkError(`the queue waited ${ms} ms for the service`, {
    code: "timeout",
    hint: "The service took too long to answer. Try again in a few minutes.",
    outcome: "unknown",
  });
}
