import { type BotError, LimitError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import { tokenMissing } from "./credentials.ts";
import { build, type Known, known, knownByStatus } from "./known-failures.ts";
import type { MethodSpec } from "./methods/spec.ts";
import { quotaResetAfter } from "./quota-reset.ts";

export interface FailedCall {
  readonly method: string;
  readonly row: MethodSpec;
  readonly signedBy: "key" | "token";
  readonly now: number;
}

/** What an error body tells; all of it may be missing, and the body may be HTML or empty. */
interface Told {
  readonly reason: string | undefined;
  readonly message: string;
  readonly location: string | undefined;
}

const quotaReasons: readonly string[] = ["quotaExceeded", "dailyLimitExceeded"];
const throttleReasons: readonly string[] = [
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "servingLimitExceeded",
];

/** The newer form of an error names its reason here: https://cloud.google.com/apis/design/errors#error_info */
const detailReasons: Readonly<Record<string, string>> = {
  API_KEY_INVALID: "keyInvalid",
  API_KEY_SERVICE_BLOCKED: "accessNotConfigured",
  SERVICE_DISABLED: "accessNotConfigured",
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: "insufficientPermissions",
};

/** Whether a refusal means "too fast": worth another try after a wait, unlike a daily budget that is gone. */
export function isThrottled({ status, body }: Pick<HttpResponse, "status" | "body">): boolean {
  if (status !== 429 && status !== 403) return false;
  const told = read(body);
  if (isQuota(status, told) || told.reason === "uploadRateLimitExceeded") return false;
  return status === 429 || throttleReasons.includes(told.reason ?? "");
}

/** Translates a refusal or a fault by its reason, then by its status. */
export function failureOf(response: HttpResponse, call: FailedCall): BotError {
  const { status } = response;
  const told = read(response.body);
  const { method, row } = call;
  const message = `${method} answered ${status}${told.reason ? ` ${told.reason}` : ""}`;
  const facts = {
    method,
    status,
    ...(told.reason && { reason: told.reason }),
    ...(told.location && { location: told.location }),
  };
  if (isQuota(status, told)) return quotaError(message, facts, call);
  if (status === 429 || throttleReasons.includes(told.reason ?? "")) {
    return rateError(message, facts, response, call.now, told);
  }
  if (status === 401 && call.signedBy === "key") return tokenMissing(method);
  const isUncertain = status >= 500 && row.retry !== "read";
  return build(choose(status, told), message, {
    facts,
    outcome: isUncertain ? "unknown" : "nothing",
  });
}

function choose(status: number, { reason, location }: Told): Known {
  const listed = reason !== undefined && status < 500 ? known(reason, status) : undefined;
  const chosen = listed ?? knownByStatus(status, reason);
  if (location === undefined || chosen.kind !== "input") return chosen;
  return { ...chosen, hint: `${chosen.hint} (\`${location}\`)` };
}

function isQuota(status: number, { reason, message }: Told): boolean {
  if (reason !== undefined && quotaReasons.includes(reason)) return true;
  const isRate = status === 429 || (status === 403 && throttleReasons.includes(reason ?? ""));
  // Since the buckets of 2026 a full one answers like a rate limit; only its message names the day.
  return isRate && reason !== "uploadRateLimitExceeded" && /\bper day\b/i.test(message);
}

const budgets = {
  units: "daily units",
  searches: "searches of the day",
  uploads: "uploads of the day",
} as const satisfies Record<MethodSpec["bucket"], string>;

function quotaError(message: string, facts: BotError["facts"], { row, now }: FailedCall) {
  const retryAt = quotaResetAfter(new Date(now));
  return new LimitError(message, {
    code: "quota_exceeded",
    hint: `The ${budgets[row.bucket]} are used up. They start anew at midnight in Los Angeles.`,
    facts: { ...facts, bucket: row.bucket },
    retryAt,
  });
}

function rateError(
  message: string,
  facts: BotError["facts"],
  { headers }: HttpResponse,
  now: number,
  { reason }: Told,
): BotError {
  if (reason === "uploadRateLimitExceeded") {
    return build(knownByStatus(429, reason), message, { facts });
  }
  const seconds = Number(headers["retry-after"]);
  return new LimitError(message, {
    code: "rate_limited",
    hint: "The video service is asked too often right now. Try again in a minute.",
    facts,
    ...(seconds > 0 && { retryAt: new Date(now + seconds * 1_000) }),
  });
}

function read(body: Buffer): Told {
  const error = field(parse(body), "error");
  const first = field(field(error, "errors"), 0);
  const details = field(error, "details");
  const detail = Array.isArray(details)
    ? details.map((one) => detailReasons[text(field(one, "reason")) ?? ""]).find(Boolean)
    : undefined;
  return {
    reason: detail ?? name(field(first, "reason")),
    message: text(field(error, "message")) ?? text(field(first, "message")) ?? "",
    location: name(field(first, "location")),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // HTML from a gateway, or nothing at all: the status has to do.
    return undefined;
  }
}

function field(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<string | number, unknown>)[key]; // any object can be asked for any name
}

/** What looks like a name; anything else from outside stays out of codes, facts and logs. */
function name(value: unknown): string | undefined {
  const candidate = text(value);
  return candidate !== undefined && /^[\w.[\]-]{1,80}$/.test(candidate) ? candidate : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
