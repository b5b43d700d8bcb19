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
  const late = new AbortController();
  const both = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  const stop = clock.after(ms, () => late.abort(tooLate(ms)));
  const cut = Promise.withResolvers<never>();
  const onAbort = () => cut.reject(both.reason);
  both.addEventListener("abort", onAbort);
  if (both.aborted) onAbort();
  // Who is late is not heard any more.
  cut.promise.catch(() => undefined);
  try {
    return await Promise.race([work(both), cut.promise]);
  } finally {
    stop();
    both.removeEventListener("abort", onAbort);
  }
}

/** Resolves when all works have ended, whether they succeeded or failed, and after `ms` at the latest. */
export async function waitAtMost(
  clock: Clock,
  ms: number,
  works: readonly unknown[],
): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const stop = clock.after(ms, enough.resolve);
  await Promise.race([Promise.allSettled(works), enough.promise]);
  stop();
}

function tooLate(ms: number): NetworkError {
  return new NetworkError(`the queue waited ${ms} ms for the service`, {
    code: "timeout",
    hint: "The service took too long to answer. Try again in a few minutes.",
    outcome: "unknown",
  });
}
