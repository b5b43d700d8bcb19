import { ServiceError } from "../errors.ts";
import type { Http, HttpResponse } from "../http/index.ts";
import { type Credentials, type Signed, sign } from "./credentials.ts";
import { encode } from "./encode.ts";
import { failureOf, isThrottled } from "./failure.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

export interface CallServices {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly http: Http;
  readonly now: () => number;
}

export interface Call {
  readonly method: string;
  readonly row: MethodSpec;
  readonly params: Given;
  readonly signal: AbortSignal | undefined;
}

/** One call, one request (and its repeats). */
export async function callOnce(services: CallServices, call: Call): Promise<unknown> {
  const { method, row, params, signal } = call;
  const { path, query, body } = encode(method, row, params);
  const signed = await sign(method, row, services.credentials);
  const response = await services.http.request({
    method: row.verb,
    url: `${services.baseUrl}${path}${searchOf(query, signed.pair)}`,
    headers: headersOf(signed, body),
    ...(body !== undefined && { body }),
    retry: row.retry,
    isThrottled,
    ...(signal && { signal }),
  });
  if (isDone(row, response)) return answerOf(method, row, response);
  throw failureOf(response, { method, row, signedBy: signed.by, now: services.now() });
}

function searchOf(...pairs: readonly (string | undefined)[]): string {
  const given = pairs.filter(Boolean);
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

function headersOf({ authorization }: Signed, body: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json; charset=utf-8";
  if (authorization !== undefined) headers.authorization = authorization;
  return headers;
}

/** A delete that was repeated and finds nothing has done its work the first time. */
function isDone({ retry }: MethodSpec, { status, attempts }: HttpResponse): boolean {
  if (status >= 200 && status < 300) return true;
  return retry === "delete" && status === 404 && attempts > 1;
}

function answerOf(method: string, row: MethodSpec, { status, body }: HttpResponse): unknown {
  if (status >= 300 || row.result === undefined || body.byteLength === 0) return undefined;
  const answer = parse(method, row, body);
  // A list without hits may come without its items.
  return row.result.kind === "list" ? { items: [], ...answer } : answer;
}

function parse(method: string, row: MethodSpec, body: Buffer): object {
  try {
    const answer: unknown = JSON.parse(body.toString());
    if (typeof answer === "object" && answer !== null) return answer;
  } catch {
    // Told below: whatever stands in the way of reading it, the answer is of no use.
  }
  throw new ServiceError(`${method} answered something that is no JSON object`, {
    code: "unreadable_answer",
    hint: "The video service answered something unreadable. Try again in a few minutes.",
    outcome: row.effect === "read" ? "nothing" : "unknown",
    facts: { method },
  });
}
