import type { HttpResponse } from "../../http/index.ts";
import { oauthFailures } from "./reasons.ts";

/** What the answer says about an error; all of it may be missing, and the body may be HTML, cut off or empty. */
export interface ErrorAnswer {
  readonly reason: string | undefined;
  /** The service's own text: read, never shown. */
  readonly message: string;
  /** Name of the parameter or field it is about. */
  readonly location: string | undefined;
  /** It names a limit of the day, not of the pace. */
  readonly namesDay: boolean;
}

/** The newer form of an error names its reason here: https://google.aip.dev/193#errorinfo */
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
  const error = field(whole, "error");
  const first = field(field(error, "errors"), 0);
  const message = text(field(error, "message")) ?? text(field(first, "message")) ?? "";
  const details = detailsOf(error);
  const challenged = oauth(challenge(headers["www-authenticate"]));
  return {
    reason:
      details.map(reasonOf).find(Boolean) ??
      // The body of a token with too few permissions may say no more than "forbidden".
      (challenged === "insufficient_scope" ? challenged : undefined) ??
      name(field(first, "reason")) ??
      oauth(error) ??
      oauth(field(whole, "error_code")) ??
      challenged,
    message,
    location: name(field(first, "location")),
    namesDay: /\bper day\b/i.test(message) || details.some(isOfDay),
  };
}

function detailsOf(error: unknown): readonly unknown[] {
  const details = field(error, "details");
  return Array.isArray(details) ? details : [];
}

function reasonOf(detail: unknown): string | undefined {
  const reason = text(field(detail, "reason")) ?? "";
  return Object.hasOwn(detailReasons, reason) ? detailReasons[reason] : undefined;
}

/** `SearchQueriesPerDayPerProject`, or `1/d/{project}`. */
function isOfDay(detail: unknown): boolean {
  const metadata = field(detail, "metadata");
  const limit = text(field(metadata, "quota_limit")) ?? "";
  const unit = text(field(metadata, "quota_unit")) ?? "";
  return /PerDay/i.test(limit) || unit.startsWith("1/d/");
}

/** `Bearer realm="x", error="invalid_token"`. */
function challenge(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /\berror="?([a-z_]{1,40})"?/.exec(header)?.[1];
}

/** Only words that OAuth knows: the field may hold any text. */
function oauth(value: unknown): string | undefined {
  return typeof value === "string" && Object.hasOwn(oauthFailures, value) ? value : undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // HTML from a gateway, something cut off, or nothing at all: the status has to do.
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
