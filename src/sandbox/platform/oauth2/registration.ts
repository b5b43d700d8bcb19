import { randomBytes } from "node:crypto";
import type { PersonName } from "../../types.ts";

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

/** Values that are found by a secret and expire; `take` returns a value and removes it. */
interface ExpiringSecrets<T> {
  put(value: T): string;
  find(secret: string): T | undefined;
  take(secret: string): T | undefined;
  drop(fits: (value: T) => boolean): void;
}

/** The app's OAuth2 registration, with open sign-ins and tokens. */
export interface Registration {
  readonly clientSecret: string;
  /** Redirect addresses, compared exactly. */
  readonly redirectUris: Set<string>;
  readonly questions: ExpiringSecrets<SignInRequest>;
  readonly codes: ExpiringSecrets<AuthorizationCode>;
  readonly accessTokens: ExpiringSecrets<SignInGrant>;
  readonly refreshTokens: ExpiringSecrets<SignInGrant>;
}

const questionLifeMs = 10 * 60_000;
// discord/discord-api-docs#2526
const codeLifeMs = 100_000;
/** https://docs.discord.com/developers/topics/oauth2 (a week). */
export const accessLifeMs = 604_800_000;
const refreshLifeMs = 180 * 86_400_000;
const secretBytes = 24;

function secret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

function createKept<T>(now: () => number, lifeMs: number): ExpiringSecrets<T> {
  const all = new Map<string, { readonly value: T; readonly endsAt: number }>();
  const find = (key: string): T | undefined => {
    const found = all.get(key);
    return found !== undefined && found.endsAt > now() ? found.value : undefined;
  };
  return {
    put(value) {
      for (const [key, { endsAt }] of all) if (endsAt <= now()) all.delete(key);
      const key = secret();
      all.set(key, { value, endsAt: now() + lifeMs });
      return key;
    },
    find,
    take(key) {
      const found = find(key);
      all.delete(key);
      return found;
    },
    drop(fits) {
      for (const [key, { value }] of all) if (fits(value)) all.delete(key);
    },
  };
}

export function createRegistration({ now }: { readonly now: () => number }): Registration {
  return {
    clientSecret: secret(),
    redirectUris: new Set(),
    questions: createKept(now, questionLifeMs),
    codes: createKept(now, codeLifeMs),
    accessTokens: createKept(now, accessLifeMs),
    refreshTokens: createKept(now, refreshLifeMs),
  };
}
