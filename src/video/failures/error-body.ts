import { z } from "zod";
import type { HttpResponse } from "../../http/index.ts";
import { readJson } from "../../service-words.ts";
import { oauthFailures } from "./reasons.ts";

/** What an answer says about an error. Everything may be missing: the body may be HTML, cut off or empty. */
export interface ErrorAnswer {
  readonly reason: string | undefined;
  /** YouTube's own text. */
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
const detailReasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** A field that may be missing or hold anything else. */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const text = lenient(z.string().min(1));
/** No text from outside gets into codes and logs unless it looks like a name. */
const name = lenient(z.string().regex(/^[\w.[\]-]{1,80}$/));
/** Only error words of OAuth: the field may hold any text. */
const oauthWord = z.string().refine((word) => Object.hasOwn(oauthFailures, word));

const errorBody = z
  .object({
    error: lenient(
      z.union([
        oauthWord,
        z.object({
          message: text,
          status: text,
          errors: lenient(
            z.tuple([z.object({ reason: name, message: text, location: name })]).rest(z.unknown()),
          ),
          details: lenient(
            z.array(
              lenient(
                z.object({
                  reason: text,
                  metadata: lenient(z.object({ quota_limit: text, quota_unit: text })),
                }),
              ),
            ),
          ),
        }),
      ]),
    ),
    error_code: lenient(oauthWord),
    error_description: z.unknown().optional(),
  })
  .catch({});

export function readError({ body, headers }: Pick<HttpResponse, "body" | "headers">): ErrorAnswer {
  const { error, error_code: errorCode, error_description } = errorBody.parse(readJson(body));
  const google = typeof error === "object" ? error : undefined;
  const word = typeof error === "string" ? error : undefined;
  const [first] = google?.errors ?? [];
  const message = google?.message ?? first?.message ?? "";
  const details = (google?.details ?? []).filter((detail) => detail !== undefined);
  // `Bearer realm="x", error="invalid_token"`.
  const [, challenge] = /\berror="?([a-z_]{1,40})"?/.exec(headers["www-authenticate"] ?? "") ?? [];
  const challenged = oauthWord.safeParse(challenge).data;
  // `SearchQueriesPerDayPerProject`, or `1/d/{project}`.
  const isDayLimit = details.some(
    ({ metadata: { quota_limit: limit = "", quota_unit: unit = "" } = {} }) =>
      /PerDay/i.test(limit) || unit.startsWith("1/d/"),
  );
  return {
    reason:
      details.map(({ reason = "" }) => detailReasons.get(reason)).find(Boolean) ??
      // The body of a token with too few permissions may say no more than "forbidden".
      (challenged === "insufficient_scope" ? challenged : undefined) ??
      first?.reason ??
      word ??
      errorCode ??
      challenged,
    message,
    description: error_description,
    location: first?.location,
    isAborted: google?.status === "ABORTED",
    namesDay: isDayLimit || /\bper day\b/i.test(message),
  };
}
