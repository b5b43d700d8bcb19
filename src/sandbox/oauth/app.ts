import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Faults } from "../faults.ts";
import { pageHeaders } from "../oauth-page.ts";
import { type Clients, OAuthRefusal, readForm, readOnce } from "../oauth-request.ts";
import { readAuthorization, redirectWith } from "./authorization.ts";
import type { Codes } from "./codes.ts";
import { type Consents, decide } from "./consent.ts";
import { exchange, revoke, tokenInfo, userInfo } from "./endpoints.ts";
import type { Identities } from "./identity.ts";
import { consentPage, refusalPage, stylePath } from "./pages.ts";
import { signInScopes } from "./scopes.ts";
import type { Account, Tokens } from "./tokens.ts";

type Bindings = { Bindings: HttpBindings };

interface Service {
  readonly accounts: readonly Account[];
  readonly clients: Clients;
  readonly consents: Consents;
  readonly codes: Codes;
  readonly tokens: Tokens;
  readonly identities: Identities;
  readonly now: () => number;
}

interface AppDeps {
  readonly faults: Faults;
  /** The style sheet of the pages. */
  readonly style: string;
}

export const paths = {
  authorize: "/o/oauth2/v2/auth",
  style: stylePath,
  token: "/token",
  revoke: "/revoke",
  tokenInfo: "/tokeninfo",
  userInfo: "/v1/userinfo",
  keys: "/oauth2/v3/certs",
  discovery: "/.well-known/openid-configuration",
} as const;

const maxFormBytes = 64 * 1024;
const unkept = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/** The service's addresses, and how each answers or refuses. */
export function createApp(service: Service, { faults, style }: AppDeps): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.use(faults.middleware);
  app.use(bodyLimit({ maxSize: maxFormBytes }));
  app.get(paths.authorize, (c) => ask(c, service));
  app.post(paths.authorize, async (c) => {
    return c.redirect(decide(await readForm(c.req.raw), service), 303);
  });
  app.get(paths.style, (c) => c.body(style, 200, { "Content-Type": "text/css; charset=utf-8" }));
  app.post(paths.token, async (c) => {
    const form = readOnce(await readForm(c.req.raw));
    const authorization = c.req.header("authorization");
    const { origin: issuer } = new URL(c.req.url);
    return c.json(await exchange({ form, authorization, issuer }, service), 200, unkept);
  });
  app.post(paths.revoke, async (c) => {
    revoke(await queryAndForm(c), service);
    return c.json({}, 200, unkept);
  });
  app.on(["GET", "POST"], paths.tokenInfo, async (c) => {
    return c.json(tokenInfo(await accessTokenIn(c), service), 200, unkept);
  });
  app.on(["GET", "POST"], paths.userInfo, async (c) => {
    return c.json(userInfo(await accessTokenIn(c), service.tokens), 200, unkept);
  });
  app.get(paths.keys, async (c) => c.json(await service.identities.keys()));
  app.get(paths.discovery, (c) => c.json(configuration(new URL(c.req.url).origin)));
  app.notFound((c) => c.json({ error: "not_found" }, 404));
  app.onError((error, c) => refused(c, error));
  return app;
}

function ask(c: Context<Bindings>, { accounts, clients, consents }: Service) {
  const authorization = readAuthorization(new URL(c.req.url), clients);
  if (authorization.prompt.includes("none")) {
    // Nobody is signed in here for longer than a page.
    return c.redirect(redirectWith(authorization, { error: "interaction_required" }), 302);
  }
  const page = consentPage({ authorization, accounts, handle: consents.open(authorization) });
  return c.html(page, 200, pageHeaders({ formGoesTo: authorization.redirectUri }));
}

async function accessTokenIn(c: Context<Bindings>): Promise<string | undefined> {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  return bearer ?? (await queryAndForm(c)).get("access_token");
}

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
function configuration(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: origin + paths.authorize,
    token_endpoint: origin + paths.token,
    userinfo_endpoint: origin + paths.userInfo,
    revocation_endpoint: origin + paths.revoke,
    jwks_uri: origin + paths.keys,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: Object.keys(signInScopes),
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    claims_supported: ["aud", "email", "email_verified", "exp", "iat", "iss", "name", "sub"],
    code_challenge_methods_supported: ["plain", "S256"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    authorization_response_iss_parameter_supported: true,
  };
}

async function queryAndForm(c: Context<Bindings>): Promise<ReadonlyMap<string, string>> {
  const form = await readForm(c.req.raw);
  return readOnce(new URLSearchParams([...new URL(c.req.url).searchParams, ...form]));
}

function refused(c: Context<Bindings>, error: Error) {
  if (!(error instanceof OAuthRefusal)) return c.json({ error: "internal_failure" }, 500);
  if (c.req.path === paths.authorize) {
    return c.html(refusalPage(error), error.status, pageHeaders());
  }
  return c.json(error.body(), error.status, { ...unkept, ...error.headers });
}
