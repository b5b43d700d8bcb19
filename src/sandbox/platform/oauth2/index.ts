import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Faults } from "../../faults.ts";
import { pageHeaders } from "../../oauth-page.ts";
import {
  authenticate,
  OAuthError,
  readOAuthForm,
  readParameters,
  requireParam,
} from "../../oauth-request.ts";
import { apiRoots } from "../api-versions.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import {
  answerAuthorization,
  consentPage,
  ErrorRedirect,
  errorPage,
  readSignInRequest,
  stylePath,
} from "./authorize.ts";
import {
  accessLifeMs,
  questionLifeMs,
  type Registration,
  refreshLifeMs,
  type SignInGrant,
} from "./registration.ts";

type SignInBindings = { Bindings: HttpBindings };

const authorizePath = "/oauth2/authorize";
const maxFormBytes = 64 * 1_024;
const unkept = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/**
 * Discord's OAuth2: a page on which one signs in, the token endpoint, and the user that a token belongs to
 * (https://docs.discord.com/developers/topics/oauth2).
 */
export function oauth2Routes(state: PlatformState, faults: Faults): Hono<SignInBindings> {
  const app = new Hono<SignInBindings>();
  const style = readFile(new URL("./style.css", import.meta.url), "utf8");
  // Read long before somebody asks for it.
  style.catch(() => undefined);

  app.get("/.well-known/oauth-authorization-server", (c) => c.json(metadata(state)));
  app.get(stylePath, async (c) =>
    c.body(await style, 200, { "Content-Type": "text/css; charset=utf-8" }),
  );
  app.use("/oauth2/*", bodyLimit({ maxSize: maxFormBytes }));
  app.get(authorizePath, (c) => {
    const request = readSignInRequest(new URL(c.req.url).searchParams, state);
    const expiresAt = state.now() + questionLifeMs;
    const handle = state.registration.questions.add("", { request, expiresAt });
    return c.html(
      consentPage(state, request, handle),
      200,
      pageHeaders({ formGoesTo: request.redirectUri, hasImages: true }),
    );
  });
  app.post(authorizePath, async (c) =>
    c.redirect(answerAuthorization(await readOAuthForm(c.req.raw), state), 303),
  );

  for (const root of apiRoots) {
    const api = new Hono<SignInBindings>();
    api.use("/oauth2/*", bodyLimit({ maxSize: maxFormBytes }));
    api.use("/oauth2/token", faults.middleware);
    api.use("/oauth2/token/*", faults.middleware);
    api.get("/oauth2/authorize", (c) => c.redirect(authorizePath + new URL(c.req.url).search, 302));
    api.post("/oauth2/token", async (c) => {
      const form = readParameters(await readOAuthForm(c.req.raw));
      return c.json(exchange(form, c.req.header("authorization"), state), 200, unkept);
    });
    api.post("/oauth2/token/revoke", async (c) => {
      const form = readParameters(await readOAuthForm(c.req.raw));
      authenticateApp(form, c.req.header("authorization"), state);
      const { accessTokens, refreshTokens } = state.registration;
      const token = requireParam(form, "token");
      // Both tokens of a consent end; an unknown token is not an error (RFC 7009, 2.2).
      const found = accessTokens.find(token) ?? refreshTokens.find(token);
      for (const tokens of [accessTokens, refreshTokens]) {
        tokens.dropWhere(({ grant }) => grant === found?.grant);
      }
      return c.json({}, 200, unkept);
    });
    api.get("/users/@me", async (c, next) => {
      const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
      // Everything else on this address is for the bot itself.
      if (token === undefined) return next();
      const faulty = await faults.middleware(c, async () => undefined);
      if (faulty) return faulty;
      const { grant } = state.registration.accessTokens.find(token) ?? {};
      if (grant === undefined) return c.json(rejection("unauthorized").body(), 401);
      const { user } = state.person(grant.person);
      const locale = state.localeOf(grant.person);
      return c.json({ ...user, mfa_enabled: false, locale, premium_type: 0 });
    });
    app.route(root, api);
  }
  app.onError((error, c) => {
    if (error instanceof ErrorRedirect) return c.redirect(error.location, 302);
    if (!(error instanceof OAuthError)) throw error;
    if (c.req.path !== authorizePath) {
      return c.json(error.body(), error.status, { ...unkept, ...error.headers });
    }
    return c.html(errorPage(error), error.status, pageHeaders({ hasImages: true }));
  });
  return app;
}

/** Server metadata for OAuth libraries; Discord serves the same with its own addresses. */
function metadata({ origin }: PlatformState): object {
  const methods = ["client_secret_basic", "client_secret_post"];
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/api/oauth2/authorize`,
    token_endpoint: `${origin}/api/oauth2/token`,
    revocation_endpoint: `${origin}/api/oauth2/token/revoke`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

type SignInForm = ReadonlyMap<string, string>;

interface SignInTokens {
  readonly token_type: "Bearer";
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** @throws OAuthError `invalid_client` unless the app proves itself, by form or by Basic credentials. */
function authenticateApp(
  form: SignInForm,
  authorization: string | undefined,
  { guild, registration }: PlatformState,
): void {
  const { id, username: name } = guild.bot;
  const { clientSecret: secret, redirectUris } = registration;
  const app = { id, secret, name, redirectUris: [...redirectUris] };
  authenticate(new Map([[id, app]]), form, authorization);
}

/** The token endpoint: a code or a refresh token becomes an access token and a new refresh token. */
function exchange(
  form: SignInForm,
  authorization: string | undefined,
  state: PlatformState,
): SignInTokens {
  authenticateApp(form, authorization, state);
  switch (requireParam(form, "grant_type")) {
    case "authorization_code":
      return issue(redeem(form, state.registration), state);
    case "refresh_token": {
      const { refreshTokens } = state.registration;
      const token = requireParam(form, "refresh_token");
      const found = refreshTokens.find(token);
      if (found === undefined) throw invalidGrant('Invalid "refresh_token" in request.');
      refreshTokens.drop(token);
      return issue(found.grant, state);
    }
    default:
      throw new OAuthError(400, "unsupported_grant_type", "This grant_type is not served.");
  }
}

/** A wrong address or verifier uses the code up too: it is good for one try. */
function redeem(form: SignInForm, { codes }: Registration): SignInGrant {
  const redirectUri = requireParam(form, "redirect_uri");
  const secret = requireParam(form, "code");
  const code = codes.find(secret);
  codes.drop(secret);
  if (code === undefined) throw invalidGrant('Invalid "code" in request.');
  if (code.redirectUri !== redirectUri) throw invalidGrant('Invalid "redirect_uri" in request.');
  const verifier = form.get("code_verifier");
  const isWellFormed = verifier === undefined || /^[\w.~-]{43,128}$/.test(verifier);
  const challenge = verifier && createHash("sha256").update(verifier).digest("base64url");
  if (!isWellFormed || challenge !== code.challenge) {
    throw invalidGrant('Invalid "code_verifier" in request.');
  }
  return { person: code.person, scopes: code.scopes };
}

function issue(grant: SignInGrant, { registration, now }: PlatformState): SignInTokens {
  const { accessTokens, refreshTokens } = registration;
  return {
    token_type: "Bearer",
    access_token: accessTokens.add("", { grant, expiresAt: now() + accessLifeMs }),
    expires_in: accessLifeMs / 1_000,
    refresh_token: refreshTokens.add("", { grant, expiresAt: now() + refreshLifeMs }),
    scope: grant.scopes.join(" "),
  };
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError(400, "invalid_grant", description);
}
