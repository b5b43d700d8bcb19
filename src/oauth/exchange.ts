import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  type Client as OAuthClient,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from "oauth4webapi";
import { NetworkError } from "../errors.ts";
import type { Http, HttpResponse } from "../http/index.ts";
import { isErrorWord, tokenEndpointFailure } from "./failure.ts";
import type { OAuthRegistration } from "./refresh.ts";

/** A registration at an authorisation server, with the page that asks people. */
export interface AuthorizationRegistration extends OAuthRegistration {
  readonly authorizeUrl: string;
}

export interface AuthorizationQuestion {
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string;
  readonly verifier: string;
  /** Parameters that only this server has. */
  readonly more?: Readonly<Record<string, string>>;
}

/** The address of the page that asks, for an authorisation code with PKCE. */
export async function questionUrl(
  at: AuthorizationRegistration,
  question: AuthorizationQuestion,
): Promise<URL> {
  const url = new URL(at.authorizeUrl);
  const { redirectUri, scope, state, verifier, more = {} } = question;
  const params = {
    client_id: at.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}

/** A server's answer, read from the browser's address. */
export type AuthorizationAnswer =
  | { readonly kind: "code"; readonly parameters: URLSearchParams }
  /** `word` is undefined if it is none of OAuth's error words. */
  | { readonly kind: "error"; readonly word: string | undefined }
  /** Not such an answer, or another server's. */
  | { readonly kind: "foreign" };

/** Checks the state and, if given, the issuer. No text of the address is passed on. */
export function readAnswer(
  at: AuthorizationRegistration,
  answer: URL,
  state: string,
): AuthorizationAnswer {
  const { server, client } = oauthParties(at);
  try {
    const parameters = validateAuthResponse(server, client, answer, state);
    const [code, ...more] = parameters.getAll("code");
    return code && more.length === 0 ? { kind: "code", parameters } : { kind: "foreign" };
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError)) return { kind: "foreign" };
    return { kind: "error", word: isErrorWord(error.error) ? error.error : undefined };
  }
}

const deadlineMs = 20_000;
const silenceMs = 10_000;
const maxBytes = 64 * 1024;

/**
 * Exchanges a code. A request that was cut is never sent again, because a code works only once.
 * @throws NetworkError; what `tokenEndpointFailure` makes of the answer, such as `invalid_grant` for a code that is over.
 */
export async function exchangeCode(
  at: AuthorizationRegistration,
  how: Pick<AuthorizationQuestion, "redirectUri" | "verifier"> & {
    readonly parameters: URLSearchParams;
  },
  { http, now }: { readonly http: Pick<Http, "request">; readonly now: () => number },
) {
  const { server, client } = oauthParties(at);
  const askedAt = now();
  let last: HttpResponse | undefined;
  const sendOnce = async (url: string, init: RequestInit): Promise<Response> => {
    last = await http.request({
      method: "POST",
      url,
      headers: init.headers as Record<string, string>,
      body: String(init.body),
      retry: "token",
      tries: 1,
      deadlineMs,
      silenceMs,
      maxBytes,
    });
    return toResponse(last);
  };
  try {
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      ClientSecretPost(at.clientSecret),
      how.parameters,
      how.redirectUri,
      how.verifier,
      {
        [customFetch]: sendOnce,
        [allowInsecureRequests]: new URL(at.tokenUrl).protocol === "http:",
      },
    );
    const granted = await processAuthorizationCodeResponse(server, client, response);
    return {
      accessToken: granted.access_token,
      expiresInSeconds: granted.expires_in,
      refreshToken: granted.refresh_token,
      /** Scopes as the server writes them; undefined if it names none. */
      scope: granted.scope,
      askedAt,
    };
  } catch (error) {
    // The library's errors contain the answer with its tokens, so they are not passed on.
    if (error instanceof NetworkError || last === undefined) throw error;
    throw tokenEndpointFailure(last, now());
  }
}

/** Both servers are their own issuers, named by the origin of their page. */
function oauthParties(at: AuthorizationRegistration): {
  server: AuthorizationServer;
  client: OAuthClient;
} {
  return {
    server: { issuer: new URL(at.authorizeUrl).origin, token_endpoint: at.tokenUrl },
    client: { client_id: at.clientId },
  };
}

/** Statuses with which a `Response` takes no body. */
const bodiless: readonly number[] = [204, 205, 304];

function toResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers });
}
