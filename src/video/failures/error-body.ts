import type { HttpResponse } from "../../http/index.ts";
import { oauthFailures } from "./reasons.ts";

/** What an answer says about an error. Everything may be missing: the body may be HTML, cut off or empty. */
export interface ErrorAnswer {
  readonly reason: string | undefined;
  /** The service's own text. */
  readonly message: string;
  /** In OAuth's form of an error. */
  readonly description: unknown;
  /** Name of the parameter or field that the error is about. */
  readonly location: string | undefined;
  /** Another request came in between, so this one was given up: https://google.aip.dev/193, https://cloud.google.com/apis/design/errors */
  readonly isAborted: boolean;
  /** The error is about a limit by the day, not by the minute. */
  readonly namesDay: boolean;
}

/** Reasons in the newer form of an error: https://google.aip.dev/193#errorinfo */
const detailReasons: Readonly<Record<string, string>> = {
  API_KEY_INVALID: "keyInvalid",
  API_KEY_SERVICE_BLOCKED: "accessNotConfigured",
  API_KEY_HTTP_REFERRER_BLOCKED: "ipRefererBlocked",
  API_KEY_IP_ADDRESS_BLOCKED: "ipRefererBlocked",
  API_KEY_ANDROID_APP_BLOCKED: "ipRefererBlocked",
  API_KEY_IOS_APP_BLOCKED: "ipRefererBlocked",
  SERVICE_DISABLED: "accessNotConfigured",
  CONSUMER_INVALID: "projectGone",
  CONSUMER_SUSPENDED: "projectGone",
  ACCESS_TOKEN_EXPIRED: "authError",
  ACCESS_TOKEN_TYPE_UNSUPPORTED: "authError",
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: "insufficientPermissions",
};

export function readError({ body, headers }: Pick<HttpResponse, "body" | "headers">): ErrorAnswer {
  const whole = parse(body);
  const error = fieldOf(whole, "error");
  const first = fieldOf(fieldOf(error, "errors"), 0);
  const message = textIn(fieldOf(error, "message")) ?? textIn(fieldOf(first, "message")) ?? "";
  const details = detailsOf(error);
  const challengeReason = oauthReason(challengeError(headers["www-authenticate"]));
  return {
    reason:
      details.map(reasonOf).find(Boolean) ??
      // The body of a token with too few permissions may say no more than "forbidden".
      (challengeReason === "insufficient_scope" ? challengeReason : undefined) ??
      nameIn(fieldOf(first, "reason")) ??
      oauthReason(error) ??
      oauthReason(fieldOf(whole, "error_code")) ??
      challengeReason,
    message,
    description: fieldOf(whole, "error_description"),
    location: nameIn(fieldOf(first, "location")),
    isAborted: fieldOf(error, "status") === "ABORTED",
    namesDay: /\bper day\b/i.test(message) || details.some(isOfDay),
  };
}

function detailsOf(error: unknown): readonly unknown[] {
  const details = fieldOf(error, "details");
  return Array.isArray(details) ? details : [];
}

function reasonOf(detail: unknown): string | undefined {
  const reason = textIn(fieldOf(detail, "reason")) ?? "";
  return Object.hasOwn(detailReasons, reason) ? detailReasons[reason] : undefined;
}

/** `SearchQueriesPerDayPerProject`, or `1/d/{project}`. */
function isOfDay(detail: unknown): boolean {
  const metadata = fieldOf(detail, "metadata");
  const limit = textIn(fieldOf(metadata, "quota_limit")) ?? "";
  const unit = textIn(fieldOf(metadata, "quota_unit")) ?? "";
  return /PerDay/i.test(limit) || unit.startsWith("1/d/");
}

/** `Bearer realm="x", error="invalid_token"`. */
function challengeError(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /\berror="?([a-z_]{1,40})"?/.exec(header)?.[1];
}

/** Only error words of OAuth: the field may hold any text. */
function oauthReason(value: unknown): string | undefined {
  return typeof value === "string" && Object.hasOwn(oauthFailures, value) ? value : undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // HTML from a gateway, something cut off, or nothing at all: then only the status counts.
    return undefined;
  }
}

function fieldOf(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<string | number, unknown>)[key]; // any object may have any name
}

/** The text, if it looks like a name. No other text from outside gets into codes and logs. */
function nameIn(value: unknown): string | undefined {
  const candidate = textIn(value);
  return candidate !== undefined && /^[\w.[\]-]{1,80}$/.test(candidate) ? candidate : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
