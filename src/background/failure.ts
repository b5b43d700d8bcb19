import {
  type BotError,
  type BotErrorOptions,
  ConnectError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../errors.ts";
import { type HttpResponse, retryAfterMs } from "../http/index.ts";
import { inputHints } from "./input-hints.ts";
import { isRecord, jsonOf } from "./json.ts";

/** Refusals of the request itself; other statuses below 500 come from elsewhere, such as a wrong address. */
const refusals: readonly number[] = [400, 415, 422];

type Operation = "removebg" | "account" | "improve";

/** Runs one request and lets only a success through. @throws BotError of the kind the service's answer stands for. */
export async function translate(
  operation: Operation,
  now: () => number,
  request: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const response = await request().catch((error: unknown) => {
    throw isLost(operation, error) ? resultLost(error) : error;
  });
  if (response.status === 200) return response;
  throw failureOf(operation, response, now());
}

/** @throws ConnectError `background_key_refused` for a text that no header can carry. */
export function requireKey(apiKey: string): void {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return;
  throw keyRefused("the image key is empty or holds characters no key has", {
    service: "background",
  });
}

/** Translates an answer by its status, then by its code; never by its title. */
export function failureOf(operation: Operation, response: HttpResponse, now: number): BotError {
  const { status, headers, body } = response;
  const code = codeOf(body);
  const message = `${operation} answered ${status}${code ? ` ${code}` : ""}`;
  const facts = { service: "background", status, ...(code && { reason: code }) };
  if (status === 402) return creditsGone(message, { facts });
  if (status === 401 || status === 403) return keyRefused(message, facts);
  if (status === 429)
    return rateLimited(now + waitAfterThrottle(headers["retry-after"], now), facts);
  if (code !== undefined && status < 500) return refused(message, code, facts);
  if (status === 413)
    return refused(message, "file_too_large", { ...facts, reason: "file_too_large" });
  if (refusals.includes(status)) return refused(message, undefined, facts);
  return new ServiceError(message, {
    code: status >= 500 ? "service_unavailable" : "unexpected_answer",
    hint: "The image service has trouble right now. Try again in a few minutes.",
    outcome: operation !== "account" && maybeDone(status) ? "unknown" : "nothing",
    facts,
  });
}

/** Whether a failure of the service is charged is written nowhere. */
function maybeDone(status: number): boolean {
  return status >= 500 || status < 300;
}

function refused(message: string, code: string | undefined, facts: BotErrorOptions["facts"]) {
  const hint = code !== undefined && isKnown(code) ? inputHints[code] : undefined;
  return new InputError(message, {
    code: code ?? "image_refused",
    hint: hint ?? "The image service did not accept this picture. Try another one.",
    ...(facts && { facts }),
  });
}

export function creditsGone(
  message: string,
  { facts, cause }: Pick<BotErrorOptions, "facts" | "cause">,
): LimitError {
  return new LimitError(message, {
    code: "credits_gone",
    hint: "The image credits are used up. Somebody with access to the account can buy more.",
    facts: { service: "background", ...facts },
    cause,
  });
}

function keyRefused(message: string, facts: NonNullable<BotErrorOptions["facts"]>): ConnectError {
  return new ConnectError(message, {
    code: "background_key_refused",
    hint: "The image service refused its key. Somebody who manages this server can enter it again.",
    facts,
  });
}

export function rateLimited(retryAt: number, facts: BotErrorOptions["facts"] = {}): LimitError {
  return new LimitError("the image service is asked too often", {
    code: "rate_limited",
    hint: "The image service is asked too often right now. Nothing was charged; try again then.",
    facts: { service: "background", ...facts },
    retryAt: new Date(retryAt),
  });
}

/** How long to wait after a 429: a minute when the service does not say, because its window is that long. */
export function waitAfterThrottle(header: string | undefined, now: number): number {
  // A service that says 0 must not be hammered.
  return Math.max(retryAfterMs(header, now) ?? 60_000, 1_000);
}

function isLost(operation: Operation, error: unknown): boolean {
  return operation === "removebg" && error instanceof NetworkError && error.outcome === "unknown";
}

export function resultLost(cause: unknown): NetworkError {
  return new NetworkError("removebg was sent and its answer was lost", {
    code: "result_lost",
    hint: "The result was lost on its way back. Up to one credit may have been used; trying again may use another.",
    outcome: "unknown",
    facts: { service: "background" },
    cause,
  });
}

/** An error body may have several codes, none, or be no JSON at all; one that has words says most. */
function codeOf(body: Buffer): string | undefined {
  const answer = jsonOf(body);
  const errors = isRecord(answer) && Array.isArray(answer.errors) ? answer.errors : [];
  const codes = errors.map((error) => (isRecord(error) ? error.code : undefined)).filter(isCode);
  return codes.find(isKnown) ?? codes[0];
}

function isKnown(code: string): code is keyof typeof inputHints {
  return Object.hasOwn(inputHints, code);
}

function isCode(value: unknown): value is string {
  return typeof value === "string" && /^[a-z][a-z0-9_]{0,79}$/.test(value);
}
