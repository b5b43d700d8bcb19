import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import type { Faults } from "../faults.ts";
import { type PageHtml, pageHeaders, toPage } from "../oauth-page.ts";
import { OAuthError, readOAuthForm, readParameters } from "../oauth-request.ts";
import { answerConsent, readConsentRequest, redirectWith } from "./consent.ts";
import { describeToken, describeUser, exchangeGrant, revoke } from "./endpoints.ts";
import { signInScopes, videoScopes } from "./scopes.ts";
import type { ConsentRequest, OAuthService } from "./service.ts";
import type { OAuthAccount } from "./tokens.ts";

const stylePath = "/o/style.css";
/** How long the consent page can be answered. */
const questionLifetimeMs = 3_600_000;

/**
 * Asks which account, and what the app may do with it.
 * @param handle What the form gives back to say which question it answers.
 */
function consentPage(
  { client, redirectUri, loginHint, scopes }: ConsentRequest,
  accounts: readonly OAuthAccount[],
  handle: string,
): PageHtml {
  const hinted = accounts.find(({ id, email }) => loginHint === id || loginHint === email);
  const chosen = hinted ?? accounts[0];
  return toPage(
    `Allow ${client.name}?`,
    html`
      <header>
        ${sign(client.name, 152)}
        <h1>${client.name} asks for access to a channel</h1>
        <p>Your answer goes to <b>${new URL(redirectUri).host}</b>.</p>
      </header>
      <form method="post" action="/o/oauth2/v2/auth">
        <input type="hidden" name="request" value="${handle}">
        <fieldset>
          <legend>Which one?</legend>
          ${accounts.map((account) => accountChoice(account, account === chosen))}
        </fieldset>
        <fieldset>
          <legend>What may ${client.name} do?</legend>
          ${scopes.map(scopeChoice)}
        </fieldset>
        <div class="actions">
          <button name="decision" value="allow" class="primary">Allow</button>
          <button name="decision" value="cancel" formnovalidate>Cancel</button>
        </div>
      </form>
    `,
    stylePath,
  );
}

function accountChoice(account: OAuthAccount, isChosen: boolean): PageHtml {
  const { id, name, email, channelId, hue } = account;
  return html`
    <label class="choice">
      <input type="radio" name="account" value="${id}" required ${isChosen ? "checked" : ""}>
      ${sign(name, hue)}
      <span class="words">
        <b>${name}</b>
        <small>${channelId === undefined ? `${email}, has no channel` : email}</small>
      </span>
    </label>
  `;
}

function scopeChoice(scope: string): PageHtml {
  const texts = signInScopes[scope];
  if (texts !== undefined) {
    return html`
      <p class="choice">
        <span class="words">
          <b>${texts.title}</b>
          <small>${texts.detail}</small>
        </span>
      </p>
    `;
  }
  const { title = scope, detail = "" } = videoScopes[scope] ?? {};
  return html`
    <label class="choice">
      <input type="checkbox" name="scope" value="${scope}" checked>
      <span class="words">
        <b>${title}</b>
        <small>${detail}</small>
      </span>
    </label>
  `;
}

/** A coloured disc with the first letter; an inline style would need a weaker policy. */
function sign(name: string, hue: number): PageHtml {
  const [letter = ""] = name.trim().toUpperCase();
  return html`
    <svg class="sign" viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill="hsl(${hue} 45% 38%)" />
      <text x="20" y="27" text-anchor="middle" font-size="19" fill="#fff">${letter}</text>
    </svg>
  `;
}

/** Shows what is wrong with a request, for the person and for the app's developers. */
function errorPage({ status, error, message }: OAuthError): PageHtml {
  return toPage(
    "Access blocked",
    html`
      <header>
        <h1>Access blocked: this request can't be answered</h1>
        <p>${message}</p>
        <p>Nothing has changed. You can close this page.</p>
        <p class="code">Error ${status}: ${error}</p>
      </header>
    `,
    stylePath,
  );
}

type OAuthBindings = { Bindings: HttpBindings };

export const oauthPaths = {
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
const uncached = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/** Google's addresses, and how each answers or refuses. */
export function createOAuthApp(
  service: OAuthService,
  { faults, style }: { readonly faults: Faults; readonly style: string },
): Hono<OAuthBindings> {
  const app = new Hono<OAuthBindings>();
  app.use(faults.middleware);
  app.use(bodyLimit({ maxSize: maxFormBytes }));
  app.get(oauthPaths.authorize, (c) => {
    const request = readConsentRequest(new URL(c.req.url), service);
    if (request.prompt.includes("none")) {
      // There are no sign-in sessions here.
      return c.redirect(redirectWith(request, { error: "interaction_required" }), 302);
    }
    const expiresAt = service.now() + questionLifetimeMs;
    const page = consentPage(
      request,
      service.accounts,
      service.consents.add("", { request, expiresAt }),
    );
    return c.html(page, 200, pageHeaders({ formGoesTo: request.redirectUri }));
  });
  app.post(oauthPaths.authorize, async (c) => {
    return c.redirect(answerConsent(await readOAuthForm(c.req.raw), service), 303);
  });
  app.get(oauthPaths.style, (c) =>
    c.body(style, 200, { "Content-Type": "text/css; charset=utf-8" }),
  );
  app.post(oauthPaths.token, async (c) => {
    const form = readParameters(await readOAuthForm(c.req.raw));
    const authorization = c.req.header("authorization");
    const { origin: issuer } = new URL(c.req.url);
    return c.json(await exchangeGrant({ form, authorization, issuer }, service), 200, uncached);
  });
  app.post(oauthPaths.revoke, async (c) => {
    revoke(await readQueryAndForm(c), service);
    return c.json({}, 200, uncached);
  });
  app.on(["GET", "POST"], oauthPaths.tokenInfo, async (c) => {
    return c.json(describeToken(await readAccessToken(c), service), 200, uncached);
  });
  app.on(["GET", "POST"], oauthPaths.userInfo, async (c) => {
    return c.json(describeUser(await readAccessToken(c), service), 200, uncached);
  });
  app.get(oauthPaths.keys, async (c) => c.json(await service.identities.keys()));
  app.get(oauthPaths.discovery, (c) => c.json(describeConfiguration(new URL(c.req.url).origin)));
  app.notFound((c) => c.json({ error: "not_found" }, 404));
  app.onError((error, c) => {
    if (!(error instanceof OAuthError)) return c.json({ error: "internal_failure" }, 500);
    if (c.req.path === oauthPaths.authorize) {
      return c.html(errorPage(error), error.status, pageHeaders());
    }
    return c.json(error.body(), error.status, { ...uncached, ...error.headers });
  });
  return app;
}

async function readAccessToken(c: Context<OAuthBindings>): Promise<string | undefined> {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  return bearer ?? (await readQueryAndForm(c)).get("access_token");
}

async function readQueryAndForm(c: Context<OAuthBindings>): Promise<ReadonlyMap<string, string>> {
  const form = await readOAuthForm(c.req.raw);
  return readParameters(new URLSearchParams([...new URL(c.req.url).searchParams, ...form]));
}

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
function describeConfiguration(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: origin + oauthPaths.authorize,
    token_endpoint: origin + oauthPaths.token,
    userinfo_endpoint: origin + oauthPaths.userInfo,
    revocation_endpoint: origin + oauthPaths.revoke,
    jwks_uri: origin + oauthPaths.keys,
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
