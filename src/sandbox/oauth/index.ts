import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createExpiringSecrets } from "../expiring-secrets.ts";
import { createFaults, type Faults } from "../faults.ts";
import { listenOnLoopback } from "../listen.ts";
import { type OAuthClient, OAuthError } from "../oauth-request.ts";
import type { Identify } from "../video/index.ts";
import { createOAuthApp, oauthPaths } from "./app.ts";
import { createIdentities } from "./identity.ts";
import { videoScopes } from "./scopes.ts";
import type { OAuthService } from "./service.ts";
import {
  accessLifetimeMs,
  createIssuedTokens,
  type OAuthAccount,
  type TokenLimits,
} from "./tokens.ts";

export type { OAuthAccount } from "./tokens.ts";

export interface OAuthOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** Who can be picked on the consent page, the likeliest first. */
  readonly accounts: readonly OAuthAccount[];
  /** Redirect addresses of the stand-in's own client, compared exactly; none when absent. */
  readonly redirectUris?: readonly string[];
  /** Decides which requests a fault's `rate` affects. */
  readonly random?: () => number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly limits?: Partial<TokenLimits>;
}

export interface OAuthServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly tokenInfoUrl: string;
  /** The stand-in's own client, which calls itself Greenroom. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: readonly OAuthAccount[];
  /** Looks up an access token for the video stand-in. */
  readonly identify: Identify;
  /** Tokens as if an account had consented to the own client. */
  mint(request: MintOptions): MintedTokens;
  /** Whether a token, access or refresh, is valid. */
  knows(token: string): boolean;
  /** Ends one token, access or refresh, as time would. */
  expire(token: string): void;
  /** Ends every access token; refresh tokens stay valid. */
  expireAll(): void;
  /** Ends every link, as Google does after seven days for an app that is being tested. */
  expireLinks(): void;
  /** Whether any link is valid. */
  hasLinks(): boolean;
  /** Lets the own client be answered at one more address. */
  allowRedirect(uri: string): void;
  /** Makes another client known, or changes one. */
  register(client: OAuthClient): void;
  readonly faults: Faults;
  close(): Promise<void>;
}

const own = { id: "sandbox-client-id", secret: "sandbox-client-secret", name: "Greenroom" };

/**
 * Google does not publish its cap. It ends refresh tokens that were unused for half a year; here they end at that age.
 */
const usualLimits: TokenLimits = { maxRefresh: 100, refreshLifetimeMs: 180 * 86_400_000 };

/**
 * Stand-in for Google's OAuth on 127.0.0.1 (docs/services/youtube.md#oauth): a consent page, codes with PKCE, tokens that
 * expire, are refreshed and revoked.
 */
export async function startOAuth(options: OAuthOptions): Promise<OAuthServer> {
  const { port = 0, accounts, redirectUris = [], random, now = Date.now, limits } = options;
  const clients = new Map<string, OAuthClient>([[own.id, { ...own, redirectUris }]]);
  const tokens = createIssuedTokens(now, { ...usualLimits, ...limits });
  const service: OAuthService = {
    accounts,
    clients,
    consents: createExpiringSecrets(now),
    codes: createExpiringSecrets(now),
    tokens,
    identities: createIdentities(now),
    now,
  };
  const faults = createFaults(random);
  const style = await readFile(new URL("./style.css", import.meta.url), "utf8");
  const server = await listenOnLoopback(createOAuthApp(service, { faults, style }), port);

  return {
    url: server.origin,
    authorizeUrl: server.origin + oauthPaths.authorize,
    tokenUrl: server.origin + oauthPaths.token,
    revokeUrl: server.origin + oauthPaths.revoke,
    tokenInfoUrl: server.origin + oauthPaths.tokenInfo,
    clientId: own.id,
    clientSecret: own.secret,
    accounts,
    identify: (token) => {
      const found = tokens.find(token);
      if (found?.kind !== "access") return undefined;
      return { channelId: found.holder.account.channelId, scopes: found.scopes };
    },
    mint: ({ channelId, scopes = Object.keys(videoScopes), ttlMs = accessLifetimeMs }) => {
      const account = accounts.find((each) => each.channelId === channelId);
      if (account === undefined) {
        throw new Error(`none of the sandbox's accounts has the channel ${channelId}`);
      }
      const unknown = scopes.find((scope) => !Object.hasOwn(videoScopes, scope));
      if (unknown !== undefined) {
        throw new OAuthError(400, "invalid_scope", `There is no scope ${unknown}.`);
      }
      const holder = { account, clientId: own.id };
      const issue = { holder, scopes, family: randomUUID() };
      tokens.allow(holder, scopes);
      return {
        accessToken: tokens.issueAccess(issue, ttlMs),
        refreshToken: tokens.issueRefresh(issue),
        scopes,
        expiresAt: now() + ttlMs,
      };
    },
    knows: (token) => tokens.find(token) !== undefined,
    expire: tokens.drop,
    expireAll: () => tokens.dropWhere(({ kind }) => kind === "access"),
    expireLinks: () => tokens.dropWhere(() => true),
    hasLinks: tokens.hasAnyRefresh,
    allowRedirect: (uri) => {
      const known = clients.get(own.id)?.redirectUris ?? [];
      clients.set(own.id, { ...own, redirectUris: [...known, uri] });
    },
    register: (client) => void clients.set(client.id, client),
    faults,
    close: server.close,
  };
}

interface MintOptions {
  /** Of one of the accounts; undefined for the account without a channel. */
  readonly channelId: string | undefined;
  /** Without their address prefix; every one of YouTube when absent. */
  readonly scopes?: readonly string[];
  /** Of the access token; an hour when absent. */
  readonly ttlMs?: number;
}

interface MintedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
  /** Of the access token, in milliseconds since 1970. */
  readonly expiresAt: number;
}
