import type { Agent } from "undici";
import { countsAsTry, type Miss, retryWait } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type Answer, AttemptError } from "./send.ts";
import type { RetryClass } from "./types.ts";

export interface RequestServices {
  /** Loaded when it is first needed: undici takes a fifth of a start that does not need it yet. */
  readonly agent: () => Promise<Agent>;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** How far a call has come. */
export interface Progress {
  /** Attempts that left. */
  sent: number;
  /** Attempts in a row that brought nothing and count against the class's limit. */
  misses: number;
  /** Whether an attempt may have been carried out although it brought no success. */
  maybeDone: boolean;
}

interface RepeatedCall<A> {
  readonly retry: RetryClass;
  /** In place of the class's own limit. */
  readonly tries?: number | undefined;
  /** Of all attempts and the waits between them. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether an answer means "too fast, not done"; every 429 when absent. */
  readonly isThrottled?: ((answer: A) => boolean) | undefined;
  send(agent: Agent, timeoutMs: number): Promise<A>;
  /** Called with an answer in whose place another one is asked for. */
  discard?(answer: A): void;
}

/** What the last attempt came to. */
export type LastAttempt<A> =
  | { readonly answer: A; readonly error?: never }
  | { readonly answer?: never; readonly error: AttemptError };

/** `miss` says that it may be worth another attempt. */
type Attempted<A> = LastAttempt<A> & { readonly miss: Miss | undefined };

export function begin(): Progress {
  return { sent: 0, misses: 0, maybeDone: false };
}

/**
 * Sends as often as the class allows.
 * @throws the signal's reason when aborted, and whatever shows that the request itself is malformed.
 */
export async function repeat<A extends Pick<Answer, "status" | "headers">>(
  services: RequestServices,
  call: RepeatedCall<A>,
  progress: Progress,
): Promise<LastAttempt<A>> {
  const { now, sleep } = services;
  const endAt = now() + call.deadlineMs;
  for (;;) {
    const last = await attempt(services, call, endAt);
    note(progress, call.retry, last);
    const wait = nextWait(services, call, last, progress.misses);
    // A wait that would outlive the deadline is not begun: the caller learns at once.
    if (wait === undefined || now() + wait >= endAt) return last;
    if (last.answer !== undefined) call.discard?.(last.answer);
    await sleep(wait, call.signal);
  }
}

async function attempt<A extends Pick<Answer, "status">>(
  { agent, now }: RequestServices,
  { send, signal, isThrottled = isTooMany }: RepeatedCall<A>,
  endAt: number,
): Promise<Attempted<A>> {
  try {
    const pool = await agent();
    // What was given up by now, perhaps while the pool was loaded, is not sent.
    signal?.throwIfAborted();
    const answer = await send(pool, endAt - now());
    const isRefused = answer.status >= 400 && isThrottled(answer);
    const miss = answer.status >= 500 ? "failed" : isRefused ? "throttled" : undefined;
    return { answer, miss };
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (error.fault === "aborted" || error.fault === "malformed") throw error.cause;
    return { error, miss: error.left ? "cut" : "unsent" };
  }
}

function isTooMany({ status }: Pick<Answer, "status">): boolean {
  return status === 429;
}

function note(
  progress: Progress,
  retry: RetryClass,
  { answer, error, miss }: Attempted<unknown>,
): void {
  if (answer || error?.left) progress.sent += 1;
  if (miss !== undefined && countsAsTry(retry, miss)) progress.misses += 1;
  if (miss === "failed" || miss === "cut") progress.maybeDone = true;
}

function nextWait<A extends Pick<Answer, "headers">>(
  { random, now }: RequestServices,
  { retry, tries: most }: RepeatedCall<A>,
  { answer, error, miss }: Attempted<A>,
  misses: number,
): number | undefined {
  // The same question would bring the same flood.
  if (miss === undefined || error?.fault === "too-large") return undefined;
  const asked = answer && retryAfterMs(answer.headers["retry-after"], now());
  return retryWait(retry, { miss, tries: misses, most, retryAfterMs: asked }, random);
}
