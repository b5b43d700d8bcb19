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
import { failureOf, isErrorWord } from "./failure.ts";
import type { Client } from "./refresh.ts";

/** A registration at an authorisation server whose page asks people. */
export interface Registered extends Client {
  readonly authorizeUrl: string;
}

export interface CodeExchangeDeps {
  readonly http: Pick<Http, "request">;
  readonly now: () => number;
}

/** What is asked of a person. */
export interface AuthorizationQuestion {
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string;
  readonly verifier: string;
  /** Parameters of this server alone. */
  readonly more?: Readonly<Record<string, string>>;
}

/** The page that asks, by authorisation code with PKCE. */
export async function questionUrl(at: Registered, question: AuthorizationQuestion): Promise<URL> {
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

/** What a server's answer in a browser's address came to. */
export type AuthorizationAnswer =
  | { readonly kind: "code"; readonly parameters: URLSearchParams }
  /** `word` is undefined for one that OAuth does not have. */
  | { readonly kind: "error"; readonly word: string | undefined }
  /** Not such an answer, or another server's. */
  | { readonly kind: "foreign" };

/** Checks the state and, where it is given, the issuer. Nothing that the address says gets any further. */
export function readAnswer(at: Registered, answer: URL, state: string): AuthorizationAnswer {
  const { server, client } = partiesOf(at);
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
 * Exchanges a code, once: what was cut is never sent again.
 * @throws NetworkError; whatever `failureOf` makes of the answer, `invalid_grant` for a code that is over.
 */
export async function exchangeCode(
  at: Registered,
  how: Pick<AuthorizationQuestion, "redirectUri" | "verifier"> & {
    readonly parameters: URLSearchParams;
  },
  { http, now }: CodeExchangeDeps,
) {
  const { server, client } = partiesOf(at);
  const askedAt = now();
  let last: HttpResponse | undefined;
  const sendOnce = async (url: string, { headers, body }: RequestInit): Promise<Response> => {
    const request = { method: "POST", url, headers: headers as Record<string, string> } as const;
    const limits = { retry: "token", tries: 1, deadlineMs, silenceMs, maxBytes } as const;
    last = await http.request({ ...request, body: String(body), ...limits });
    return responseOf(last);
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
      /** As the server writes them; undefined where it names none. */
      scope: granted.scope,
      askedAt,
    };
  } catch (error) {
    // The library's errors carry the answer, tokens included: they go no further.
    if (error instanceof NetworkError || last === undefined) throw error;
    throw failureOf(last, now());
  }
}

/** Both servers are their own issuers, by the origin of their page. */
function partiesOf(at: Registered): { server: AuthorizationServer; client: OAuthClient } {
  return {
    server: { issuer: new URL(at.authorizeUrl).origin, token_endpoint: at.tokenUrl },
    client: { client_id: at.clientId },
  };
}

const bodiless: readonly number[] = [204, 205, 304];

function responseOf({ status, headers, body }: HttpResponse): Response {
  return new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers });
}
