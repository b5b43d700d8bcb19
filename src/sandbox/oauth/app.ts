import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Faults } from "../faults.ts";
import type { Clients } from "../oauth-client.ts";
import { readForm, readOnce } from "../oauth-form.ts";
import { OAuthRefusal } from "../oauth-refusal.ts";
import type { Account } from "./account.ts";
import { readAuthorization, redirectWith } from "./authorization.ts";
import type { Codes } from "./codes.ts";
import { type Consents, decide } from "./consent.ts";
import { exchange } from "./exchange.ts";
import { consentPage } from "./page/consent-page.ts";
import { pageHeaders } from "./page/page.ts";
import { refusalPage } from "./page/refusal-page.ts";
import { revoke } from "./revoke.ts";
import { tokenInfo } from "./token-info.ts";
import type { Tokens } from "./tokens.ts";

type Bindings = { Bindings: HttpBindings };

export interface Service {
  readonly accounts: readonly Account[];
  readonly clients: Clients;
  readonly consents: Consents;
  readonly codes: Codes;
  readonly tokens: Tokens;
  readonly now: () => number;
}

export interface AppParts {
  readonly faults: Faults;
  /** The style sheet of the pages. */
  readonly style: string;
}

export const paths = {
  authorize: "/o/oauth2/v2/auth",
  style: "/o/style.css",
  token: "/token",
  revoke: "/revoke",
  tokenInfo: "/tokeninfo",
} as const;

const maxFormBytes = 64 * 1024;
const unkept = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/** The service's addresses, and how each answers or refuses. */
export function createApp(service: Service, { faults, style }: AppParts): Hono<Bindings> {
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
    return c.json(exchange(form, c.req.header("authorization"), service), 200, unkept);
  });
  app.post(paths.revoke, async (c) => {
    revoke(await queryAndForm(c), service);
    return c.json({}, 200, unkept);
  });
  app.on(["GET", "POST"], paths.tokenInfo, async (c) => {
    const bearer = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const token = bearer ?? (await queryAndForm(c)).get("access_token");
    return c.json(tokenInfo(token, service), 200, unkept);
  });
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
  return c.html(page, 200, pageHeaders(authorization.redirectUri));
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
