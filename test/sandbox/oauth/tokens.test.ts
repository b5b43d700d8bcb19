import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OAuthServer } from "../../../src/sandbox/oauth/index.ts";
import {
  bakery,
  codeFor,
  makePkce,
  post,
  prefix,
  redeem,
  redirectUri,
  refresh,
  start,
  token,
  tokensFor,
} from "./support.ts";

const minute = 60_000;

let server: OAuthServer;
let advance: (ms: number) => void;

beforeEach(async () => {
  ({ server, advance } = await start());
});

afterEach(() => server.close());

const refused = (status: number, error: string) =>
  expect.objectContaining({ status, body: { error, error_description: expect.any(String) } });

describe("a code", () => {
  it("becomes an access token for an hour and a refresh token", async () => {
    const { status, headers, body } = await redeem(server, await codeFor(server));

    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      refresh_token: expect.stringMatching(/^1\/\//),
      expires_in: 3599,
      scope: `${prefix}youtube.force-ssl ${prefix}youtube.upload`,
      token_type: "Bearer",
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(server.identify(body.access_token)).toEqual({
      channelId: "UCstudio",
      scopes: ["youtube.force-ssl", "youtube.upload"],
    });
  });

  it("says what was granted, which may be less than was asked for", async () => {
    const { scope } = await tokensFor(server, {}, { ticked: ["youtube.upload"] });

    expect(scope).toBe(`${prefix}youtube.upload`);
  });

  it("is good once, and a second use ends what the first gave", async () => {
    const code = await codeFor(server);
    const first = await redeem(server, code);
    const renewed = await refresh(server, first.body.refresh_token);

    expect(await redeem(server, code)).toEqual(refused(400, "invalid_grant"));
    expect(server.identify(first.body.access_token)).toBeUndefined();
    expect(server.identify(renewed.body.access_token)).toBeUndefined();
    expect(await refresh(server, first.body.refresh_token)).toEqual(refused(400, "invalid_grant"));
  });

  it("ends only its own consent when it is used twice", async () => {
    const code = await codeFor(server);
    await redeem(server, code);
    const other = await tokensFor(server, { prompt: "consent" });
    await redeem(server, code);

    expect(server.identify(other.access_token)).toBeDefined();
  });

  it("is good for ten minutes", async () => {
    const [early, late] = [await codeFor(server), await codeFor(server)];
    advance(10 * minute - 1);
    const inTime = await redeem(server, early);
    advance(1);

    expect(inTime.status).toBe(200);
    expect(await redeem(server, late)).toEqual(refused(400, "invalid_grant"));
  });

  it("is good only for the client it was given to", async () => {
    const code = await codeFor(server);
    const other = { id: "other", secret: "other-secret", name: "Other", redirectUris: [] };
    server.register(other);
    const stolen = await redeem(server, code, { client_id: "other", client_secret: other.secret });

    expect(stolen).toEqual(refused(400, "invalid_grant"));
    expect((await redeem(server, code)).status).toBe(200);
  });

  it("is good only with the address it was sent to", async () => {
    const elsewhere = { redirect_uri: "http://127.0.0.1:9/other" };

    expect(await redeem(server, await codeFor(server), elsewhere)).toEqual(
      refused(400, "invalid_grant"),
    );
  });

  it.each([
    ["the right verifier", (verifier: string) => verifier, 200],
    ["another verifier", () => makePkce().verifier, 400],
    ["no verifier", () => "", 400],
    ["its challenge", (_: string, challenge: string) => challenge, 400],
  ])("is checked against %s", async (_, choose, status) => {
    const { verifier, challenge } = makePkce();
    const asked = { code_challenge: challenge, code_challenge_method: "S256" };
    const code = await codeFor(server, asked);
    const answer = await redeem(server, code, { code_verifier: choose(verifier, challenge) });

    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer).toEqual(refused(400, "invalid_grant"));
  });

  it.each([
    ["plain", { code_challenge_method: "plain" }],
    ["no method at all", {} as Record<string, string>],
  ])("is checked to the letter for %s", async (_, method) => {
    const { verifier } = makePkce();
    const asked = { code_challenge: verifier, ...method };
    const wrong = await redeem(server, await codeFor(server, asked), {
      code_verifier: makePkce().verifier,
    });
    const right = await redeem(server, await codeFor(server, asked), { code_verifier: verifier });

    expect(wrong).toEqual(refused(400, "invalid_grant"));
    expect(right.status).toBe(200);
  });

  it("takes no verifier when there was no challenge", async () => {
    const more = { code_verifier: makePkce().verifier };

    expect(await redeem(server, await codeFor(server), more)).toEqual(
      refused(400, "invalid_grant"),
    );
  });

  it("that nobody was given is refused", async () => {
    expect(await redeem(server, "4/0Amade-up")).toEqual(refused(400, "invalid_grant"));
  });
});

