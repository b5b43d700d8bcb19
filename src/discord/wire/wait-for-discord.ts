import { setTimeout as sleep } from "node:timers/promises";
import { backOffMs, withTimeout } from "../../clock.ts";
import { ConfigError, NetworkError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { startError } from "./start-error.ts";

export interface DiscordWaitDeps {
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Ends the wait, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** A timer when absent. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

interface DiscordWait extends DiscordWaitDeps {
  /** What is asked for, in words of the log, such as "the login". */
  readonly what: string;
}

const waits = { firstMs: 500, longestMs: 30_000, jitter: 0.5 };
const repeatLogMs = 60_000;
/** The library itself waits as long as an upload may take, four times. */
const answerMs = 20_000;

/**
 * Asks Discord until it answers: a bot that waits is sooner back than one that ends and is started again. The log has the
 * reason whenever it changes, and once a minute.
 * @throws What only a person can change; the signal's reason.
 */
export async function waitForDiscord<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { what, log, now, random, signal, wait = waitFor }: DiscordWait,
): Promise<T> {
  const stop = signal ?? new AbortController().signal;
  let reason = "";
  let loggedAt = 0;
  for (let failures = 1; ; failures += 1) {
    try {
      return await withTimeout(ask, { timeoutMs: answerMs, signal: stop });
    } catch (error) {
      stop.throwIfAborted();
      const failure = startError(error, what);
      const isPassing =
        failure instanceof NetworkError ||
        (failure instanceof ConfigError && failure.facts.mayPass === true);
      if (!isPassing) throw failure;
      if (failure.message !== reason || now() - loggedAt >= repeatLogMs) {
        log.warn("waiting for Discord", { reason: failure.message, failures });
        reason = failure.message;
        loggedAt = now();
      }
    }
    await wait(backOffMs(failures, { ...waits, random }), stop);
    stop.throwIfAborted();
  }
}

/** Rejects with the signal's reason. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
