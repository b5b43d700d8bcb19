import { randomBytes } from "node:crypto";

export interface TokenHolder {
  readonly account: OAuthAccount;
  readonly clientId: string;
}

interface IssuedToken {
  readonly kind: "access" | "refresh";
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Everything that came from one consent has the same. */
  readonly family: string;
}

export type TokenFacts = Pick<IssuedToken, "holder" | "scopes" | "family">;

/** All tokens that are valid, and what each account has allowed each client. */
export interface IssuedTokens {
  issueAccess(issue: TokenFacts, lifetimeMs?: number): string;
  /** Above the cap the oldest of the same account and client ends without notice. */
  issueRefresh(issue: TokenFacts): string;
  /** Undefined when it is unknown, expired or revoked. */
  find(token: string): IssuedToken | undefined;
  hasRefresh(holder: TokenHolder): boolean;
  /** Adds to what the account allows the client, and gives what it allowed before. */
  allow(holder: TokenHolder, scopes: readonly string[]): readonly string[];
  dropFamily(family: string): void;
  /** Ends every token that this account gave to this client. */
  dropHolder(holder: TokenHolder): void;
  drop(token: string): void;
  dropAllAccess(): void;
  dropAll(): void;
  hasAnyRefresh(): boolean;
}

export interface TokenLimits {
  /** Live refresh tokens per account and client. */
  readonly maxRefresh: number;
  readonly refreshLifetimeMs: number;
}

/** How long an access token lives; the answer says one second less than an hour, as the service does. */
export const accessLifetimeMs = 3_599_000;

const sweepAt = 10_000;

// Tokens come from the system's own randomness, not from the seed of faults: nothing on this machine may guess them.
const prefixes = { access: "ya29.a0", refresh: "1//0" } as const;

export function createIssuedTokens(now: () => number, limits: TokenLimits): IssuedTokens {
  const issued = new Map<string, IssuedToken>();
  const allowed = new Map<string, readonly string[]>();

  function issue(token: IssuedToken): string {
    if (issued.size >= sweepAt) dropWhere(({ expiresAt }) => expiresAt <= now());
    const text = prefixes[token.kind] + randomBytes(48).toString("base64url");
    issued.set(text, token);
    return text;
  }

  function dropWhere(matches: (token: IssuedToken) => boolean): void {
    for (const [text, token] of issued) {
      if (matches(token)) issued.delete(text);
    }
  }

  function findRefreshes(holder: TokenHolder): string[] {
    return [...issued]
      .filter(([, token]) => token.kind === "refresh" && isSame(token.holder, holder))
      .filter(([, { expiresAt }]) => expiresAt > now())
      .map(([text]) => text);
  }

  return {
    issueAccess: (facts, lifetimeMs = accessLifetimeMs) =>
      issue({ ...facts, kind: "access", expiresAt: now() + lifetimeMs }),
    issueRefresh(facts) {
      const text = issue({
        ...facts,
        kind: "refresh",
        expiresAt: now() + limits.refreshLifetimeMs,
      });
      const surplus = findRefreshes(facts.holder).slice(0, -limits.maxRefresh);
      for (const old of surplus) issued.delete(old);
      return text;
    },
    find(token) {
      const found = issued.get(token);
      return found !== undefined && found.expiresAt > now() ? found : undefined;
    },
    hasRefresh: (holder) => findRefreshes(holder).length > 0,
    allow(holder, scopes) {
      const before = allowed.get(holderKey(holder)) ?? [];
      allowed.set(holderKey(holder), [...new Set([...before, ...scopes])]);
      return before;
    },
    dropFamily: (family) => dropWhere((token) => token.family === family),
    dropHolder(holder) {
      allowed.delete(holderKey(holder));
      dropWhere((token) => isSame(token.holder, holder));
    },
    drop: (token) => void issued.delete(token),
    dropAllAccess: () => dropWhere(({ kind }) => kind === "access"),
    dropAll: () => issued.clear(),
    hasAnyRefresh: () =>
      [...issued.values()].some(({ kind, expiresAt }) => kind === "refresh" && expiresAt > now()),
  };
}

function holderKey({ account, clientId }: TokenHolder): string {
  return `${clientId} ${account.id}`;
}

function isSame(one: TokenHolder, other: TokenHolder): boolean {
  return holderKey(one) === holderKey(other);
}

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
