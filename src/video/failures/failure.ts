import { createQuotaExceededError, quotaResetAfter } from "../../budget/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import { type AnswerRetryReason, type HttpResponse, retryAfterMs } from "../../http/index.ts";
import { isPartOfOther, isWebPage, plainWords, serviceWords } from "../../service-words.ts";
import { tokenMissing } from "../credentials.ts";
import type { MethodSpec } from "../methods/spec.ts";
import { type ErrorAnswer, readError } from "./error-body.ts";
import { buildError, failureByReason, failureByStatus, webPage } from "./known-failures.ts";

interface FailedCall {
  readonly method: string;
  readonly methodSpec: MethodSpec;
  readonly signedBy: "key" | "token";
  readonly now: number;
  /** The key or token: if YouTube repeats it in an answer, it is kept out of the error. */
  readonly secret?: string;
}

type FailedAnswer = Pick<HttpResponse, "status" | "body" | "headers">;

const quotaReasons: readonly string[] = ["quotaExceeded", "dailyLimitExceeded"];
const throttleReasons: readonly string[] = [
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "servingLimitExceeded",
];

/** A limit of the channel, not of the project; another try helps after hours, not seconds. */
const channelRateReasons: readonly string[] = ["uploadRateLimitExceeded"];

/** How a call with this answer may be tried again; not at all when the daily quota is gone. */
export function retryReason(response: FailedAnswer): AnswerRetryReason | undefined {
  const error = readError(response);
  if (isRateLimit(response.status, error)) return "throttled";
  if (isPassing(error)) return "failed";
  return error.reason === "processingFailure" ? "doubtful" : undefined;
}

/** Translates a failed answer by its reason, then by its status. YouTube's own words go along where these say too little. */
export function videoErrorFor(response: FailedAnswer, call: FailedCall): BotError {
  const { status } = response;
  const error = withoutSecret(readError(response), call.secret);
  const { method, methodSpec } = call;
  const message = `${method} answered ${status}${error.reason ? ` ${error.reason}` : ""}`;
  const facts = {
    method,
    status,
    ...(error.reason && { reason: error.reason }),
    ...(error.location && { location: error.location }),
  };
  if (isQuota(status, error)) {
    const reset = quotaResetAfter(new Date(call.now));
    const pool = call.signedBy === "key" ? "key" : "channel";
    const of = { bucket: methodSpec.bucket, retryAt: reset };
    return createQuotaExceededError(message, { ...of, facts: { ...facts, pool } });
  }
  const waitMs = retryAfterMs(response.headers["retry-after"], call.now);
  const retryAt = waitMs ? new Date(call.now + waitMs) : undefined;
  if (isRateLimit(status, error)) {
    return new LimitError(message, { code: "rate_limited", facts, ...(retryAt && { retryAt }) });
  }
  if (status === 401 && call.signedBy === "key") return tokenMissing(method);
  const isUncertain = (status >= 500 || isPassing(error)) && methodSpec.retry !== "read";
  const outcome = isUncertain ? "unknown" : "nothing";
  const named =
    error.reason && status < 500 ? failureByReason(error.reason, status, method) : undefined;
  const listed = isPassing(error) ? passing : named;
  // A proxy in between answers with a page. With 413 Google itself does so, and 5xx say enough.
  const mayBePage = listed === undefined && status < 500 && status !== 413;
  if (mayBePage && isWebPage(response)) return buildError(webPage, message, { facts });
  const isVague = listed === undefined || named?.isVague === true;
  const said = status < 500 && isVague ? saidIn(response.body, error, call.secret) : undefined;
  return buildError(listed ?? failureByStatus(status, error.reason), message, {
    facts: { ...facts, ...(said !== undefined && { said }) },
    outcome,
    retryAt,
  });
}

function saidIn(
  body: Buffer,
  { message, description, reason, location }: ErrorAnswer,
  secret = "",
): string | undefined {
  const names = [reason, location];
  const isPlain = [message, description, ...names].every((one) => !one);
  const title = isPlain ? plainWords(body) : message;
  return serviceWords({ title, detail: description, names }, [secret]);
}

function withoutSecret({ reason, location, ...rest }: ErrorAnswer, secret = ""): ErrorAnswer {
  const names = [reason, location].map((name) =>
    name !== undefined && isPartOfOther(name, secret) ? undefined : name,
  );
  return { ...rest, reason: names[0], location: names[1] };
}

/** Faults that pass by themselves, whatever the status: a 409 with one of these means what a 503 means. */
const passingReasons: readonly string[] = [
  "backendError",
  "internalError",
  "notReady",
  "aborted",
  "SERVICE_UNAVAILABLE",
];
const passing = failureByStatus(503);

function isPassing({ reason = "", isAborted }: ErrorAnswer): boolean {
  return isAborted || passingReasons.includes(reason);
}

function isQuota(status: number, { reason, namesDay }: ErrorAnswer): boolean {
  if (reason !== undefined && quotaReasons.includes(reason)) return true;
  // Since the buckets of 2026 an empty bucket answers like a rate limit; only the text or the details name the day.
  return namesDay && isTooMany(status, reason);
}

function isRateLimit(status: number, error: ErrorAnswer): boolean {
  return isTooMany(status, error.reason) && !isQuota(status, error);
}

function isTooMany(status: number, reason = ""): boolean {
  if (channelRateReasons.includes(reason)) return false;
  return status === 429 || (status === 403 && throttleReasons.includes(reason));
}
