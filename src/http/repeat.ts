import type { Agent } from "undici";
import {
  type AttemptMiss,
  type BackOffDeps,
  countsAsTry,
  retryAfterMs,
  retryWait,
} from "./retry.ts";
import { AttemptError, type HttpAnswer } from "./send.ts";
import type { AnswerMiss, RetryClass } from "./types.ts";

export interface RequestDeps extends BackOffDeps {
  /** Loaded when first needed: undici would take a fifth of the start, which does not need it yet. */
  readonly agent: () => Promise<Agent>;
  readonly now: () => number;
}

/** What the attempts of a call so far have led to. */
export interface RepeatProgress {
  /** Attempts that were sent. */
  sent: number;
  /** Those of them that a gateway answered because it did not reach the service. */
  unreached: number;
  /** Attempts in a row without a result that count against the limit of the class. */
  misses: number;
  /** Whether an attempt may have been carried out although no success was answered. */
  maybeDone: boolean;
}

interface RepeatedCall<A> {
  readonly retry: RetryClass;
  /** Where it is lower than the class's own limit. */
  readonly tries?: number | undefined;
  /** For all attempts and the waits between them. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** How an answer below 500 may be tried again; every 429 is `throttled` when absent. */
  readonly missOf?: ((answer: A) => AnswerMiss | undefined) | undefined;
  send(agent: Agent, timeoutMs: number): Promise<A>;
  /** Called with an answer that another attempt will replace. */
  discard?(answer: A): void;
}

/** The result of the last attempt. */
export type LastAttempt<A> =
  | { readonly answer: A; readonly error?: never }
  | { readonly answer?: never; readonly error: AttemptError };

/** `miss` is set when another attempt may help. */
type AttemptOutcome<A> = LastAttempt<A> & { readonly miss: AttemptMiss | undefined };

export function startProgress(): RepeatProgress {
  return { sent: 0, unreached: 0, misses: 0, maybeDone: false };
}

/**
 * Sends as often as the class allows.
 * @throws the signal's reason when aborted, and undici's error when the request itself is malformed.
 */
export async function repeatAttempts<A extends Pick<HttpAnswer, "status" | "headers">>(
  services: RequestDeps,
  call: RepeatedCall<A>,
  progress: RepeatProgress,
): Promise<LastAttempt<A>> {
  const { now, sleep } = services;
  const endAt = now() + call.deadlineMs;
  for (;;) {
    const last = await attempt(services, call, endAt);
    count(progress, call.retry, last);
    const waitMs = nextWait(services, call, last, progress.misses);
    // A wait that would exceed the deadline is not begun: the caller gets the failure at once.
    if (waitMs === undefined || now() + waitMs >= endAt) return last;
    if (last.answer !== undefined) call.discard?.(last.answer);
    await sleep(waitMs, call.signal);
  }
}

async function attempt<A extends Pick<HttpAnswer, "status">>(
  { agent, now }: RequestDeps,
  { send, signal, missOf = missOfStatus }: RepeatedCall<A>,
  endAt: number,
): Promise<AttemptOutcome<A>> {
  try {
    const pool = await agent();
    // The call may have been aborted while the pool was loaded.
    signal?.throwIfAborted();
    const answer = await send(pool, endAt - now());
    if (answer.status < 400) return { answer, miss: undefined };
    return { answer, miss: answer.status >= 500 ? "failed" : missOf(answer) };
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (error.fault === "aborted" || error.fault === "malformed") throw error.cause;
    return { error, miss: error.left ? "cut" : "unsent" };
  }
}

function missOfStatus({ status }: Pick<HttpAnswer, "status">): AnswerMiss | undefined {
  return status === 429 ? "throttled" : undefined;
}

function count(
  progress: RepeatProgress,
  retry: RetryClass,
  { answer, error, miss }: AttemptOutcome<Pick<HttpAnswer, "status" | "headers">>,
): void {
  if (answer || error?.left) progress.sent += 1;
  if (answer && isOfGateway(answer)) progress.unreached += 1;
  if (miss !== undefined && countsAsTry(retry, miss)) progress.misses += 1;
  if (miss === "failed" || miss === "cut") progress.maybeDone = true;
}

/**
 * Whether it comes from what stands in front of a service: the services themselves answer in JSON. After 502 and 504 the
 * service may have been reached.
 */
function isOfGateway({ status, headers }: Pick<HttpAnswer, "status" | "headers">): boolean {
  return status === 503 && !/\bjson\b/i.test(headers["content-type"] ?? "");
}

function nextWait<A extends Pick<HttpAnswer, "headers">>(
  { random, now }: RequestDeps,
  { retry, tries: maxTries }: RepeatedCall<A>,
  { answer, error, miss }: AttemptOutcome<A>,
  misses: number,
): number | undefined {
  // The same request would get the same large answer.
  if (miss === undefined || error?.fault === "too-large") return undefined;
  const waitMs = answer && retryAfterMs(answer.headers["retry-after"], now());
  return retryWait(retry, { miss, tries: misses, maxTries, retryAfterMs: waitMs }, random);
}
