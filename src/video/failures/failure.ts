import { quotaExceeded, quotaResetAfter } from "../../budget/index.ts";
import { type BotError, type Facts, LimitError } from "../../errors.ts";
import { type HttpResponse, retryAfterMs } from "../../http/index.ts";
import { tokenMissing } from "../credentials.ts";
import type { MethodSpec } from "../methods/spec.ts";
import { type ErrorAnswer, readError } from "./error-body.ts";
import { build, known, knownByStatus } from "./known-failures.ts";

interface FailedCall {
  readonly method: string;
  readonly row: MethodSpec;
  readonly signedBy: "key" | "token";
  readonly now: number;
  /** What it was signed with: a service that tells it back gets it into no error. */
  readonly secret?: string;
}

type Refusal = Pick<HttpResponse, "status" | "body" | "headers">;

const quotaReasons: readonly string[] = ["quotaExceeded", "dailyLimitExceeded"];
const throttleReasons: readonly string[] = [
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "servingLimitExceeded",
];

/** Too often, by the channel's own measure and not by the project's; worth another try in hours, not in seconds. */
const slowReasons: readonly string[] = ["uploadRateLimitExceeded"];

/** Whether a refusal means "too fast": worth another try after a wait, unlike a daily budget that is gone. */
export function isThrottled(response: Refusal): boolean {
  return isPace(response.status, readError(response));
}

/** Translates a refusal or a fault by its reason, then by its status. No text of the service gets through. */
export function failureOf(response: Refusal, call: FailedCall): BotError {
  const { status } = response;
  const told = withoutSecret(readError(response), call.secret);
  const { method, row } = call;
  const message = `${method} answered ${status}${told.reason ? ` ${told.reason}` : ""}`;
  const facts = {
    method,
    status,
    ...(told.reason && { reason: told.reason }),
    ...(told.location && { location: told.location }),
  };
  if (isQuota(status, told)) {
    const reset = quotaResetAfter(new Date(call.now));
    return quotaExceeded(message, { bucket: row.bucket, retryAt: reset, facts });
  }
  const retryAt = retryAtOf(response, call.now);
  if (isPace(status, told)) return rateLimited(message, facts, retryAt);
  if (status === 401 && call.signedBy === "key") return tokenMissing(method);
  const isUncertain = status >= 500 && row.retry !== "read";
  const outcome = isUncertain ? "unknown" : "nothing";
  return build(choose(status, told.reason, method), message, { facts, outcome, retryAt });
}

function withoutSecret({ reason, location, ...told }: ErrorAnswer, secret = ""): ErrorAnswer {
  const isClean = (name: string | undefined) => name === undefined || !shares(name, secret);
  return {
    ...told,
    reason: isClean(reason) ? reason : undefined,
    location: isClean(location) ? location : undefined,
  };
}

/** Whether one is within the other; what is shorter than this gives nothing away. */
function shares(name: string, secret: string): boolean {
  const minChars = 8;
  if (Math.min(name.length, secret.length) < minChars) return false;
  return name.includes(secret) || secret.includes(name);
}

function choose(status: number, reason: string | undefined, method: string) {
  const listed = reason !== undefined && status < 500 ? known(reason, status, method) : undefined;
  return listed ?? knownByStatus(status, reason);
}

function isQuota(status: number, { reason, namesDay }: ErrorAnswer): boolean {
  if (reason !== undefined && quotaReasons.includes(reason)) return true;
  // Since the buckets of 2026 a full one answers like a rate limit; only its text or its details name the day.
  return namesDay && isFlood(status, reason);
}

function isPace(status: number, told: ErrorAnswer): boolean {
  return isFlood(status, told.reason) && !isQuota(status, told);
}

function isFlood(status: number, reason = ""): boolean {
  if (slowReasons.includes(reason)) return false;
  return status === 429 || (status === 403 && throttleReasons.includes(reason));
}

function retryAtOf({ headers }: Refusal, now: number): Date | undefined {
  const ms = retryAfterMs(headers["retry-after"], now);
  return ms === undefined || ms === 0 ? undefined : new Date(now + ms);
}

function rateLimited(message: string, facts: Facts, retryAt: Date | undefined): LimitError {
  return new LimitError(message, {
    code: "rate_limited",
    facts,
    ...(retryAt && { retryAt }),
  });
}
