import type { Agent } from "undici";
import type { Outcome } from "../errors.ts";
import { encodeBody } from "./encode-body.ts";
import { networkError } from "./failure.ts";
import { countsAsTry, type Miss, policies, type RetryPolicy, retryWait } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type Answer, AttemptError, send } from "./send.ts";
import type { Http, HttpRequest, HttpResponse } from "./types.ts";

export interface RequestServices {
  readonly agent: Agent;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** What one attempt came to: an answer, or a fault with nothing usable. */
type Try =
  | { readonly answer: Answer; readonly error?: never; readonly miss: Miss | undefined }
  | { readonly answer?: never; readonly error: AttemptError; readonly miss: Miss };

export function createRequest({ agent, random, now, sleep }: RequestServices): Http["request"] {
  return async (request) => {
    const { signal, retry } = request;
    signal?.throwIfAborted();
    const policy: RetryPolicy = policies[retry];
    const url = new URL(request.url);
    const { body, headers } = await encodeBody(request);
    const endAt = now() + (request.deadlineMs ?? policy.deadlineMs);
    let sent = 0;
    let tries = 0;
    let maybeDone = false;

    for (;;) {
      const last = await attempt(endAt - now(), sent);
      if (last.answer !== undefined || last.error.left) sent += 1;
      if (last.miss === "failed" || last.miss === "cut") maybeDone = true;
      const wait = last.miss && nextWait(last.miss, last);
      if (wait === undefined || now() + wait >= endAt) return finish(last);
      await sleep(wait, signal);
    }

    async function attempt(timeoutMs: number, sentBefore: number): Promise<Try> {
      try {
        const answer = await send(agent, {
          url,
          method: request.method,
          headers,
          body,
          maxBytes: request.maxBytes ?? defaultMaxBytes,
          timeoutMs,
          silenceMs: policy.silenceMs,
          signal,
        });
        return { answer, miss: missOf(request, { ...answer, attempts: sentBefore + 1 }) };
      } catch (error) {
        if (!(error instanceof AttemptError)) throw error;
        if (error.fault === "aborted" || error.fault === "malformed") throw error.cause;
        return { error, miss: error.left ? "cut" : "unsent" };
      }
    }

    function nextWait(miss: Miss, { answer, error }: Try): number | undefined {
      // The same question would bring the same flood.
      if (error?.fault === "too-large") return undefined;
      if (countsAsTry(retry, miss)) tries += 1;
      const asked = answer && retryAfterMs(answer.headers["retry-after"], now());
      return retryWait(retry, { miss, tries, retryAfterMs: asked }, random);
    }

    function finish(last: Try): HttpResponse {
      if (last.answer !== undefined) return { ...last.answer, attempts: sent };
      throw networkError(last.error.fault, last.error.left, {
        what: `${request.method} ${url.origin}${url.pathname}`,
        host: url.host,
        outcome: outcomeOf(request, maybeDone),
        cause: last.error.cause,
      });
    }
  };
}

/** A read leaves nothing behind, whatever became of it. */
function outcomeOf(request: HttpRequest, maybeDone: boolean): Outcome {
  return maybeDone && request.retry !== "read" ? "unknown" : "nothing";
}

function missOf(request: HttpRequest, response: HttpResponse): Miss | undefined {
  if (response.status >= 500) return "failed";
  if (response.status < 400) return undefined;
  const isThrottled = request.isThrottled ?? (({ status }) => status === 429);
  return isThrottled(response) ? "throttled" : undefined;
}
