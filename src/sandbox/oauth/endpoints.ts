import { createHash } from "node:crypto";
import {
  authenticate,
  type OAuthClient,
  type OAuthClients,
  OAuthRefusal,
  requireParam,
} from "../oauth-request.ts";
import { isVerifier, type PkceChallenge } from "./authorization.ts";
import type { CodeGrant, Codes } from "./codes.ts";
import { describeProfile, type Identities } from "./identity.ts";
import { readScopeList, signInScopes, writeScopeList } from "./scopes.ts";
import {
  accessLifetimeMs,
  type IssuedTokens,
  type TokenFacts,
  type TokenHolder,
} from "./tokens.ts";

interface TokenEndpointDeps {
  readonly clients: OAuthClients;
  readonly codes: Codes;
  readonly tokens: IssuedTokens;
  readonly identities: Identities;
}

interface TokenReply {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: "Bearer";
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/** An answer before the identity token is added. */
interface TokenExchange {
  readonly answer: TokenReply;
  readonly issue: TokenFacts;
  readonly nonce: string | undefined;
}

type OAuthForm = ReadonlyMap<string, string>;

interface TokenRequest {
  readonly form: OAuthForm;
  /** The header of that name. */
  readonly authorization: string | undefined;
  /** This service, as its answers name it. */
  readonly issuer: string;
}

/**
 * The token endpoint: a code or a refresh token becomes an access token, with an identity token if `openid` was
 * granted.
 */
export async function exchangeGrant(
  { form, authorization, issuer }: TokenRequest,
  services: TokenEndpointDeps,
): Promise<TokenReply> {
  const client = authenticate(services.clients, form, authorization);
  const type = requireParam(form, "grant_type");
  if (!Object.hasOwn(grantTypes, type)) {
    throw new OAuthRefusal(400, "unsupported_grant_type", "This grant_type is not served.");
  }
  const { answer, issue, nonce } = grantTypes[type as keyof typeof grantTypes](
    form,
    client,
    services,
  );
  if (!issue.scopes.includes("openid")) return answer;
  const { holder, scopes } = issue;
  const identity = { holder, scopes, accessToken: answer.access_token, nonce, issuer };
  return { ...answer, id_token: await services.identities.sign(identity) };
}

const grantTypes = { authorization_code: redeem, refresh_token: refresh } as const;

function redeem(
  form: OAuthForm,
  client: OAuthClient,
  { codes, tokens }: TokenEndpointDeps,
): TokenExchange {
  const code = requireParam(form, "code");
  const redirectUri = requireParam(form, "redirect_uri");
  const found = codes.find(code);
  if (found === undefined || found.grant.holder.clientId !== client.id) {
    throw invalidGrant("The code is unknown, too old, or another client's.");
  }
  if (found.isUsed) {
    // A second use means that the code was stolen: the tokens of the first use end too (RFC 6749, 4.1.2).
    tokens.dropFamily(code);
    throw invalidGrant("The code was used before.");
  }
  const { grant } = found;
  if (redirectUri !== grant.redirectUri) {
    throw invalidGrant("The redirect_uri is not the one the code was sent to.");
  }
  checkVerifier(form.get("code_verifier"), grant.challenge);
  codes.use(code);
  return firstAnswer(grant, code, tokens);
}

function firstAnswer(grant: CodeGrant, family: string, tokens: IssuedTokens): TokenExchange {
  const { holder, scopes, isOffline, renewsRefresh, nonce } = grant;
  const issue = { holder, scopes, family };
  const isDue = isOffline && (renewsRefresh || !tokens.hasRefresh(holder));
  const refreshToken = isDue ? tokens.issueRefresh(issue) : undefined;
  const refreshing = refreshToken === undefined ? {} : { refresh_token: refreshToken };
  return { answer: { ...accessAnswer(issue, tokens), ...refreshing }, issue, nonce };
}

function checkVerifier(verifier: string | undefined, challenge: PkceChallenge | undefined): void {
  if (challenge === undefined) {
    if (verifier === undefined) return;
    throw invalidGrant("A code_verifier was given, but no code_challenge before.");
  }
  if (verifier === undefined) throw invalidGrant("The code_verifier is missing.");
  if (isVerifier(verifier) && transformed(verifier, challenge.method) === challenge.text) return;
  throw invalidGrant("The code_verifier does not fit the code_challenge.");
}

function transformed(verifier: string, method: PkceChallenge["method"]): string {
  if (method === "plain") return verifier;
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The refresh token does not change: there is no new one in the answer. */
function refresh(
  form: OAuthForm,
  client: OAuthClient,
  { tokens }: TokenEndpointDeps,
): TokenExchange {
  const found = tokens.find(requireParam(form, "refresh_token"));
  if (found?.kind !== "refresh" || found.holder.clientId !== client.id) {
    throw invalidGrant("The refresh token is unknown, expired or revoked.");
  }
  const scopeText = form.get("scope");
  const scopes = scopeText === undefined ? found.scopes : (readScopeList(scopeText) ?? []);
  if (scopes.length === 0 || !scopes.every((scope) => found.scopes.includes(scope))) {
    throw new OAuthRefusal(400, "invalid_scope", "More is asked for than was granted.");
  }
  const issue = { ...found, scopes };
  return { answer: accessAnswer(issue, tokens), issue, nonce: undefined };
}

function accessAnswer({ holder, scopes, family }: TokenFacts, tokens: IssuedTokens): TokenReply {
  return {
    access_token: tokens.issueAccess({ holder, scopes, family }),
    expires_in: accessLifetimeMs / 1_000,
    scope: writeScopeList(scopes),
    token_type: "Bearer",
  };
}

function invalidGrant(description: string): OAuthRefusal {
  return new OAuthRefusal(400, "invalid_grant", description);
}

/**
 * The revocation endpoint: either kind of token ends everything its account gave to its client, codes on their way
 * included (docs/services/youtube.md#revocation).
 */
export function revoke(
  form: ReadonlyMap<string, string>,
  { tokens, codes }: { readonly tokens: IssuedTokens; readonly codes: Codes },
): void {
  const found = tokens.find(requireParam(form, "token"));
  if (found === undefined) {
    throw new OAuthRefusal(400, "invalid_token", "The token is unknown, expired or revoked.");
  }
  tokens.dropHolder(found.holder);
  codes.dropHolder(found.holder);
}

/** What an access token is good for; numbers travel as strings. */
export function tokenInfo(
  token: string | undefined,
  { tokens, now }: { readonly tokens: IssuedTokens; readonly now: () => number },
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
    scope: writeScopeList(scopes),
    exp: `${Math.floor(expiresAt / 1_000)}`,
    expires_in: `${Math.floor((expiresAt - now()) / 1_000)}`,
    access_type: tokens.hasRefresh(holder) ? "offline" : "online",
  };
}

function asStrings(holder: TokenHolder, scopes: readonly string[]): object {
  const claims = Object.entries(describeProfile(holder, scopes));
  return Object.fromEntries(claims.map(([name, value]) => [name, `${value}`]));
}

/** The profile of a token's account (https://openid.net/specs/openid-connect-core-1_0.html#UserInfo). */
export function userInfo(token: string | undefined, tokens: IssuedTokens): object {
  const found = token === undefined ? undefined : tokens.find(token);
  if (found?.kind !== "access" || !found.scopes.some((one) => Object.hasOwn(signInScopes, one))) {
    throw new OAuthRefusal(401, "invalid_token", "The token is unknown, or not for this.", {
      "WWW-Authenticate": 'Bearer error="invalid_token"',
    });
  }
  return describeProfile(found.holder, found.scopes);
}
