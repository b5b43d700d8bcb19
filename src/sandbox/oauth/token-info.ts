import { OAuthRefusal } from "../oauth-refusal.ts";
import { profileOf } from "./identity.ts";
import { signInScopes, writeScopes } from "./scopes.ts";
import type { Holder, Tokens } from "./tokens.ts";

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
    ...(scopes.some((scope) => Object.hasOwn(signInScopes, scope)) && asStrings(holder, scopes)),
    aud: holder.clientId,
    scope: writeScopes(scopes),
    exp: `${Math.floor(expiresAt / 1_000)}`,
    expires_in: `${Math.floor((expiresAt - now()) / 1_000)}`,
    access_type: tokens.hasRefresh(holder) ? "offline" : "online",
  };
}

function asStrings(holder: Holder, scopes: readonly string[]): object {
  const told = Object.entries(profileOf(holder, scopes));
  return Object.fromEntries(told.map(([name, value]) => [name, `${value}`]));
}

/** Who a token speaks for (https://openid.net/specs/openid-connect-core-1_0.html#UserInfo). */
export function userInfo(token: string | undefined, tokens: Tokens): object {
  const found = token === undefined ? undefined : tokens.find(token);
  if (found?.kind !== "access" || !found.scopes.some((one) => Object.hasOwn(signInScopes, one))) {
    throw new OAuthRefusal(401, "invalid_token", "The token is unknown, or not for this.", {
      "WWW-Authenticate": 'Bearer error="invalid_token"',
    });
  }
  return profileOf(found.holder, found.scopes);
}
