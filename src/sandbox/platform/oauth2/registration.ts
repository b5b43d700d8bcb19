import { randomBytes } from "node:crypto";
import { createExpiringSecrets, type ExpiringSecrets } from "../../expiring-secrets.ts";
import type { PersonName } from "../../types.ts";

interface Expiring {
  readonly expiresAt: number;
}

export interface SignInRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  /** Of PKCE, S256. */
  readonly challenge: string | undefined;
}

interface AuthorizationCode extends SignInRequest {
  readonly person: PersonName;
}

/** What an access or refresh token grants; the two of one consent share it. */
export interface SignInGrant {
  readonly person: PersonName;
  readonly scopes: readonly string[];
}

/** The app's OAuth2 registration, with open sign-ins and tokens. */
export interface Registration {
  readonly clientSecret: string;
  /** Redirect addresses, compared exactly. */
  readonly redirectUris: Set<string>;
  readonly questions: ExpiringSecrets<Expiring & { readonly request: SignInRequest }>;
  readonly codes: ExpiringSecrets<Expiring & AuthorizationCode>;
  readonly accessTokens: ExpiringSecrets<Expiring & { readonly grant: SignInGrant }>;
  readonly refreshTokens: ExpiringSecrets<Expiring & { readonly grant: SignInGrant }>;
}

export const questionLifeMs = 10 * 60_000;
// discord/discord-api-docs#2526
export const codeLifeMs = 100_000;
/** https://docs.discord.com/developers/topics/oauth2 (a week). */
export const accessLifeMs = 604_800_000;
export const refreshLifeMs = 180 * 86_400_000;
const secretBytes = 24;

export function createRegistration({ now }: { readonly now: () => number }): Registration {
  return {
    clientSecret: randomBytes(secretBytes).toString("base64url"),
    redirectUris: new Set(),
    questions: createExpiringSecrets(now, secretBytes),
    codes: createExpiringSecrets(now, secretBytes),
    accessTokens: createExpiringSecrets(now, secretBytes),
    refreshTokens: createExpiringSecrets(now, secretBytes),
  };
}
