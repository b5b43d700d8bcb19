import { z } from "zod";
import {
  AccessError,
  type BotError,
  type BotErrorOptions,
  ConnectError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../errors.ts";
import {
  type HttpAnswer,
  type HttpResponse,
  leadsToPrivateHost,
  retryAfterMs,
  throttleWaitMs,
} from "../http/index.ts";
import { isWebPage, plainWords, serviceWords } from "../service-words.ts";
import { parseBackgroundBody } from "./answers.ts";
import { serviceCodes } from "./request-errors.ts";

/** Statuses that refuse the request itself; others below 500 have other reasons, such as a wrong address. */
const requestStatuses: readonly number[] = [400, 415, 422];

type BackgroundOperation = "removebg" | "account" | "improve";

/** Runs one request and returns the response if it is a success. @throws BotError of the kind that fits remove.bg's answer. */
export async function sendTranslated(
  operation: BackgroundOperation,
  { now, apiKey }: { readonly now: () => number; readonly apiKey: string },
  request: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const response = await request().catch((error: unknown) => {
    const isLost =
      operation === "removebg" && error instanceof NetworkError && error.outcome === "unknown";
    throw isLost ? resultLost(error) : error;
  });
  if (response.status === 200) return response;
  throw readBackgroundFailure(operation, response, { now: now(), apiKey });
}

/** For the address that a server chose. @throws InputError `engine_address` if it leads into a private network */
export async function probePublic<T>(address: string, probe: Promise<T>): Promise<void> {
  await probe.catch((error: unknown) => {
    if (!leadsToPrivateHost(error)) throw error;
    const given = new URL(address).host;
    throw new InputError("the address leads into a private network", {
      code: "engine_address",
      facts: { given },
      cause: error,
    });
  });
}

/** @throws ConnectError `background_key_refused` for a key that no header can carry. */
export function requireKey(apiKey: string): void {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return;
  throw keyRefused("the image key is empty or holds characters no key has", {
    service: "background",
  });
}

/** Translates an answer by its status, then by its code; never by its title, which is shown where the code is unknown. */
export function readBackgroundFailure(
  operation: BackgroundOperation,
  response: HttpAnswer,
  { now, apiKey }: { readonly now: number; readonly apiKey: string },
): BotError {
  const { status, headers, body } = response;
  const code = readServiceCode(body);
  const message = `${operation} answered ${status}${code ? ` ${code}` : ""}`;
  const named = { service: "background", status, ...(code && { reason: code }) };
  if (status === 402) return creditsGone(message, { facts: named });
  // A proxy in between answers with a page. With 413 it may be remove.bg's own gateway, and 5xx say enough.
  const mayBePage = status < 500 && ![413, 429].includes(status);
  if (mayBePage && isWebPage(response))
    return new ServiceError(message, { code: "web_page_answer", facts: named });
  const said = isForeseen(code) ? undefined : saidIn(response, apiKey);
  const facts = { ...named, ...(said !== undefined && { said }) };
  if (status === 403 && code !== undefined && !isForeseen(code))
    return new AccessError(message, { code, facts });
  if (status === 401 || status === 403) return keyRefused(message, facts);
  if (status === 429) {
    return rateLimited(now + throttleWaitMs(retryAfterMs(headers["retry-after"], now)), facts);
  }
  if (code !== undefined && status < 500) return createInputError(message, code, facts);
  if (status === 413)
    return createInputError(message, "file_too_large", { ...facts, reason: "file_too_large" });
  if (requestStatuses.includes(status)) return createInputError(message, undefined, facts);
  // It is not documented whether a failure of remove.bg is charged.
  const maybeDone = operation !== "account" && (status >= 500 || status < 300);
  return new ServiceError(message, {
    code: status >= 500 ? "service_unavailable" : "unexpected_answer",
    outcome: maybeDone ? "unknown" : "nothing",
    facts,
  });
}

/** Whether our words for the code say what is wrong. */
function isForeseen(code = ""): boolean {
  return isServiceCode(code) || code === "auth_failed";
}

/** remove.bg's own words about an error that nobody foresaw: https://www.remove.bg/api#api-reference, `errors`. */
function saidIn({ status, body }: HttpAnswer, apiKey: string): string | undefined {
  const [first] = readErrors(body);
  // The plain text of a gateway says no more than its 5xx.
  const plain = status < 500 ? plainWords(body) : undefined;
  const { title, detail, code }: Readonly<Record<string, unknown>> = first ?? { title: plain };
  return serviceWords({ title, detail, names: [code] }, [apiKey]);
}

function createInputError(
  message: string,
  code: string | undefined,
  facts: BotErrorOptions["facts"],
) {
  return new InputError(message, {
    code: code ?? "image_refused",
    ...(facts && { facts }),
  });
}

export function creditsGone(
  message: string,
  { facts, cause }: Pick<BotErrorOptions, "facts" | "cause">,
): LimitError {
  return new LimitError(message, {
    code: "credits_gone",
    facts: { service: "background", ...facts },
    cause,
  });
}

function keyRefused(message: string, facts: NonNullable<BotErrorOptions["facts"]>): ConnectError {
  return new ConnectError(message, { code: "background_key_refused", facts });
}

export function rateLimited(retryAt: number, facts: BotErrorOptions["facts"] = {}): LimitError {
  return new LimitError("the image service is asked too often", {
    code: "rate_limited",
    facts: { service: "background", ...facts },
    retryAt: new Date(retryAt),
  });
}

/** It was sent, may have been charged, and its result can't be had any more. */
export function resultLost(cause?: unknown): NetworkError {
  return new NetworkError("removebg was sent and its answer was lost", {
    code: "result_lost",
    outcome: "unknown",
    facts: { service: "background" },
    cause,
  });
}

/** An error body may have several codes, none, or be no JSON at all; a code that we know is preferred. */
function readServiceCode(body: Buffer): string | undefined {
  const codes = readErrors(body).flatMap(({ code }) =>
    typeof code === "string" && /^[a-z][a-z0-9_]{0,79}$/.test(code) ? [code] : [],
  );
  return codes.find(isServiceCode) ?? codes[0];
}

const errorBody = z.object({ errors: z.array(z.unknown()) });
const errorObject = z.record(z.string(), z.unknown());

function readErrors(body: Buffer) {
  const errors = errorBody.safeParse(parseBackgroundBody(body)).data?.errors ?? [];
  return errors.flatMap((error) => {
    const { data } = errorObject.safeParse(error);
    return data ? [data] : [];
  });
}

function isServiceCode(code: string): boolean {
  return serviceCodes.some((known) => known === code);
}
