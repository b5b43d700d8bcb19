import type { ExpiringSecrets } from "../expiring-secrets.ts";
import type { OAuthClient } from "../oauth-request.ts";
import type { Identities } from "./identity.ts";
import type { IssuedTokens, OAuthAccount, TokenHolder } from "./tokens.ts";

/** PKCE (RFC 7636): what the verifier must match, by its hash or exactly. */
export interface PkceChallenge {
  readonly method: "S256" | "plain";
  readonly text: string;
}

/** What a client asks a person for, checked. */
export interface ConsentRequest {
  /** This server, as its answers name it. */
  readonly issuer: string;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly challenge: PkceChallenge | undefined;
  /** Comes back in the identity token. */
  readonly nonce: string | undefined;
  readonly isOffline: boolean;
  readonly includesGranted: boolean;
  readonly prompt: readonly string[];
  /** Who the client thinks will answer. */
  readonly loginHint: string | undefined;
}

/** What a code stands for. */
export interface CodeGrant {
  /** What was asked for; not all of its scopes may have been granted. */
  readonly request: ConsentRequest;
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  /** A used code is kept until it expires: a second use must be noticed. */
  isUsed: boolean;
}

/** What every endpoint works with. */
export interface OAuthService {
  readonly accounts: readonly OAuthAccount[];
  readonly clients: Map<string, OAuthClient>;
  /** Consent pages that were shown and not answered yet, by the secret in their forms. */
  readonly consents: ExpiringSecrets<{
    readonly request: ConsentRequest;
    readonly expiresAt: number;
  }>;
  readonly codes: ExpiringSecrets<CodeGrant>;
  readonly tokens: IssuedTokens;
  readonly identities: Identities;
  readonly now: () => number;
}
