import { createHash } from "node:crypto";
import { authenticate, type OAuthClient, OAuthError, requireParam } from "../oauth-request.ts";
import { verifierPattern } from "./consent.ts";
import { describeProfile } from "./identity.ts";
import { readScopeList, signInScopes, writeScopeList } from "./scopes.ts";
import type { OAuthService, PkceChallenge } from "./service.ts";
import { accessLifetimeMs, holderKey, type TokenFacts } from "./tokens.ts";

type OAuthForm = ReadonlyMap<string, string>;

/** What a code or a refresh token gives. */
interface TokenExchange {
  readonly issue: TokenFacts;
  readonly refreshToken?: string | undefined;
  readonly nonce?: string | undefined;
}

interface TokenRequest {
  readonly form: OAuthForm;
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** This server, as its answers name it. */
  readonly issuer: string;
}

/**
 * The token endpoint: a code or a refresh token becomes an access token, with an identity token if `openid` was
 * granted.
 */
export async function exchangeGrant(
  { form, authorization, issuer }: TokenRequest,
  service: OAuthService,
): Promise<object> {
  const { tokens, identities, clients } = service;
  const client = authenticate(clients, form, authorization);
  const type = requireParam(form, "grant_type");
  if (type !== "authorization_code" && type !== "refresh_token") {
    throw new OAuthError(400, "unsupported_grant_type", "This grant_type is not served.");
  }
  const exchange = type === "refresh_token" ? refresh : redeem;
  const { issue, refreshToken, nonce } = exchange(form, client, service);
  const { holder, scopes } = issue;
  const accessToken = tokens.issueAccess(issue);
  const identity = { holder, scopes, accessToken, nonce, issuer };
  return {
    access_token: accessToken,
    expires_in: accessLifetimeMs / 1_000,
    scope: writeScopeList(scopes),
    token_type: "Bearer",
    refresh_token: refreshToken,
    id_token: scopes.includes("openid") ? await identities.sign(identity) : undefined,
  };
}

function redeem(
  form: OAuthForm,
  client: OAuthClient,
  { codes, tokens }: OAuthService,
): TokenExchange {
  const code = requireParam(form, "code");
  const redirectUri = requireParam(form, "redirect_uri");
  const grant = codes.find(code);
  if (grant === undefined || grant.holder.clientId !== client.id) {
    throw invalidGrant("The code is unknown, too old, or another client's.");
  }
  if (grant.isUsed) {
    // A second use means that the code was stolen: the tokens of the first use end too (RFC 6749, 4.1.2).
    tokens.dropWhere(({ family }) => family === code);
    throw invalidGrant("The code was used before.");
  }
  const { request, holder, scopes } = grant;
  if (redirectUri !== request.redirectUri) {
    throw invalidGrant("The redirect_uri is not the one the code was sent to.");
  }
  checkVerifier(form.get("code_verifier"), request.challenge);
  grant.isUsed = true;
  const issue = { holder, scopes, family: code };
  // An account that has given a refresh token gives another one only when it is asked again.
  const isDue =
    request.isOffline && (request.prompt.includes("consent") || !tokens.hasRefresh(holder));
  const refreshToken = isDue ? tokens.issueRefresh(issue) : undefined;
  return { issue, refreshToken, nonce: request.nonce };
}

function checkVerifier(verifier: string | undefined, challenge: PkceChallenge | undefined): void {
  if (challenge === undefined) {
    if (verifier === undefined) return;
    throw invalidGrant("A code_verifier was given, but no code_challenge before.");
  }
  if (verifier === undefined) throw invalidGrant("The code_verifier is missing.");
  const hash = createHash("sha256").update(verifier).digest("base64url");
  const text = challenge.method === "plain" ? verifier : hash;
  if (verifierPattern.test(verifier) && text === challenge.text) return;
  throw invalidGrant("The code_verifier does not fit the code_challenge.");
}

/** The refresh token does not change: there is no new one in the answer. */
function refresh(form: OAuthForm, client: OAuthClient, { tokens }: OAuthService): TokenExchange {
  const found = tokens.find(requireParam(form, "refresh_token"));
  if (found?.kind !== "refresh" || found.holder.clientId !== client.id) {
    throw invalidGrant("The refresh token is unknown, expired or revoked.");
  }
  const { holder, family } = found;
  const scopeText = form.get("scope");
  const scopes = scopeText === undefined ? found.scopes : (readScopeList(scopeText) ?? []);
  if (scopes.length === 0 || !scopes.every((scope) => found.scopes.includes(scope))) {
    throw new OAuthError(400, "invalid_scope", "More is asked for than was granted.");
  }
  return { issue: { holder, scopes, family } };
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError(400, "invalid_grant", description);
}

/**
 * The revocation endpoint: either kind of token ends everything its account gave to its client, codes on their way
 * included (docs/services/youtube.md#revocation).
 */
export function revoke(form: OAuthForm, { tokens, codes }: OAuthService): void {
  const found = tokens.find(requireParam(form, "token"));
  if (found === undefined) throw invalidToken();
  tokens.dropHolder(found.holder);
  codes.dropWhere(({ holder }) => holderKey(holder) === holderKey(found.holder));
}

function invalidToken(): OAuthError {
  return new OAuthError(400, "invalid_token", "The token is unknown, expired or revoked.");
}

/** Whose an access token is, for what and until when; Google sends the numbers as strings. */
export function describeToken(token: string | undefined, { tokens, now }: OAuthService): object {
  const found = tokens.find(token ?? "");
  if (found?.kind !== "access") throw invalidToken();
  const { holder, scopes, expiresAt } = found;
  const isSignIn = scopes.some((scope) => Object.hasOwn(signInScopes, scope));
  const claims = Object.entries(isSignIn ? describeProfile(holder, scopes) : {});
  return {
    azp: holder.clientId,
    ...Object.fromEntries(claims.map(([name, value]) => [name, `${value}`])),
    aud: holder.clientId,
    scope: writeScopeList(scopes),
    exp: `${Math.floor(expiresAt / 1_000)}`,
    expires_in: `${Math.floor((expiresAt - now()) / 1_000)}`,
    access_type: tokens.hasRefresh(holder) ? "offline" : "online",
  };
}

/** The profile of a token's account (https://openid.net/specs/openid-connect-core-1_0.html#UserInfo). */
export function describeUser(token: string | undefined, { tokens }: OAuthService): object {
  const found = tokens.find(token ?? "");
  if (found?.kind !== "access" || !found.scopes.some((one) => Object.hasOwn(signInScopes, one))) {
    throw new OAuthError(401, "invalid_token", "The token is unknown, or not for this.", {
      "WWW-Authenticate": 'Bearer error="invalid_token"',
    });
  }
  return describeProfile(found.holder, found.scopes);
}
