import { OAuthRefusal } from "../oauth-refusal.ts";
import { writeScopes } from "./scopes.ts";
import type { Tokens } from "./tokens.ts";

/** What an access token is good for; numbers travel as strings. */
export function tokenInfo(
  token: string | undefined,
  { tokens, now }: { readonly tokens: Tokens; readonly now: () => number },
): object {
  const found = token === undefined ? undefined : tokens.find(token);
  if (found?.kind !== "access") {
    throw new OAuthRefusal(400, "invalid_token", "The token is unknown, expired or revoked.");
  }
  const { holder, scopes, expiresAt } = found;
  return {
    azp: holder.clientId,
    aud: holder.clientId,
    scope: writeScopes(scopes),
    exp: `${Math.floor(expiresAt / 1_000)}`,
    expires_in: `${Math.floor((expiresAt - now()) / 1_000)}`,
    access_type: tokens.hasRefresh(holder) ? "offline" : "online",
  };
}
