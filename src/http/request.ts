import type { Agent } from "undici";
import type { Outcome } from "../errors.ts";
import { addressOf } from "./address.ts";
import { decode } from "./decode.ts";
import { type EncodedBody, encodeForm } from "./encode-form.ts";
import { networkError } from "./failure.ts";
import { countsAsTry, type Miss, policies, type RetryPolicy, retryWait } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type Answer, type Attempt, AttemptError, send } from "./send.ts";
import type { Http, HttpRequest, HttpResponse } from "./types.ts";

export interface RequestServices {
  /** Loaded when it is first needed: undici takes a fifth of a start that does not need it yet. */
  readonly agent: () => Promise<Agent>;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** What one attempt came to: an answer, or an error; `miss` says that it may be worth another. */
export type Try<A> =
  | { readonly answer: A; readonly error?: never; readonly miss: Miss | undefined }
  | { readonly answer?: never; readonly error: AttemptError; readonly miss: Miss };

/** How far a call has come. */
interface Progress {
  /** Attempts that left. */
  sent: number;
  /** Attempts that count against the class's limit. */
  tries: number;
  /** Whether an attempt may have been carried out although it brought no success. */
  maybeDone: boolean;
}

export function createRequest(services: RequestServices): Http["request"] {
  const { agent, now, sleep } = services;
  return async (request) => {
    request.signal?.throwIfAborted();
    const policy = policies[request.retry];
    const endAt = now() + (request.deadlineMs ?? policy.deadlineMs);
    const { body } = request;
    const isForm = typeof body === "object" && !(body instanceof Uint8Array);
    const prepared = prepare(request, policy, isForm ? encodeForm(body) : { body });
    const progress: Progress = { sent: 0, tries: 0, maybeDone: false };
    for (;;) {
      const sendOnce = async () =>
        sendWhole(await agent(), { ...prepared, timeoutMs: endAt - now() });
      const last = await tryOnce(sendOnce, request.isThrottled);
      note(progress, request, last);
      const wait = nextWait(services, request, last, progress.tries);
      // A wait that would outlive the deadline is not begun: the caller learns at once.
      if (wait === undefined || now() + wait >= endAt) return finish(request, last, progress);
      await sleep(wait, request.signal);
    }
  };
}

function prepare(
  request: HttpRequest,
  { silenceMs }: RetryPolicy,
  { body, type }: EncodedBody,
): Omit<Attempt, "timeoutMs"> {
  const { headers = {} } = request;
  return {
    address: addressOf(request.url),
    method: request.method,
    headers: type === undefined ? headers : { ...headers, "content-type": type },
    body: body ?? null,
    maxBytes: request.maxBytes ?? defaultMaxBytes,
    silenceMs: request.silenceMs ?? silenceMs,
    signal: request.signal,
  };
}

async function sendWhole(agent: Agent, attempt: Attempt): Promise<Answer> {
  const sent = await send(agent, attempt);
  const isPacked = sent.headers["content-encoding"] !== undefined;
  return isPacked ? decode(sent, attempt.maxBytes) : sent;
}

/** @throws the signal's reason when aborted, and whatever shows that the request itself is malformed. */
export async function tryOnce<A extends Pick<Answer, "status">>(
  work: () => Promise<A>,
  isThrottled: (answer: A) => boolean = isTooMany,
): Promise<Try<A>> {
  try {
    const answer = await work();
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
  { retry }: HttpRequest,
  { answer, error, miss }: Try<Answer>,
): void {
  if (answer || error?.left) progress.sent += 1;
  if (miss !== undefined && countsAsTry(retry, miss)) progress.tries += 1;
  if (miss === "failed" || miss === "cut") progress.maybeDone = true;
}

function nextWait(
  { random, now }: RequestServices,
  { retry, tries: most }: HttpRequest,
  { answer, error, miss }: Try<Answer>,
  tries: number,
): number | undefined {
  // The same question would bring the same flood.
  if (miss === undefined || error?.fault === "too-large") return undefined;
  const asked = answer && retryAfterMs(answer.headers["retry-after"], now());
  return retryWait(retry, { miss, tries, most, retryAfterMs: asked }, random);
}

function finish(
  request: HttpRequest,
  { answer, error }: Try<Answer>,
  { sent, maybeDone }: Progress,
): HttpResponse {
  if (answer) {
    const { status, headers, body } = answer;
    const response = { status, headers, body, attempts: sent };
    return maybeDone ? { ...response, maybeDone } : response;
  }
  // A read leaves nothing behind, whatever became of it.
  const outcome: Outcome = maybeDone && request.retry !== "read" ? "unknown" : "nothing";
  const { method, url } = request;
  throw networkError(error, { method, url: new URL(url), outcome, attempts: sent });
}
