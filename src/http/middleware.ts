import { encodeForm } from "./encode-form.ts";
import { retryPolicies } from "./retry.ts";
import type { HttpRequest } from "./types.ts";

/** What the attempts of a request so far have led to. */
export interface RequestProgress {
  /** Attempts that were sent. */
  sent: number;
  /** Those of them that a gateway answered because it did not reach the service. */
  unreached: number;
  /** Attempts in a row without a result that count against the limit of the class. */
  failures: number;
  /** Whether an attempt may have been carried out although no success was answered. */
  maybeDone: boolean;
}

/** A request with every choice made, as it goes through the middleware. */
export type OutgoingRequest = ReturnType<typeof prepareRequest>;

export type Send<A> = (request: OutgoingRequest) => Promise<A>;
export type Middleware<A> = (request: OutgoingRequest, next: Send<A>) => Promise<A>;

/** The first of the list is the outermost. */
export function composeMiddleware<A>(middleware: readonly Middleware<A>[], send: Send<A>): Send<A> {
  return middleware.reduceRight<Send<A>>((next, one) => (request) => one(request, next), send);
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** Fills in what the retry class decides, and encodes a form once, so that every attempt sends the same bytes. */
export function prepareRequest(request: HttpRequest) {
  const { headers = {}, retry, body: content = null, maxBytes = defaultMaxBytes } = request;
  const policy = retryPolicies[retry];
  const { deadlineMs = policy.deadlineMs, silenceMs = policy.silenceMs } = request;
  const isText = content === null || typeof content === "string";
  const { body, type } =
    isText || content instanceof Uint8Array
      ? { body: content, type: undefined }
      : encodeForm(content);
  const progress: RequestProgress = { sent: 0, unreached: 0, failures: 0, maybeDone: false };
  return {
    ...request,
    body,
    headers: type === undefined ? headers : { ...headers, "content-type": type },
    url: new URL(request.url),
    deadlineMs,
    silenceMs,
    maxBytes,
    progress,
    /** When an attempt must have its answer, by `now`; set where the request is repeated. */
    endAt: Number.POSITIVE_INFINITY,
    /** By `performance.now()`: if no connection is free by then, not a byte is sent. */
    beginBy: Number.POSITIVE_INFINITY,
  };
}
