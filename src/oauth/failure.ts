import { z } from "zod";
import { type BotError, ConnectError, LimitError, ServiceError } from "../errors.ts";
import { type HttpResponse, retryAfterMs } from "../http/index.ts";
import { isWebPage, readJson, serviceWords } from "../service-words.ts";

const client = "oauth_client_refused";

/**
 * Our codes for those of OAuth's error words after which another try is useless: docs/services/youtube.md#oauth-errors
 * YouTube's answers have the same codes.
 */
const errorCodes: Readonly<Record<string, string>> = {
  invalid_grant: "invalid_grant",
  admin_policy_enforced: "admin_policy_enforced",
  org_internal: "org_internal",
  invalid_client: client,
  unauthorized_client: client,
  deleted_client: client,
  unsupported_grant_type: client,
  invalid_scope: client,
};

const floods: readonly string[] = ["slow_down", "rate_limit_exceeded"];

/** The operator has not registered the bot. */
export function clientMissing(): ConnectError {
  return new ConnectError("OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET are not set", {
    code: "oauth_client_missing",
  });
}

type TokenEndpointAnswer = Pick<HttpResponse, "status" | "headers" | "body">;

/** Translates the token endpoint's answer. Its own words go along where nobody foresaw it. */
export function tokenEndpointFailure(
  { status, headers, body }: TokenEndpointAnswer,
  now: number,
): BotError {
  const word = readErrorWord(body);
  const message = `the token endpoint answered ${status}${word ? ` ${word}` : ""}`;
  const facts = { service: "consent", status, ...(word && { reason: word }) };
  if (status === 429 || (status < 500 && floods.includes(word ?? ""))) {
    const waitMs = retryAfterMs(headers["retry-after"], now);
    const retryAt = waitMs ? { retryAt: new Date(now + waitMs) } : {};
    return new LimitError(message, { code: "rate_limited", facts, ...retryAt });
  }
  const known = status >= 400 && status < 500 ? findErrorCode(word) : undefined;
  if (known !== undefined) return new ConnectError(message, { code: known, facts });
  if (status >= 500) return new ServiceError(message, { code: "service_unavailable", facts });
  const answer = readTokenAnswer(body);
  const names = [answer.error, answer.error_code];
  const said = serviceWords({ title: answer.error_description, names });
  return new ServiceError(message, {
    code: isWebPage({ headers, body }) ? "web_page_answer" : "unexpected_answer",
    facts: { ...facts, ...(said !== undefined && { said }) },
  });
}

export function isGrantGone(error: unknown): boolean {
  return error instanceof ConnectError && error.code === "invalid_grant";
}

/** The code for an error word of Google, where the word is known. */
export function findErrorCode(word = ""): string | undefined {
  return Object.hasOwn(errorCodes, word) ? errorCodes[word] : undefined;
}

/** A field that may be missing or hold anything else. */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);

/** What the endpoints answer: https://www.rfc-editor.org/rfc/rfc6749#section-5 */
const tokenAnswer = z
  .object({
    error: z.unknown().optional(),
    error_code: z.unknown().optional(),
    error_description: z.unknown().optional(),
    access_token: lenient(z.string()),
    expires_in: lenient(z.coerce.number().positive()),
    scope: lenient(z.string()),
  })
  .catch({});

/** The answer's fields; none where it is no JSON. */
export function readTokenAnswer(body: Buffer) {
  return tokenAnswer.parse(readJson(body));
}

/** The answer's error word, if it looks like one. */
export function readErrorWord(body: Buffer): string | undefined {
  const { error, error_code: code } = readTokenAnswer(body);
  return [error, code].find(isErrorWord);
}

/** Whether it looks like one of OAuth's error words, and not like free text. */
export function isErrorWord(word: unknown): word is string {
  return typeof word === "string" && /^[a-z][a-z_]{0,39}$/.test(word);
}
