import { createExpiringSecrets } from "../expiring-secrets.ts";

/** Somebody, or a channel of somebody's, that can be picked on the consent page. */
export interface OAuthAccount {
  /** Stays the same, whatever the account is called. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The channel it speaks for; undefined when it has none. */
  readonly channelId: string | undefined;
  /** Colour of its sign, 0 to 360. */
  readonly hue: number;
}

/** An account and the client that it lets in. */
export interface TokenHolder {
  readonly account: OAuthAccount;
  readonly clientId: string;
}

export interface TokenFacts {
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  /** Names the consent that it came from. */
  readonly family: string;
}

interface IssuedToken extends TokenFacts {
  readonly kind: "access" | "refresh";
  readonly expiresAt: number;
}

export interface TokenLimits {
  /** Live refresh tokens per account and client. */
  readonly maxRefresh: number;
  readonly refreshLifetimeMs: number;
}

/** How long an access token lives; the answer says one second less than an hour, as Google's does. */
export const accessLifetimeMs = 3_599_000;

const prefixes = { access: "ya29.a0", refresh: "1//0" } as const;

export type IssuedTokens = ReturnType<typeof createIssuedTokens>;

/** Every token that is valid, and what each account has allowed each client. */
export function createIssuedTokens(now: () => number, limits: TokenLimits) {
  const issued = createExpiringSecrets<IssuedToken>(now);
  const allowed = new Map<string, readonly string[]>();

  function findRefreshTokens(holder: TokenHolder): string[] {
    const key = holderKey(holder);
    return issued
      .list()
      .filter(([, token]) => token.kind === "refresh" && holderKey(token.holder) === key)
      .map(([text]) => text);
  }

  return {
    /** Undefined when it is unknown, expired or revoked. */
    find: issued.find,
    drop: issued.drop,
    dropWhere: issued.dropWhere,
    issueAccess: (facts: TokenFacts, lifetimeMs = accessLifetimeMs): string =>
      issued.add(prefixes.access, { ...facts, kind: "access", expiresAt: now() + lifetimeMs }),
    /** Above the cap the oldest of the same account and client ends without notice. */
    issueRefresh(facts: TokenFacts): string {
      const expiresAt = now() + limits.refreshLifetimeMs;
      const text = issued.add(prefixes.refresh, { ...facts, kind: "refresh", expiresAt });
      for (const old of findRefreshTokens(facts.holder).slice(0, -limits.maxRefresh)) {
        issued.drop(old);
      }
      return text;
    },
    hasRefresh: (holder: TokenHolder): boolean => findRefreshTokens(holder).length > 0,
    hasAnyRefresh: (): boolean => issued.list().some(([, { kind }]) => kind === "refresh"),
    /** Adds to what the account allows the client, and gives what it allowed before. */
    allow(holder: TokenHolder, scopes: readonly string[]): readonly string[] {
      const before = allowed.get(holderKey(holder)) ?? [];
      allowed.set(holderKey(holder), [...new Set([...before, ...scopes])]);
      return before;
    },
    /** Ends everything the account ever gave to the client. */
    dropHolder(holder: TokenHolder): void {
      const key = holderKey(holder);
      allowed.delete(key);
      issued.dropWhere((token) => holderKey(token.holder) === key);
    },
  };
}

/** Equal for equal holders. */
export function holderKey({ account, clientId }: TokenHolder): string {
  return `${clientId} ${account.id}`;
}
