import { ConnectError } from "../errors.ts";
import type { Http, HttpResponse } from "../http/index.ts";
import { errorWordOf, failureOf, jsonOf } from "./failure.ts";
import { readScopes } from "./permissions.ts";
import { isToken, type RefreshServices, refresh } from "./refresh.ts";

export interface ProofsOptions extends Omit<RefreshServices, "signal" | "http"> {
  readonly http: Pick<Http, "request" | "backOff">;
  /** Told every token before it is used. */
  readonly onSecret: (secret: string) => void;
  /** Told of what somebody typed as a token, before anything shows that it is one. */
  readonly onTyped: (text: string) => void;
}

/** What a token that somebody entered is good for. */
export interface Proof {
  /** To read the channel with. */
  readonly accessToken: string;
  /** Without their prefix. */
  readonly scopes: readonly string[];
  /** Of the access token. Milliseconds since the epoch. */
  readonly endsAt: number;
}

export type Proofs = ReturnType<typeof createProofs>;

const deadlineMs = 20_000;
const maxBytes = 64 * 1024;
/** Words that mean the token itself; `unauthorized_client` is said of another client's. */
const tokenWords = ["invalid_grant", "unauthorized_client", "invalid_token", "invalid_request"];

/** Tries tokens at the authorisation service before they are stored. */
export function createProofs({ onSecret, onTyped, ...options }: ProofsOptions) {
  const { http, now, tokenUrl } = options;
  // It lies beside the token endpoint (facts/video-api.json, oauth.tokenInfoEndpoint).
  const tokenInfoUrl = new URL("tokeninfo", tokenUrl).href;

  async function tokenInfo(token: string): Promise<Proof> {
    const askedAt = now();
    const response = await http.request({
      method: "POST",
      url: tokenInfoUrl,
      headers: { authorization: `Bearer ${token}` },
      ...{ retry: "read", deadlineMs, maxBytes },
    });
    if (isRefused(response)) throw notAccepted("access");
    const { scope, expires_in: seconds } = response.status === 200 ? jsonOf(response.body) : {};
    if (typeof scope !== "string" || !(Number(seconds) > 0)) throw failureOf(response, now());
    const endsAt = askedAt + Number(seconds) * 1_000;
    return { accessToken: token, scopes: readScopes(scope), endsAt };
  }

  return {
    /** @throws ConnectError `token_not_accepted` and those of the token endpoint; what else a refresh throws. */
    async proveRefreshToken(text: string): Promise<Proof> {
      const token = text.trim();
      if (!isToken(token)) throw notAccepted("refresh");
      onTyped(token);
      const { signal } = new AbortController();
      const services = { ...options, signal, deadlineMs };
      const refreshed = await refresh(services, token).catch((error) => {
        throw isOfToken(error) ? notAccepted("refresh") : error;
      });
      const { token: accessToken, endsAt, scopes } = refreshed;
      onSecret(accessToken);
      return scopes === undefined ? tokenInfo(accessToken) : { accessToken, scopes, endsAt };
    },
    /** @throws ConnectError `token_not_accepted`; ServiceError, LimitError, NetworkError as a refresh. */
    async proveAccessToken(text: string): Promise<Proof> {
      const token = text.trim();
      if (!isToken(token)) throw notAccepted("access");
      onTyped(token);
      return tokenInfo(token);
    },
  };
}

function isOfToken(error: unknown): boolean {
  return error instanceof ConnectError && tokenWords.includes(String(error.facts.reason));
}

function isRefused({ status, body }: HttpResponse): boolean {
  return status >= 400 && status < 500 && tokenWords.includes(errorWordOf(body) ?? "");
}

/** The service knows no such token, or it is not this bot's. */
export function notAccepted(what: "refresh" | "access"): ConnectError {
  return new ConnectError(`the ${what} token that was entered is not accepted`, {
    code: "token_not_accepted",
    facts: { service: "consent", what },
  });
}
