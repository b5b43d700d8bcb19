import { need } from "../oauth-form.ts";
import { OAuthRefusal } from "../oauth-refusal.ts";
import type { Codes } from "./codes.ts";
import type { Tokens } from "./tokens.ts";

/**
 * The revocation endpoint: either kind of token ends everything its account gave to its client, codes on their way
 * included (facts/video-api.json, oauth.revoke).
 */
export function revoke(
  form: ReadonlyMap<string, string>,
  { tokens, codes }: { readonly tokens: Tokens; readonly codes: Codes },
): void {
  const found = tokens.find(need(form, "token"));
  if (found === undefined) {
    throw new OAuthRefusal(400, "invalid_token", "The token is unknown, expired or revoked.");
  }
  tokens.dropHolder(found.holder);
  codes.dropHolder(found.holder);
}
