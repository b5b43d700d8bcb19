import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OAuthServer } from "../../../src/sandbox/oauth/index.ts";
import {
  answer,
  authorizeUrl,
  bakery,
  channelless,
  makePkce,
  prefix,
  redirectUri,
  sentTo,
  start,
  tokensFor,
} from "./support.ts";

let server: OAuthServer;
let advance: (ms: number) => void;

beforeAll(async () => {
  ({ server, advance } = await start());
});

afterAll(() => server.close());

async function open(changes: Readonly<Record<string, string>> = {}) {
  const response = await fetch(authorizeUrl(server, changes), { redirect: "manual" });
  return { response, page: await response.text() };
}

describe("the consent page", () => {
  it("names the app, where the answer goes, every account and every scope in words", async () => {
    const { response, page } = await open();

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    for (const words of [
      "Greenroom asks for access",
      "127.0.0.1:9",
      "studio@mail.example",
      "bakery@mail.example",
      "robin@mail.example, has no channel",
      "Run your channel and its comments",
      "Upload to your channel",
    ]) {
      expect(page).toContain(words);
    }
    expect(page.indexOf("studio@")).toBeLessThan(page.indexOf("bakery@"));
    expect(page).not.toContain(prefix);
  });

  it("loads nothing from elsewhere, runs nothing, stands in no frame and is not kept", async () => {
    const { response, page } = await open();
    const policy = response.headers.get("content-security-policy");

    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' http://127.0.0.1:9; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page).not.toMatch(/<script|style=|https?:\/\//);
    expect((await fetch(`${server.url}/o/style.css`)).headers.get("content-type")).toMatch(
      /^text\/css/,
    );
  });

  it("repeats nothing that the request says", async () => {
    const hostile = '"><script>alert(1)</script>';
    const { page } = await open({ state: hostile, login_hint: hostile, nonsense: hostile });

    expect(page).not.toContain("alert(1)");
  });

  it("escapes names", async () => {
    const { server: other } = await start({
      accounts: [{ ...bakery, name: "<b>Salt & Sourdough</b>" }],
    });
    const page = await (await fetch(authorizeUrl(other))).text();
    await other.close();

    expect(page).toContain("&lt;b&gt;Salt &amp; Sourdough&lt;/b&gt;");
  });

  it.each([
    ["the first account", {}, "1001"],
    ["who the app expects", { login_hint: "bakery@mail.example" }, "1002"],
    ["the first account for a stranger", { login_hint: "x@mail.example" }, "1001"],
  ])("has chosen %s", async (_, changes, id) => {
    const { page } = await open(changes);
    const chosen = [...page.matchAll(/name="account" value="(\d+)" required checked/g)];

    expect(chosen.map(([, value]) => value)).toEqual([id]);
  });
});

