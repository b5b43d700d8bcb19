import { randomUUID } from "node:crypto";
import { OAuthRefusal } from "../oauth-refusal.ts";
import type { Account } from "./account.ts";
import { scopes as known } from "./scopes.ts";
import { accessLifetimeMs, type Tokens } from "./tokens.ts";

export interface MintRequest {
  /** Of one of the accounts; undefined for the account without a channel. */
  readonly channelId: string | undefined;
  /** Without their address prefix; every one of the service when absent. */
  readonly scopes?: readonly string[];
  /** Of the access token; an hour when absent. */
  readonly ttlMs?: number;
}

/** Tokens as a consent would have given them. */
export interface Minted {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
  /** Of the access token, in milliseconds since 1970. */
  readonly expiresAt: number;
}

export type Mint = (request: MintRequest) => Minted;

interface MintServices {
  readonly accounts: readonly Account[];
  readonly clientId: string;
  readonly tokens: Tokens;
  readonly now: () => number;
}

/** Consent without a page: what the account allows the service's own client. */
export function createMint({ accounts, clientId, tokens, now }: MintServices): Mint {
  return ({ channelId, scopes = Object.keys(known), ttlMs = accessLifetimeMs }) => {
    const account = accounts.find((each) => each.channelId === channelId);
    if (account === undefined) {
      throw new Error(`none of the sandbox's accounts has the channel ${channelId}`);
    }
    const unknown = scopes.find((scope) => !Object.hasOwn(known, scope));
    if (unknown !== undefined) {
      throw new OAuthRefusal(400, "invalid_scope", `There is no scope ${unknown}.`);
    }
    const holder = { account, clientId };
    const issue = { holder, scopes, family: randomUUID() };
    tokens.allow(holder, scopes);
    return {
      accessToken: tokens.issueAccess(issue, ttlMs),
      refreshToken: tokens.issueRefresh(issue),
      scopes,
      expiresAt: now() + ttlMs,
    };
  };
}
