import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Agent } from "undici";
import { type Outcome, ServiceError } from "../errors.ts";
import { LostError, requireOwned } from "../ownership.ts";
import { splitUrl } from "./address.ts";
import { type EncodedBody, encodeForm } from "./encode-form.ts";
import { networkError } from "./failure.ts";
import {
  type LastAttempt,
  type RepeatProgress,
  type RequestDeps,
  repeatAttempts,
  startProgress,
} from "./repeat.ts";
import { type RetryPolicy, retryPolicies } from "./retry.ts";
import { AttemptError, type HttpAnswer, type HttpAttempt, sendAttempt } from "./send.ts";
import type { Http, HttpRequest, HttpResponse } from "./types.ts";

const defaultMaxBytes = 64 * 1024 * 1024;

export function createRequest(services: RequestDeps): Http["request"] {
  return async (request) => {
    const { body, retry, tries, signal, missOf } = request;
    const policy = retryPolicies[retry];
    const isForm = typeof body === "object" && !(body instanceof Uint8Array);
    const prepared = prepare(request, policy, isForm ? encodeForm(body) : { body });
    const progress = startProgress();
    const call = {
      retry,
      tries,
      signal,
      missOf,
      deadlineMs: request.deadlineMs ?? policy.deadlineMs,
      send: async (agent: Agent, timeoutMs: number) => {
        if (request.method === "GET") return sendWhole(agent, { ...prepared, timeoutMs });
        const beginBy = await requireOwned().catch(throwUnsent(progress));
        return sendWhole(agent, { ...prepared, timeoutMs, beginBy });
      },
    };
    return finish(request, await repeatAttempts(services, call, progress), progress);
  };
}

/** Lost work is not sent again. Where the store failed, which says whose it is, another attempt may ask it. */
function throwUnsent({ sent }: RepeatProgress) {
  return (error: unknown): never => {
    if (error instanceof LostError) throw new LostError(error.message, { attempts: sent });
    throw new AttemptError("broken", false, error);
  };
}

function prepare(
  request: HttpRequest,
  { silenceMs }: RetryPolicy,
  { body, type }: EncodedBody,
): Omit<HttpAttempt, "timeoutMs"> {
  const { headers = {} } = request;
  return {
    address: splitUrl(request.url),
    method: request.method,
    headers: type === undefined ? headers : { ...headers, "content-type": type },
    body: body ?? null,
    maxBytes: request.maxBytes ?? defaultMaxBytes,
    silenceMs: request.silenceMs ?? silenceMs,
    signal: request.signal,
  };
}

async function sendWhole(agent: Agent, attempt: HttpAttempt): Promise<HttpAnswer> {
  const sent = await sendAttempt(agent, attempt);
  const isPacked = sent.headers["content-encoding"] !== undefined;
  return isPacked ? decode(sent, attempt.maxBytes) : sent;
}

function finish(
  request: HttpRequest,
  { answer, error }: LastAttempt<HttpAnswer>,
  { sent, unreached, maybeDone }: RepeatProgress,
): HttpResponse {
  if (answer) {
    const { status, headers, body } = answer;
    const response = { status, headers, body, attempts: sent, ...(unreached > 0 && { unreached }) };
    return maybeDone ? { ...response, maybeDone } : response;
  }
  // A read changes nothing, whatever became of it.
  const outcome: Outcome = maybeDone && request.retry !== "read" ? "unknown" : "nothing";
  if (error.cause instanceof ServiceError) {
    const { message, code, facts, cause } = error.cause;
    throw new ServiceError(message, { code, outcome, facts: { ...facts, attempts: sent }, cause });
  }
  const { method, url } = request;
  throw networkError(error, { method, url: new URL(url), outcome, attempts: sent, unreached });
}

const codings = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/**
 * Decompresses an answer. We never request compression, but a server may compress unless the request forbids it:
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 * @throws AttemptError `too-large` before more than `maxBytes` are decompressed, or `broken`
 */
async function decode(answer: HttpAnswer, maxBytes: number): Promise<HttpAnswer> {
  const { "content-encoding": coding = "", ...headers } = answer.headers;
  const unpack = codingOf(coding);
  if (unpack === undefined || answer.body.byteLength === 0) return answer;
  try {
    return { ...answer, headers, body: await unpack(answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    throw new AttemptError(isTooLarge(error) ? "too-large" : "broken", true, error);
  }
}

function codingOf(name: string) {
  const coding = name.trim().toLowerCase();
  return Object.hasOwn(codings, coding) ? codings[coding as keyof typeof codings] : undefined;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
