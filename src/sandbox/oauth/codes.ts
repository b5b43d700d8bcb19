import { randomBytes } from "node:crypto";
import type { PkceChallenge } from "./authorization.ts";
import type { TokenHolder } from "./tokens.ts";

const lifetimeMs = 600_000;

export interface CodeGrant {
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: PkceChallenge | undefined;
  readonly nonce: string | undefined;
  readonly isOffline: boolean;
  /** Gives a new refresh token though the account has given one before. */
  readonly renewsRefresh: boolean;
}

/** Codes for one use within ten minutes. */
export interface Codes {
  issue(grant: CodeGrant): string;
  /** A code that was issued and is not too old. */
  find(code: string): { readonly grant: CodeGrant; readonly isUsed: boolean } | undefined;
  use(code: string): void;
  dropHolder(holder: TokenHolder): void;
}

export function createCodes(now: () => number): Codes {
  // Used ones stay until they are too old: a second use must be noticed.
  const issued = new Map<string, { grant: CodeGrant; until: number; isUsed: boolean }>();

  function forgetOld(): void {
    for (const [code, { until }] of issued) {
      if (until > now()) return;
      issued.delete(code);
    }
  }

  return {
    issue(grant) {
      forgetOld();
      // Real codes contain a slash too, so a client that forgets to encode it fails here.
      const code = `4/0A${randomBytes(32).toString("base64url")}`;
      issued.set(code, { grant, until: now() + lifetimeMs, isUsed: false });
      return code;
    },
    find(code) {
      const found = issued.get(code);
      return found !== undefined && found.until > now() ? found : undefined;
    },
    use(code) {
      const found = issued.get(code);
      if (found !== undefined) found.isUsed = true;
    },
    dropHolder({ account, clientId }) {
      for (const [code, { grant }] of issued) {
        const { holder } = grant;
        if (holder.account.id === account.id && holder.clientId === clientId) issued.delete(code);
      }
    },
  };
}
