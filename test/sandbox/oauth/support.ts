import { createHash, randomBytes } from "node:crypto";
import {
  type OAuthAccount,
  type OAuthOptions,
  type OAuthServer,
  startOAuth,
} from "../../../src/sandbox/oauth/index.ts";

export const redirectUri = "http://127.0.0.1:9/callback?from=sandbox";
export const prefix = "https://www.googleapis.com/auth/";

export const studio: OAuthAccount = {
  id: "1001",
  name: "Studio",
  email: "studio@mail.example",
  channelId: "UCstudio",
  hue: 10,
};
export const bakery: OAuthAccount = {
  id: "1002",
  name: "Bakery",
  email: "bakery@mail.example",
  channelId: "UCbakery",
  hue: 60,
};
export const channelless: OAuthAccount = {
  id: "1003",
  name: "Robin",
  email: "robin@mail.example",
  channelId: undefined,
  hue: 200,
};

/** A stand-in with three accounts and a clock that only the test moves. */
export async function start(options: Partial<OAuthOptions> = {}) {
  let time = Date.UTC(2026, 10, 21, 12);
  const server = await startOAuth({
    accounts: [studio, bakery, channelless],
    redirectUris: [redirectUri],
    now: () => time,
    ...options,
  });
  return {
    server,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function makePkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

type Fields = Readonly<Record<string, string>>;

/** An address of the consent page; a parameter given as "" is omitted. */
export function authorizeUrl(server: OAuthServer, changes: Fields = {}): string {
  const params = {
    client_id: server.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: `${prefix}youtube.force-ssl ${prefix}youtube.upload`,
    access_type: "offline",
    ...changes,
  };
  const given = Object.entries(params).filter(([, value]) => value !== "");
  return `${server.authorizeUrl}?${new URLSearchParams(given)}`;
}

export interface Choice {
  readonly account?: OAuthAccount;
  /** Short names of scopes; all that were requested when absent. */
  readonly ticked?: readonly string[];
  readonly decision?: "allow" | "cancel";
}

/** Opens the consent page, submits its form, and returns the response. */
export async function answer(url: string, choice: Choice = {}): Promise<Response> {
  const page = await (await fetch(url)).text();
  const handle = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const offered = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, name]) => name ?? "");
  const form = new URLSearchParams({
    request: handle,
    account: (choice.account ?? studio).id,
    decision: choice.decision ?? "allow",
  });
  for (const scope of choice.ticked ?? offered) form.append("scope", scope);
  return fetch(new URL(url).origin + new URL(url).pathname, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
}

/** The address that the browser is sent to after the form. */
export async function sentTo(url: string, choice: Choice = {}): Promise<URL> {
  const response = await answer(url, choice);
  return new URL(response.headers.get("location") ?? "");
}

export async function codeFor(
  server: OAuthServer,
  changes: Fields = {},
  choice: Choice = {},
): Promise<string> {
  const { searchParams } = await sentTo(authorizeUrl(server, changes), choice);
  return searchParams.get("code") ?? "";
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token?: string;
    readonly expires_in: number;
    readonly scope: string;
    readonly token_type: string;
    readonly error?: string;
    readonly error_description?: string;
  };
}

export async function post(
  url: string,
  fields: Fields | string,
  headers: Fields = {},
): Promise<Answered> {
  const body = new URLSearchParams(fields);
  const response = await fetch(url, { method: "POST", body, headers });
  const answered = (await response.json()) as Answered["body"];
  return { status: response.status, headers: response.headers, body: answered };
}

/** Calls the token endpoint as the stand-in's registered client. */
export function token(server: OAuthServer, fields: Fields): Promise<Answered> {
  const { clientId, clientSecret } = server;
  const client = { client_id: clientId, client_secret: clientSecret };
  return post(server.tokenUrl, { ...client, ...fields });
}

export function redeem(server: OAuthServer, code: string, more: Fields = {}): Promise<Answered> {
  const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  return token(server, { ...fields, ...more });
}

export function refresh(
  server: OAuthServer,
  refreshToken: string | undefined,
  more: Fields = {},
): Promise<Answered> {
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken ?? "" };
  return token(server, { ...fields, ...more });
}

/** Gives consent and redeems the code. */
export async function tokensFor(server: OAuthServer, changes: Fields = {}, choice: Choice = {}) {
  return (await redeem(server, await codeFor(server, changes, choice))).body;
}
