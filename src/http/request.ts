import type { Agent } from "undici";
import type { Outcome } from "../errors.ts";
import { addressOf } from "./address.ts";
import { decode } from "./decode.ts";
import { type EncodedBody, encodeForm } from "./encode-form.ts";
import { networkError } from "./failure.ts";
import { begin, type LastAttempt, type Progress, type RequestServices, repeat } from "./repeat.ts";
import { policies, type RetryPolicy } from "./retry.ts";
import { type Answer, type Attempt, send } from "./send.ts";
import type { Http, HttpRequest, HttpResponse } from "./types.ts";

const defaultMaxBytes = 64 * 1024 * 1024;

export function createRequest(services: RequestServices): Http["request"] {
  return async (request) => {
    const { body, retry, tries, signal, isThrottled } = request;
    const policy = policies[retry];
    const isForm = typeof body === "object" && !(body instanceof Uint8Array);
    const prepared = prepare(request, policy, isForm ? encodeForm(body) : { body });
    const call = {
      ...{ retry, tries, signal, isThrottled },
      deadlineMs: request.deadlineMs ?? policy.deadlineMs,
      send: (agent: Agent, timeoutMs: number) => sendWhole(agent, { ...prepared, timeoutMs }),
    };
    const progress = begin();
    return finish(request, await repeat(services, call, progress), progress);
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

function finish(
  request: HttpRequest,
  { answer, error }: LastAttempt<Answer>,
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