describe("a refresh token", () => {
  it("comes with the first consent and with prompt=consent, not otherwise", async () => {
    const first = await tokensFor(server);
    const again = await tokensFor(server);
    const asked = await tokensFor(server, { prompt: "consent" });

    expect([first, again, asked].map((body) => body.refresh_token !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("comes only to who asks for offline access", async () => {
    const body = await tokensFor(server, { access_type: "online", prompt: "consent" });

    expect(body.refresh_token).toBeUndefined();
  });

  it("becomes access tokens again and again, without a new refresh token", async () => {
    const first = await tokensFor(server);
    advance(60 * minute);
    const renewed = await refresh(server, first.refresh_token);
    const again = await refresh(server, first.refresh_token);

    expect(renewed.status).toBe(200);
    expect(renewed.body).toEqual({
      access_token: expect.any(String),
      expires_in: 3599,
      scope: first.scope,
      token_type: "Bearer",
    });
    expect(again.body.access_token).not.toBe(renewed.body.access_token);
    expect(server.identify(first.access_token)).toBeUndefined();
    expect(server.identify(renewed.body.access_token)?.channelId).toBe("UCstudio");
  });

  it("gives less when less is asked for, and never more", async () => {
    const { refresh_token } = await tokensFor(server);
    const less = await refresh(server, refresh_token, { scope: `${prefix}youtube.upload` });
    const more = await refresh(server, refresh_token, { scope: `${prefix}youtube` });

    expect(less.body.scope).toBe(`${prefix}youtube.upload`);
    expect(more).toEqual(refused(400, "invalid_scope"));
  });

  it.each([
    ["is unknown", async () => "1//0made-up"],
    ["is an access token", async () => (await tokensFor(server)).access_token],
    [
      "was revoked",
      async () => {
        const { refresh_token = "" } = await tokensFor(server);
        await post(server.revokeUrl, { token: refresh_token });
        return refresh_token;
      },
    ],
    [
      "has expired",
      async () => {
        const { refresh_token = "" } = await tokensFor(server);
        advance(180 * 24 * 60 * minute);
        return refresh_token;
      },
    ],
    [
      "was ended by hand",
      async () => {
        const { refresh_token = "" } = await tokensFor(server);
        server.expire(refresh_token);
        return refresh_token;
      },
    ],
  ])("is refused when it %s", async (_, make) => {
    expect(await refresh(server, await make())).toEqual(refused(400, "invalid_grant"));
  });

  it("is good only for its client", async () => {
    const { refresh_token } = await tokensFor(server);
    server.register({ id: "other", secret: "s", name: "Other", redirectUris: [] });
    const stolen = await refresh(server, refresh_token, { client_id: "other", client_secret: "s" });

    expect(stolen).toEqual(refused(400, "invalid_grant"));
  });

  it("dies unsaid when the account gives more than the cap, oldest first", async () => {
    const { server: small } = await start({ limits: { maxRefresh: 2 } });
    const given = [];
    for (let time = 0; time < 3; time++) given.push(await tokensFor(small, { prompt: "consent" }));
    const other = await tokensFor(small, {}, { account: bakery });
    const statuses = [];
    for (const { refresh_token } of [...given, other]) {
      statuses.push((await refresh(small, refresh_token)).status);
    }
    await small.close();

    expect(statuses).toEqual([400, 200, 200, 200]);
  });
});

describe("the token endpoint", () => {
  it("takes the client's credentials as Basic too", async () => {
    const { clientId, clientSecret } = server;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const fields = {
      grant_type: "authorization_code",
      code: await codeFor(server),
      redirect_uri: redirectUri,
    };

    const answer = await post(server.tokenUrl, fields, { Authorization: `Basic ${basic}` });

    expect(answer.status).toBe(200);
  });

  it("tells a Basic client how to try again", async () => {
    const basic = Buffer.from(`${server.clientId}:wrong`).toString("base64");
    const headers = { Authorization: `Basic ${basic}` };
    const answer = await post(server.tokenUrl, { grant_type: "refresh_token" }, headers);

    expect(answer).toEqual(refused(401, "invalid_client"));
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  it.each([
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["no secret", { client_secret: "" }, 401, "invalid_client"],
    ["no client", { client_id: "", client_secret: "" }, 400, "invalid_request"],
    ["no grant type", { grant_type: "" }, 400, "invalid_request"],
    ["another grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["a name of JavaScript's", { grant_type: "constructor" }, 400, "unsupported_grant_type"],
    ["no code", { grant_type: "authorization_code" }, 400, "invalid_request"],
    [
      "a code without its address",
      { grant_type: "authorization_code", code: "x" },
      400,
      "invalid_request",
    ],
    ["no refresh token", { grant_type: "refresh_token" }, 400, "invalid_request"],
  ])("refuses %s", async (_, fields, status, error) => {
    expect(await token(server, { ...fields })).toEqual(refused(status, error));
  });

  it("refuses a field that comes twice, and credentials that come two ways", async () => {
    const twice = await post(server.tokenUrl, "grant_type=refresh_token&grant_type=refresh_token");
    const basic = Buffer.from(`${server.clientId}:${server.clientSecret}`).toString("base64");
    const fields = { client_secret: server.clientSecret, grant_type: "refresh_token" };
    const both = await post(server.tokenUrl, fields, { Authorization: `Basic ${basic}` });

    expect(twice).toEqual(refused(400, "invalid_request"));
    expect(both).toEqual(refused(400, "invalid_request"));
  });

  it("refuses a body that is no form, and a GET", async () => {
    const json = await fetch(server.tokenUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });

    expect(json.status).toBe(400);
    expect(((await json.json()) as { error: string }).error).toBe("invalid_request");
    expect((await fetch(server.tokenUrl)).status).toBe(404);
  });
});

describe("revocation", () => {
  it.each(["access_token", "refresh_token"] as const)(
    "by %s ends everything the account gave to the client",
    async (kind) => {
      const first = await tokensFor(server);
      const second = await tokensFor(server, { prompt: "consent" });
      const pending = await codeFor(server);
      const other = await tokensFor(server, {}, { account: bakery });

      const answer = await post(server.revokeUrl, { token: first[kind] ?? "" });

      expect(answer).toMatchObject({ status: 200, body: {} });
      expect(server.identify(first.access_token)).toBeUndefined();
      expect(server.identify(second.access_token)).toBeUndefined();
      expect(await refresh(server, second.refresh_token)).toEqual(refused(400, "invalid_grant"));
      expect(await redeem(server, pending)).toEqual(refused(400, "invalid_grant"));
      expect(server.identify(other.access_token)).toBeDefined();
    },
  );

  it("makes the next consent the first again", async () => {
    const first = await tokensFor(server);
    await post(server.revokeUrl, { token: first.access_token });
    const scope = `${prefix}youtube.readonly`;
    const again = await tokensFor(server, { scope, include_granted_scopes: "true" });

    expect(again.refresh_token).toBeDefined();
    expect(again.scope).toBe(scope);
  });

  it("takes the token from the query too", async () => {
    const { access_token } = await tokensFor(server);
    const response = await fetch(`${server.revokeUrl}?token=${access_token}`, { method: "POST" });

    expect(response.status).toBe(200);
    expect(server.identify(access_token)).toBeUndefined();
  });

  it("refuses what it does not know, a second time included", async () => {
    const { access_token } = await tokensFor(server);
    await post(server.revokeUrl, { token: access_token });

    expect(await post(server.revokeUrl, { token: access_token })).toEqual(
      refused(400, "invalid_token"),
    );
    expect(await post(server.revokeUrl, {})).toEqual(refused(400, "invalid_request"));
  });
});

describe("token information", () => {
  it("says whose client, what scopes and how long", async () => {
    const { access_token, scope } = await tokensFor(server);
    advance(minute);
    const response = await fetch(`${server.tokenInfoUrl}?access_token=${access_token}`);

    expect(await response.json()).toEqual({
      azp: server.clientId,
      aud: server.clientId,
      scope,
      exp: `${Date.UTC(2026, 10, 21, 12, 59, 59) / 1_000}`,
      expires_in: "3539",
      access_type: "offline",
    });
  });

  it("is refused for anything but a live access token", async () => {
    const { access_token, refresh_token } = await tokensFor(server);
    const ask = async (text = "") =>
      (await fetch(`${server.tokenInfoUrl}?access_token=${encodeURIComponent(text)}`)).status;

    expect(await ask(refresh_token)).toBe(400);
    server.expireAll();
    expect(await ask(access_token)).toBe(400);
    expect((await fetch(server.tokenInfoUrl)).status).toBe(400);
  });
});

describe("what the service offers to tests", () => {
  it("mints tokens as a consent would have given them", async () => {
    const scopes = ["youtube.readonly"];
    const minted = server.mint({ channelId: "UCbakery", scopes, ttlMs: 5 * minute });

    expect(server.identify(minted.accessToken)).toEqual({ channelId: "UCbakery", scopes });
    advance(5 * minute);
    expect(server.identify(minted.accessToken)).toBeUndefined();
    const renewed = await refresh(server, minted.refreshToken);
    expect(server.identify(renewed.body.access_token)?.scopes).toEqual(scopes);
  });

  it("mints for the account without a channel, and for nobody else", () => {
    const { accessToken } = server.mint({ channelId: undefined });

    expect(server.identify(accessToken)?.channelId).toBeUndefined();
    expect(server.identify(accessToken)?.scopes).toHaveLength(7);
    expect(() => server.mint({ channelId: "UCnobody" })).toThrow(/UCnobody/);
    expect(() => server.mint({ channelId: "UCbakery", scopes: ["all"] })).toThrow(/all/);
  });

  it("ends every access token at once, and no refresh token", async () => {
    const one = server.mint({ channelId: "UCstudio" });
    const two = server.mint({ channelId: "UCbakery" });
    server.expireAll();

    expect([one, two].map(({ accessToken }) => server.identify(accessToken))).toEqual([
      undefined,
      undefined,
    ]);
    expect((await refresh(server, one.refreshToken)).status).toBe(200);
  });

  it("ends every link at once, and a new one is alive", async () => {
    const { accessToken, refreshToken } = server.mint({ channelId: "UCstudio" });
    const before = server.hasLinks();
    server.expireLinks();
    const after = server.hasLinks();
    server.mint({ channelId: "UCstudio" });

    expect([before, after, server.hasLinks()]).toEqual([true, false, true]);
    expect([accessToken, refreshToken].map(server.knows)).toEqual([false, false]);
  });

  it("answers its own client at an address that was allowed later", async () => {
    const later = "http://127.0.0.1:9/later";
    server.allowRedirect(later);
    const code = await codeFor(server, { redirect_uri: later });

    expect((await redeem(server, code, { redirect_uri: later })).status).toBe(200);
  });

  it("fails on demand", async () => {
    server.faults.add({ path: /^\/token/, kind: "answer", status: 503, body: "{}", times: 1 });
    const { refreshToken } = server.mint({ channelId: "UCstudio" });

    expect((await refresh(server, refreshToken)).status).toBe(503);
    expect((await refresh(server, refreshToken)).status).toBe(200);
  });
});
