import { readFile } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Faults } from "../../faults.ts";
import { pageHeaders } from "../../oauth-page.ts";
import { OAuthRefusal, readForm, readOnce } from "../../oauth-request.ts";
import { apiRoots } from "../api-versions.ts";
import { rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import { decide, readAuthorization, SentBack } from "./authorize.ts";
import { consentPage, refusalPage, stylePath } from "./page.ts";
import { exchange, revoke } from "./token.ts";

type Bindings = { Bindings: HttpBindings };

const authorizePath = "/oauth2/authorize";
const maxFormBytes = 64 * 1_024;
const unkept = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/**
 * Signing people in: a page where one says who they are, the token endpoint, and who a token belongs to
 * (https://docs.discord.com/developers/topics/oauth2).
 */
export function oauth2Routes(world: World, faults: Faults): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const style = readFile(new URL("./style.css", import.meta.url), "utf8");
  // Read long before somebody asks for it.
  style.catch(() => undefined);

  app.get("/.well-known/oauth-authorization-server", (c) => c.json(metadata(world)));
  app.get(stylePath, async (c) =>
    c.body(await style, 200, { "Content-Type": "text/css; charset=utf-8" }),
  );
  app.use("/oauth2/*", bodyLimit({ maxSize: maxFormBytes }));
  app.get(authorizePath, (c) => {
    const asked = readAuthorization(new URL(c.req.url).searchParams, world, world.registration);
    const handle = world.registration.questions.put(asked);
    return c.html(
      consentPage(world, asked, handle),
      200,
      pageHeaders({ formGoesTo: asked.redirectUri, hasImages: true }),
    );
  });
  app.post(authorizePath, async (c) =>
    c.redirect(decide(await readForm(c.req.raw), world, world.registration), 303),
  );

  for (const root of apiRoots) {
    const api = new Hono<Bindings>();
    api.use("/oauth2/*", bodyLimit({ maxSize: maxFormBytes }));
    api.use("/oauth2/token", faults.middleware);
    api.use("/oauth2/token/*", faults.middleware);
    api.get("/oauth2/authorize", (c) => c.redirect(authorizePath + new URL(c.req.url).search, 302));
    api.post("/oauth2/token", async (c) => {
      const form = readOnce(await readForm(c.req.raw));
      return c.json(exchange(form, c.req.header("authorization"), world), 200, unkept);
    });
    api.post("/oauth2/token/revoke", async (c) => {
      const form = readOnce(await readForm(c.req.raw));
      revoke(form, c.req.header("authorization"), world);
      return c.json({}, 200, unkept);
    });
    api.get("/users/@me", async (c, next) => {
      const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
      // Everything else on this address is for the bot itself.
      if (token === undefined) return next();
      return (await faults.middleware(c, async () => undefined)) ?? c.json(...self(world, token));
    });
    app.route(root, api);
  }
  app.onError((error, c) => refused(c, error));
  return app;
}

/** What a sign-in library learns by itself; the real one says the same of its own addresses. */
function metadata({ origin }: World): object {
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

function self(world: World, token: string): [object, 200 | 401] {
  const grant = world.registration.accessTokens.find(token);
  if (grant === undefined) return [rejections.unauthorized().body(), 401];
  const { user } = world.person(grant.person);
  const locale = world.localeOf(grant.person);
  return [{ ...user, mfa_enabled: false, locale, premium_type: 0 }, 200];
}

function refused(c: Context<Bindings>, error: Error) {
  if (error instanceof SentBack) return c.redirect(error.location, 302);
  if (!(error instanceof OAuthRefusal)) throw error;
  if (c.req.path === authorizePath)
    return c.html(refusalPage(error), error.status, pageHeaders({ hasImages: true }));
  return c.json(error.body(), error.status, { ...unkept, ...error.headers });
}
