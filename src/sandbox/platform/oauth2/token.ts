import { createHash } from "node:crypto";
import { authenticate, need, OAuthRefusal } from "../../oauth-request.ts";
import type { World } from "../world.ts";
import { accessLifeMs, type Grant, type Registration } from "./registration.ts";

type Form = ReadonlyMap<string, string>;

interface TokenAnswer {
  readonly token_type: "Bearer";
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** @throws OAuthRefusal `invalid_client` unless the app proves itself, by form or by Basic credentials. */
function authenticateApp(
  form: Form,
  authorization: string | undefined,
  { cast, registration }: World,
): void {
  const { id, username: name } = cast.bot;
  const { clientSecret: secret, redirectUris } = registration;
  const app = { id, secret, name, redirectUris: [...redirectUris] };
  authenticate(new Map([[id, app]]), form, authorization);
}

/** The token endpoint: a code or a refresh token becomes an access token and a new refresh token. */
export function exchange(form: Form, authorization: string | undefined, world: World): TokenAnswer {
  authenticateApp(form, authorization, world);
  const { registration } = world;
  switch (need(form, "grant_type")) {
    case "authorization_code":
      return issue(redeem(form, registration), registration);
    case "refresh_token":
      return issue(refresh(form, registration), registration);
    default:
      throw new OAuthRefusal(400, "unsupported_grant_type", "This grant_type is not served.");
  }
}

/** A wrong second factor costs the code too: it is good for one try. */
function redeem(form: Form, { codes }: Registration): Grant {
  const redirectUri = need(form, "redirect_uri");
  const code = codes.take(need(form, "code"));
  if (code === undefined) throw invalidGrant('Invalid "code" in request.');
  if (code.redirectUri !== redirectUri) throw invalidGrant('Invalid "redirect_uri" in request.');
  if (!fits(form.get("code_verifier"), code.challenge)) {
    throw invalidGrant('Invalid "code_verifier" in request.');
  }
  return { person: code.person, scopes: code.scopes };
}

function fits(verifier: string | undefined, challenge: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  const hash = createHash("sha256").update(verifier).digest("base64url");
  return /^[\w.~-]{43,128}$/.test(verifier) && hash === challenge;
}

function refresh(form: Form, { refreshTokens }: Registration): Grant {
  const grant = refreshTokens.take(need(form, "refresh_token"));
  if (grant !== undefined) return grant;
  throw invalidGrant('Invalid "refresh_token" in request.');
}

function issue(grant: Grant, { accessTokens, refreshTokens }: Registration): TokenAnswer {
  return {
    token_type: "Bearer",
    access_token: accessTokens.put(grant),
    expires_in: accessLifeMs / 1_000,
    refresh_token: refreshTokens.put(grant),
    scope: grant.scopes.join(" "),
  };
}

/** Ends both tokens of a consent; a token that nobody knows is no fault (RFC 7009, 2.2). */
export function revoke(form: Form, authorization: string | undefined, world: World): void {
  authenticateApp(form, authorization, world);
  const { accessTokens, refreshTokens } = world.registration;
  const token = need(form, "token");
  const grant = accessTokens.find(token) ?? refreshTokens.find(token);
  if (grant === undefined) return;
  for (const tokens of [accessTokens, refreshTokens]) tokens.drop((each) => each === grant);
}

function invalidGrant(description: string): OAuthRefusal {
  return new OAuthRefusal(400, "invalid_grant", description);
}
