import { NetworkError, type Outcome, ServiceError } from "../errors.ts";
import type { Middleware, OutgoingRequest, Send } from "./middleware.ts";
import { countsAsTry, retryAfterMs, retryWait } from "./retry.ts";
import { type AnswerHead, AttemptError } from "./send.ts";
import type { AnswerRetryReason, HttpTools, RetryReason } from "./types.ts";

interface RepeatOptions<A> {
  /** Why an answer below 500 may be tried again. */
  readonly reasonFor: (answer: A, request: OutgoingRequest) => AnswerRetryReason | undefined;
  /** Gets each answer that another attempt will replace. */
  readonly discard?: (answer: A) => void;
}

/** How an attempt ended; with a `reason` if another one may help. */
type Attempt<A> = { readonly reason: RetryReason | undefined } & (
  | { readonly answer: A; readonly error?: never }
  | { readonly answer?: never; readonly error: AttemptError }
);

/**
 * Sends as often as the request's class allows.
 * @throws NetworkError, or ServiceError where the store failed that says whose the work is, with `attempts` among the
 * facts; the signal's reason when aborted; undici's error when the request itself is malformed; LostError.
 */
export function repeatAttempts<A extends AnswerHead>(
  { now, random, sleep }: HttpTools,
  { reasonFor, discard }: RepeatOptions<A>,
): Middleware<A> {
  async function sendOnce(request: OutgoingRequest, next: Send<A>): Promise<Attempt<A>> {
    try {
      const answer = await next(request);
      if (answer.status < 400) return { answer, reason: undefined };
      return { answer, reason: answer.status >= 500 ? "failed" : reasonFor(answer, request) };
    } catch (error) {
      if (!(error instanceof AttemptError)) throw error;
      return { error, reason: error.outcome === "nothing" ? "unsent" : "cut" };
    }
  }

  function nextWait({ retry, tries, progress }: OutgoingRequest, attempt: Attempt<A>) {
    const { answer, error, reason } = attempt;
    // The same request would get the same large answer.
    if (reason === undefined || error?.code === "answer_too_large") return undefined;
    const askedMs = answer && retryAfterMs(answer.headers["retry-after"], now());
    const failed = { reason, failures: progress.failures, tries, retryAfterMs: askedMs };
    return retryWait(retry, failed, random);
  }

  return async (request, next) => {
    const { deadlineMs, lastStartMs = deadlineMs, around, signal } = request;
    const startedAt = now();
    for (;;) {
      const attempt = await sendOnce({ ...request, endAt: startedAt + deadlineMs }, next);
      count(request, attempt);
      const waitMs = nextWait(request, attempt);
      // A wait that would exceed the deadline is not begun: the caller gets the failure at once.
      if (waitMs === undefined || now() + waitMs >= startedAt + lastStartMs) {
        if (attempt.error) throw finalError(request, attempt.error);
        return attempt.answer;
      }
      if (attempt.answer) discard?.(attempt.answer);
      const waitsInAround = around !== undefined && attempt.reason === "throttled";
      if (!waitsInAround) await sleep(waitMs, signal);
    }
  };
}

function count(
  { progress, retry }: OutgoingRequest,
  { answer, error, reason }: Attempt<AnswerHead>,
): void {
  if (answer || error?.outcome === "unknown") progress.sent += 1;
  // The services answer in JSON: a 503 without it is from a proxy that did not reach them. After 502 and 504 it may have.
  const isJson = /\bjson\b/i.test(answer?.headers["content-type"] ?? "");
  if (answer?.status === 503 && !isJson) progress.unreached += 1;
  if (reason !== undefined && countsAsTry(retry, reason)) progress.failures += 1;
  if (reason === "failed" || reason === "cut") progress.maybeDone = true;
}

function finalError({ retry, progress }: OutgoingRequest, error: AttemptError) {
  const { sent, unreached, maybeDone } = progress;
  // A read changes nothing, whatever became of it.
  const outcome: Outcome = maybeDone && retry !== "read" ? "unknown" : "nothing";
  const { message, code, facts, cause } = error.cause instanceof ServiceError ? error.cause : error;
  const counted = { ...facts, attempts: sent };
  if (error.cause instanceof ServiceError) {
    return new ServiceError<string>(message, { code, outcome, facts: counted, cause });
  }
  const all = { ...counted, ...(unreached > 0 && { unreached }) };
  return new NetworkError<string>(message, { code, outcome, facts: all, cause });
}
