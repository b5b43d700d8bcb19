import { BotError, NetworkError } from "../errors.ts";
import type { Http, HttpResponse } from "../http/index.ts";
import { readTokenAnswer, tokenEndpointFailure } from "./failure.ts";
import { parseScopes } from "./permissions.ts";

/** The bot's own registration at Google. */
export interface OAuthRegistration {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface RefreshDeps extends OAuthRegistration {
  readonly http: Pick<Http, "request" | "backOff">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called with the outcome of each refresh: `renewed`, or the code of its failure. */
  readonly onRefresh?: ((outcome: string) => void) | undefined;
  /** All tries together; two minutes when absent. */
  readonly deadlineMs?: number | undefined;
  /** Longest silence before a try counts as cut; ten seconds when absent. */
  readonly silenceMs?: number | undefined;
}

/** An access token; times in milliseconds since the epoch. */
export interface TimedAccessToken {
  readonly token: string;
  /** From then on a new token is requested. */
  readonly renewAt: number;
  /** From then on it is no longer used. */
  readonly endsAt: number;
}

interface RefreshedToken extends TimedAccessToken {
  /** Without their prefix; undefined if the answer names none. */
  readonly scopes: readonly string[] | undefined;
}

const usualDeadlineMs = 120_000;
const usualSilenceMs = 10_000;
const maxBytes = 64 * 1024;

const marginMs = 5 * 60_000;
/** The longest time of a request on its way, plus the difference of the clocks. */
const slackMs = 30_000;
/** Google's usual lifetime, assumed if an answer names none. */
const usualSeconds = 3_600;

/**
 * Gets a new access token. Asking twice does no harm, so a request that was cut off is repeated too.
 * @throws ConnectError `invalid_grant` when the consent is over, and others by Google's error word; ServiceError,
 * LimitError and NetworkError for what may pass.
 */
export async function refresh(
  services: RefreshDeps,
  refreshToken: string,
): Promise<RefreshedToken> {
  const { now, onRefresh, deadlineMs = usualDeadlineMs } = services;
  const askedAt = now();
  try {
    const response = await sendUntilAnswered(services, refreshToken, askedAt + deadlineMs);
    const { access_token: token = "", expires_in: seconds, scope } = readTokenAnswer(response.body);
    if (response.status !== 200 || !isHeaderSafe(token)) {
      throw tokenEndpointFailure(response, now());
    }
    const scopes = scope === undefined ? undefined : parseScopes(scope);
    onRefresh?.("renewed");
    return { ...createTimedToken(token, { seconds, askedAt }), scopes };
  } catch (error) {
    onRefresh?.(error instanceof BotError ? error.code : "aborted");
    throw error;
  }
}

/** `http` repeats requests that were answered or never left; those that were cut off are repeated here. */
async function sendUntilAnswered(
  services: RefreshDeps,
  refreshToken: string,
  endAt: number,
): Promise<HttpResponse> {
  const { http, tokenUrl, clientId, clientSecret, now, signal } = services;
  const { silenceMs = usualSilenceMs } = services;
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = { method: "POST", url: tokenUrl, headers, body: `${form}` } as const;
  const limits = { retry: "token", silenceMs, maxBytes, signal } as const;
  for (let cuts = 1; ; cuts += 1) {
    try {
      return await http.request({ ...request, ...limits, deadlineMs: endAt - now() });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const isCut = error.code === "cut" || error.code === "timeout";
      const withinMs = endAt - now();
      const goesOn = isCut && (await http.backOff("token", cuts, { withinMs, signal }));
      if (goesOn) continue;
      // A refresh that was cut off changes nothing, even if it arrived: the next one gets another token.
      const { code, facts, message } = error;
      throw new NetworkError(message, { code, facts, cause: error });
    }
  }
}

export function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** A token from an answer, with its times counted from the request. */
export function createTimedToken(
  token: string,
  { seconds = 0, askedAt }: { readonly seconds: number | undefined; readonly askedAt: number },
): TimedAccessToken {
  const livesMs = (seconds > 0 ? seconds : usualSeconds) * 1_000;
  // A token is used for at least half of a short lifetime, or every call would need a refresh.
  const renewAt = askedAt + Math.max(livesMs - marginMs, livesMs / 2);
  return { token, renewAt, endsAt: Math.max(renewAt, askedAt + livesMs - slackMs) };
}
