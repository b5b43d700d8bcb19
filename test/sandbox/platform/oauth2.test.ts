import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import type { PersonName } from "../../../src/sandbox/types.ts";

const callback = "http://127.0.0.1:9/discord/callback";

let platform: Platform;
let clock = Date.UTC(2026, 10, 21, 12);

beforeAll(async () => {
  platform = await startPlatform({ now: () => clock });
  platform.allowRedirect(callback);
});

afterAll(() => platform.close());

type Fields = Readonly<Record<string, string>>;

/** An address of the page; a parameter given as "" is omitted. */
function addressOf(changes: Fields = {}): string {
  const params = {
    client_id: platform.applicationId,
    redirect_uri: callback,
    response_type: "code",
    scope: "identify",
    state: "kept as it is",
    ...changes,
  };
  const given = Object.entries(params).filter(([, value]) => value !== "");
  return `${platform.url}/oauth2/authorize?${new URLSearchParams(given)}`;
}

async function answer(url: string, person: PersonName, decision = "authorize"): Promise<URL> {
  const page = await (await fetch(url)).text();
  const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ request, person, decision });
  const response = await fetch(`${platform.url}/oauth2/authorize`, {
    method: "POST",
    body,
    redirect: "manual",
  });
  return new URL(response.headers.get("location") ?? "about:blank");
}

async function codeFor(person: PersonName, changes: Fields = {}): Promise<string> {
  return (await answer(addressOf(changes), person)).searchParams.get("code") ?? "";
}

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(path: string, fields: Fields, headers: Fields = {}): Promise<Answered> {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${platform.url}${path}`, { method: "POST", body, headers });
  return { status: response.status, body: (await response.json()) as Answered["body"] };
}

const app = () => ({ client_id: platform.applicationId, client_secret: platform.clientSecret });

const redeem = (code: string, more: Fields = {}) =>
  post("/api/oauth2/token", {
    ...app(),
    grant_type: "authorization_code",
    code,
    redirect_uri: callback,
    ...more,
  });

async function self(token: unknown, root = "/api"): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${platform.url}${root}/users/@me`, { headers });
  return { status: response.status, body: (await response.json()) as Answered["body"] };
}