describe("a request that is wrong", () => {
  it.each([
    ["no client", { client_id: "" }, 400, "invalid_request"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["no redirect", { redirect_uri: "" }, 400, "invalid_request"],
    ["a strange redirect", { redirect_uri: "http://evil.example/" }, 400, "redirect_uri_mismatch"],
    [
      "a redirect that only starts so",
      { redirect_uri: `${redirectUri}/more` },
      400,
      "redirect_uri_mismatch",
    ],
    ["no response type", { response_type: "" }, 400, "invalid_request"],
    ["response type token", { response_type: "token" }, 400, "unsupported_response_type"],
    ["no scope", { scope: "" }, 400, "invalid_request"],
    ["an unknown scope", { scope: `${prefix}youtube.everything` }, 400, "invalid_scope"],
    ["a scope without its address", { scope: "youtube" }, 400, "invalid_scope"],
    [
      "a plain challenge that no verifier fits",
      { code_challenge: "short" },
      400,
      "invalid_request",
    ],
    [
      "an unknown challenge method",
      { code_challenge: "x".repeat(43), code_challenge_method: "S512" },
      400,
      "invalid_request",
    ],
    [
      "a challenge that is no hash",
      { code_challenge: "short", code_challenge_method: "S256" },
      400,
      "invalid_request",
    ],
    ["a method without a challenge", { code_challenge_method: "S256" }, 400, "invalid_request"],
    ["an unknown access type", { access_type: "always" }, 400, "invalid_request"],
    ["an unknown prompt", { prompt: "maybe" }, 400, "invalid_request"],
    ["prompt none with another", { prompt: "none consent" }, 400, "invalid_request"],
  ])("shows an error page and sends nobody on: %s", async (_, changes, status, error) => {
    const { response, page } = await open(changes);

    expect(response.status).toBe(status);
    expect(response.headers.get("location")).toBeNull();
    expect(page).toContain(`Error ${status}: ${error}`);
    expect(page).not.toContain("<form");
    expect(response.headers.get("content-security-policy")).toContain("form-action 'none'");
  });

  it("is one that says the same thing twice", async () => {
    const response = await fetch(`${authorizeUrl(server)}&redirect_uri=http://evil.example`);

    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("evil");
  });

  it("shows none of what it said", async () => {
    const { page } = await open({ client_id: "<script>alert(1)</script>" });

    expect(page).not.toContain("alert(1)");
  });
});

describe("an answer", () => {
  it("takes a code, the scopes and the state back, beside what the address had", async () => {
    const state = "a b&c=d/ü";
    const url = await sentTo(authorizeUrl(server, { state }));

    expect(url.origin + url.pathname).toBe("http://127.0.0.1:9/callback");
    expect(url.searchParams.get("from")).toBe("sandbox");
    expect(url.searchParams.get("state")).toBe(state);
    expect(url.searchParams.get("code")).toMatch(/^4\/0A/);
    expect(url.searchParams.get("scope")).toBe(
      `${prefix}youtube.force-ssl ${prefix}youtube.upload`,
    );
    expect(url.searchParams.has("error")).toBe(false);
  });

  it("has only what was ticked", async () => {
    const url = await sentTo(authorizeUrl(server), { ticked: ["youtube.upload"] });

    expect(url.searchParams.get("scope")).toBe(`${prefix}youtube.upload`);
  });

  it("has nothing that was not asked for", async () => {
    const url = await sentTo(authorizeUrl(server), {
      ticked: ["youtube.upload", "youtubepartner"],
    });

    expect(url.searchParams.get("scope")).toBe(`${prefix}youtube.upload`);
  });

  it.each([
    ["Cancel", { decision: "cancel" }],
    ["unticking everything", { ticked: [] }],
  ] as const)("refuses by %s", async (_, choice) => {
    const url = await sentTo(authorizeUrl(server, { state: "s" }), choice);

    expect(url.searchParams.get("error")).toBe("access_denied");
    expect(url.searchParams.get("state")).toBe("s");
    expect(url.searchParams.has("code")).toBe(false);
  });

  it("is taken once", async () => {
    const page = await (await fetch(authorizeUrl(server))).text();
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const send = () =>
      fetch(server.authorizeUrl, {
        method: "POST",
        body: new URLSearchParams({ request, decision: "cancel" }),
        redirect: "manual",
      });

    expect((await send()).status).toBe(303);
    expect((await send()).status).toBe(400);
  });

  it("comes within the hour", async () => {
    const page = await (await fetch(authorizeUrl(server))).text();
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
    advance(3_600_000);
    const body = new URLSearchParams({ request, decision: "allow", account: "1001" });
    const late = await fetch(server.authorizeUrl, { method: "POST", body, redirect: "manual" });

    expect(late.status).toBe(400);
    expect(await late.text()).toContain("too old");
  });

  it("needs a question that was asked, and an account that exists", async () => {
    const unasked = await fetch(server.authorizeUrl, {
      method: "POST",
      body: new URLSearchParams({ request: "made-up", decision: "allow", account: "1001" }),
      redirect: "manual",
    });
    const nobody = await answer(authorizeUrl(server), { account: { ...bakery, id: "7" } });

    expect([unasked.status, nobody.status]).toEqual([400, 400]);
    expect(nobody.headers.get("location")).toBeNull();
  });

  it("is never shown for prompt=none: nobody is signed in", async () => {
    const { response } = await open({ prompt: "none", state: "s" });
    const url = new URL(response.headers.get("location") ?? "");

    expect(url.searchParams.get("error")).toBe("interaction_required");
    expect(url.searchParams.get("state")).toBe("s");
  });

  it("binds the tokens to the channel that was picked", async () => {
    const own = await tokensFor(server, { prompt: "consent" });
    const other = await tokensFor(server, {}, { account: bakery });
    const none = await tokensFor(server, {}, { account: channelless });

    expect(server.identify(own.access_token)?.channelId).toBe("UCstudio");
    expect(server.identify(other.access_token)?.channelId).toBe("UCbakery");
    expect(server.identify(none.access_token)).toEqual({
      channelId: undefined,
      scopes: ["youtube.force-ssl", "youtube.upload"],
    });
  });

  it("adds what was granted before when the app asks so", async () => {
    const { server: other } = await start();
    const ask = (scope: string, more = {}) =>
      sentTo(authorizeUrl(other, { scope: prefix + scope, ...more }));
    await ask("youtube.upload");
    const alone = await ask("youtube.readonly");
    const added = await ask("youtube", { include_granted_scopes: "true" });
    await other.close();

    expect(alone.searchParams.get("scope")).toBe(`${prefix}youtube.readonly`);
    expect(added.searchParams.get("scope")?.split(" ").sort()).toEqual([
      `${prefix}youtube`,
      `${prefix}youtube.readonly`,
      `${prefix}youtube.upload`,
    ]);
  });

  it("asks who somebody is without letting it be unticked", async () => {
    const scope = `openid email ${prefix}userinfo.profile ${prefix}youtube.readonly`;
    const { page } = await open({ scope });
    const url = await sentTo(authorizeUrl(server, { scope }), { ticked: [] });

    expect(page).toContain("See your email address");
    expect(page.match(/type="checkbox"/g)).toHaveLength(1);
    expect(url.searchParams.get("scope")).toBe(
      `openid ${prefix}userinfo.email ${prefix}userinfo.profile`,
    );
  });

  it("accepts a PKCE challenge by S256", async () => {
    const { challenge } = makePkce();
    const url = await sentTo(
      authorizeUrl(server, { code_challenge: challenge, code_challenge_method: "S256" }),
    );

    expect(url.searchParams.has("code")).toBe(true);
  });
});
