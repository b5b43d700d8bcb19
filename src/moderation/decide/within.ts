import { NetworkError } from "../../errors.ts";
import type { Clock } from "../parts.ts";

/** Ends what takes too long, by its signal, and waits for it no longer. @throws NetworkError `timeout`; what `work` throws. */
export async function within<T>(
  clock: Clock,
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const both = signal === undefined ? own.signal : AbortSignal.any([own.signal, signal]);
  const stop = clock.after(ms, () => own.abort(tooLate(ms)));
  const ended = new Promise<never>((_, reject) => {
    both.addEventListener("abort", () => reject(both.reason), { once: true });
    if (both.aborted) reject(both.reason);
  });
  // Nobody may be waiting for it any more.
  ended.catch(() => undefined);
  try {
    return await Promise.race([work(both), ended]);
  } finally {
    stop();
  }
}

function tooLate(ms: number): NetworkError {
  return new NetworkError(`decisions waited ${ms} ms for the service`, {
    code: "timeout",
    hint: "The service took too long to answer. Try again in a few minutes.",
    outcome: "unknown",
  });
}