describe("the page that signs people in", () => {
  it("names the app and everyone who may be picked, runs nothing and stands in no frame", async () => {
    const response = await fetch(addressOf());
    const page = await response.text();

    expect(response.status).toBe(200);
    for (const words of ["Greenroom", "Robin", "Kim", "Alex", "http://127.0.0.1:9"]) {
      expect(page).toContain(words);
    }
    expect(page).not.toMatch(/<script|style=/);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("is reached through the API's address too, as the published metadata has it", async () => {
    const response = await fetch(`${platform.url}/.well-known/oauth-authorization-server`);
    const metadata = (await response.json()) as Readonly<Record<string, string>>;
    const url = `${metadata.authorization_endpoint}${new URL(addressOf()).search}`;

    expect(metadata.issuer).toBe(platform.url);
    expect(await (await fetch(url)).text()).toContain("wants to access your account");
  });

  it("sends whoever agrees to the app, with a code, the state and whose answer it is", async () => {
    const { origin, pathname, searchParams } = await answer(addressOf(), "moderator");

    expect(`${origin}${pathname}`).toBe(callback);
    expect(searchParams.get("code")).toMatch(/^[\w-]{32}$/);
    expect(searchParams.get("state")).toBe("kept as it is");
    expect(searchParams.get("iss")).toBe(platform.url);
  });

  it("sends whoever refuses to the app, too", async () => {
    const { searchParams } = await answer(addressOf(), "moderator", "cancel");

    expect(searchParams.get("error")).toBe("access_denied");
    expect(searchParams.get("state")).toBe("kept as it is");
    expect(searchParams.has("code")).toBe(false);
  });

  it.each([
    ["another app", { client_id: "1" }],
    ["an address that is not registered", { redirect_uri: "http://127.0.0.1:9/discord/callback/" }],
    ["no address", { redirect_uri: "" }],
  ])("sends nobody anywhere for %s", async (_, changes) => {
    const response = await fetch(addressOf(changes), { redirect: "manual" });

    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  });

  it.each([
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_scope", { scope: "identify bot" }],
    ["invalid_scope", { scope: "" }],
    ["invalid_request", { code_challenge: "x".repeat(43), code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge: "short", code_challenge_method: "S256" }],
  ])("sends the browser back with %s for %o", async (error, changes) => {
    const response = await fetch(addressOf(changes), { redirect: "manual" });
    const location = new URL(response.headers.get("location") ?? "");

    expect(location.origin).toBe("http://127.0.0.1:9");
    expect(location.searchParams.get("error")).toBe(error);
    expect(location.searchParams.get("state")).toBe("kept as it is");
  });

  it("takes one answer to each question", async () => {
    const page = await (await fetch(addressOf())).text();
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const send = () =>
      fetch(`${platform.url}/oauth2/authorize`, {
        method: "POST",
        body: new URLSearchParams({ request, person: "owner", decision: "authorize" }),
        redirect: "manual",
      });

    expect((await send()).status).toBe(303);
    expect((await send()).status).toBe(400);
  });
});

describe("the token endpoint", () => {
  it("gives tokens for a code, and who they belong to", async () => {
    const { status, body } = await redeem(await codeFor("moderator"));
    const found = await self(body.access_token);

    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 604_800, scope: "identify" });
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({ username: "kim", global_name: "Kim", locale: "en-US" });
    expect(await self(body.access_token, "/api/v10")).toEqual(found);
  });

  it("takes the app's credentials as Basic, too", async () => {
    const { applicationId, clientSecret } = platform;
    const basic = Buffer.from(`${applicationId}:${clientSecret}`).toString("base64");
    const fields = { grant_type: "authorization_code", redirect_uri: callback };
    const code = await codeFor("owner");
    const { status } = await post(
      "/api/v10/oauth2/token",
      { ...fields, code },
      { authorization: `Basic ${basic}` },
    );

    expect(status).toBe(200);
  });

  it.each([
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["another app", { client_id: "1" }, 401, "invalid_client"],
    ["another address", { redirect_uri: `${callback}/` }, 400, "invalid_grant"],
    ["a verifier that nobody announced", { code_verifier: "x".repeat(43) }, 400, "invalid_grant"],
    ["an unknown kind", { grant_type: "password" }, 400, "unsupported_grant_type"],
  ])("refuses %s", async (_, changes: Fields, status, error) => {
    const answered = await redeem(await codeFor("owner"), changes);

    expect({ status: answered.status, error: answered.body.error }).toEqual({ status, error });
  });

  it("takes a code once, and for 100 seconds", async () => {
    const [used, late] = [await codeFor("owner"), await codeFor("owner")];
    await redeem(used);
    const again = await redeem(used);
    clock += 100_000;
    const afterwards = await redeem(late);

    expect([again.body.error, afterwards.body.error]).toEqual(["invalid_grant", "invalid_grant"]);
  });

  it("wants the verifier of the challenge", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const code_challenge = createHash("sha256").update(verifier).digest("base64url");
    const asked = { code_challenge, code_challenge_method: "S256" };
    const [good, bad, none] = await Promise.all([
      redeem(await codeFor("owner", asked), { code_verifier: verifier }),
      redeem(await codeFor("owner", asked), { code_verifier: "y".repeat(43) }),
      redeem(await codeFor("owner", asked)),
    ]);

    expect([good.status, bad.body.error, none.body.error]).toEqual([
      200,
      "invalid_grant",
      "invalid_grant",
    ]);
  });

  it("gives new tokens for a refresh token, once", async () => {
    const { body } = await redeem(await codeFor("member"));
    const renew = () =>
      post("/api/oauth2/token", {
        ...app(),
        grant_type: "refresh_token",
        refresh_token: String(body.refresh_token),
      });
    const [first, second] = [await renew(), await renew()];

    expect((await self(first.body.access_token)).body.username).toBe("alex");
    expect(second.body.error).toBe("invalid_grant");
  });

  it("ends both tokens when one is revoked, and minds no unknown one", async () => {
    const { body } = await redeem(await codeFor("member"));
    const token = String(body.access_token);
    const wrong = await post("/api/oauth2/token/revoke", { ...app(), client_secret: "no", token });
    const alive = await self(token);
    const right = await post("/api/oauth2/token/revoke", { ...app(), token });
    const again = await post("/api/oauth2/token/revoke", { ...app(), token });

    expect([wrong.status, alive.status, right.status, again.status]).toEqual([401, 200, 200, 200]);
    expect((await self(token)).status).toBe(401);
  });

  it("ends an access token after a week", async () => {
    const { body } = await redeem(await codeFor("member"));
    clock += 604_800_000;

    expect(await self(body.access_token)).toEqual({
      status: 401,
      body: { message: "401: Unauthorized", code: 0 },
    });
  });

  it("fails as configured", async () => {
    platform.faults.add({ kind: "answer", status: 503, times: 1, path: /oauth2.token/ });
    const code = await codeFor("owner");
    const body = new URLSearchParams({ ...app(), grant_type: "authorization_code", code });
    const failed = await fetch(`${platform.url}/api/oauth2/token`, { method: "POST", body });

    expect(failed.status).toBe(503);
    expect((await redeem(code)).status).toBe(200);
  });
});
