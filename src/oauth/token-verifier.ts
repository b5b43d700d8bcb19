import { ConnectError } from "../errors.ts";
import { readErrorWord, readTokenAnswer, tokenEndpointFailure } from "./failure.ts";
import { parseScopes } from "./permissions.ts";
import { isHeaderSafe, type RefreshDeps, refresh } from "./refresh.ts";

interface TokenVerifierDeps extends Omit<RefreshDeps, "signal"> {
  /** Called with every token before it is used, so that the log never shows it. */
  readonly onSecret: (secret: string) => void;
  /** Called with a text that somebody typed as a token, before it is known to be one. */
  readonly onTyped: (text: string) => void;
}

/** What Google says about a token that somebody entered. */
export interface VerifiedToken {
  /** The access token that was entered, or one that was made with the refresh token. It reads which channel it is for. */
  readonly accessToken: string;
  /** Without their prefix. */
  readonly scopes: readonly string[];
  /** When the access token expires. Milliseconds since the epoch. */
  readonly endsAt: number;
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>;

const deadlineMs = 20_000;
const maxBytes = 64 * 1024;
/** Error words about the token itself; `unauthorized_client` is for another client's token. */
const tokenWords = ["invalid_grant", "unauthorized_client", "invalid_token", "invalid_request"];

/** Verifies tokens at Google before they are stored. */
export function createTokenVerifier({ onSecret, onTyped, ...options }: TokenVerifierDeps) {
  const { http, now, tokenUrl } = options;
  // Google has it beside the token endpoint: docs/services/youtube.md#oauth
  const tokenInfoUrl = new URL("tokeninfo", tokenUrl).href;

  async function tokenInfo(token: string): Promise<VerifiedToken> {
    const askedAt = now();
    const response = await http.request({
      method: "POST",
      url: tokenInfoUrl,
      headers: { authorization: `Bearer ${token}` },
      retry: "read",
      deadlineMs,
      maxBytes,
    });
    const { status, body } = response;
    const isRefused = status >= 400 && status < 500;
    if (isRefused && tokenWords.includes(readErrorWord(body) ?? ""))
      throw tokenNotAccepted("access");
    const { scope, expires_in: seconds } = readTokenAnswer(body);
    if (status !== 200 || scope === undefined || seconds === undefined) {
      throw tokenEndpointFailure(response, now());
    }
    const endsAt = askedAt + seconds * 1_000;
    return { accessToken: token, scopes: parseScopes(scope), endsAt };
  }

  return {
    /** @throws ConnectError `token_not_accepted` and those of the token endpoint; what else a refresh throws. */
    async proveRefreshToken(text: string): Promise<VerifiedToken> {
      const token = text.trim();
      if (!isHeaderSafe(token)) throw tokenNotAccepted("refresh");
      onTyped(token);
      const { signal } = new AbortController();
      const services = { ...options, signal, deadlineMs };
      const refreshed = await refresh(services, token).catch((error) => {
        const isAboutToken =
          error instanceof ConnectError && tokenWords.includes(String(error.facts.reason));
        throw isAboutToken ? tokenNotAccepted("refresh") : error;
      });
      const { token: accessToken, endsAt, scopes } = refreshed;
      onSecret(accessToken);
      return scopes === undefined ? tokenInfo(accessToken) : { accessToken, scopes, endsAt };
    },
    /** @throws ConnectError `token_not_accepted`; ServiceError, LimitError, NetworkError as a refresh. */
    async proveAccessToken(text: string): Promise<VerifiedToken> {
      const token = text.trim();
      if (!isHeaderSafe(token)) throw tokenNotAccepted("access");
      onTyped(token);
      return tokenInfo(token);
    },
  };
}

/** Google knows no such token, or it is another program's. */
export function tokenNotAccepted(what: "refresh" | "access"): ConnectError {
  return new ConnectError(`the ${what} token that was entered is not accepted`, {
    code: "token_not_accepted",
    facts: { service: "consent", what },
  });
}
