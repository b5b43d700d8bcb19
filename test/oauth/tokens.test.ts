import { describe, expect, it } from "vitest";
import {
  BotError,
  ConnectError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../src/errors.ts";
import type { InjectedFault } from "../../src/sandbox/faults.ts";
import { deadAddress, failureOf } from "../http/server.ts";
import { seed, seeded } from "../support/random.ts";
import { shownBy } from "./links-stage.ts";
import {
  bakeryId,
  expectFailure,
  guild,
  lastForm,
  minute,
  openOAuth,
  otherGuild,
  refuse,
  studioId,
} from "./stage.ts";

const all = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

describe("createChannelTokens", () => {
  it("gives a token of the channel that the guild has linked, and reports it as a secret before its use", async () => {
    const { tokens, link, server, secrets, asked } = await openOAuth();
    const refreshToken = await link();

    const token = await tokens.of(guild)();

    expect(server.identify(token)).toMatchObject({ channelId: studioId });
    expect(secrets).toEqual([token]);
    expect(Object.fromEntries(new URLSearchParams(String(asked[0]?.body)))).toEqual({
      grant_type: "refresh_token",
      client_id: server.clientId,
      client_secret: server.clientSecret,
      refresh_token: refreshToken,
    });
  });

  it("keeps a token until shortly before its end", async () => {
    const { tokens, link, advance, asked } = await openOAuth();
    await link();
    const token = tokens.of(guild);

    const first = await token();
    advance(54 * minute);

    expect(await token()).toBe(first);
    expect(asked).toHaveLength(1);
  });

  it("fetches the next one in the last five minutes while the old one serves", async () => {
    const { tokens, link, advance, asked, server } = await openOAuth();
    await link();
    const token = tokens.of(guild);
    const first = await token();
    advance(56 * minute);

    expect(await all(50, () => token())).toEqual(Array(50).fill(first));
    await expect.poll(token).not.toBe(first);

    expect(asked).toHaveLength(2);
    expect(server.knows(await token())).toBe(true);
  });

  it.each([
    ["has run out", "expired"],
    ["was refused", "refused"],
  ] as const)("asks once for 200 callers whose token %s", async (_, how) => {
    const { tokens, link, advance, asked, server } = await openOAuth();
    await link();
    const token = tokens.of(guild);
    const first = await token();
    if (how === "expired") advance(61 * minute);
    else server.expireAll();

    const given = await all(200, () => token(how === "refused" ? first : undefined));

    expect(new Set(given).size).toBe(1);
    expect(given[0]).not.toBe(first);
    expect(asked).toHaveLength(2);
  });

  it("does not refresh for a refusal that somebody else has dealt with", async () => {
    const { tokens, link, asked } = await openOAuth();
    await link();
    const token = tokens.of(guild);
    const first = await token();
    const second = await token(first);

    expect(await token(first)).toBe(second);
    expect(second).not.toBe(first);
    expect(asked).toHaveLength(2);
  });

  it(`keeps 40 guilds apart (seed ${seed})`, async () => {
    const { tokens, link, server, asked } = await openOAuth();
    const random = seeded(seed);
    const ids = Array.from({ length: 40 }, (_, n) => String(100_000_000_000_000_000n + BigInt(n)));
    const channels = new Map(ids.map((id) => [id, random() < 0.5 ? studioId : bakeryId]));
    for (const [id, channelId] of channels) await link(id, channelId);

    await all(400, async (n) => {
      const id = ids[n % ids.length] ?? guild;
      const token = await tokens.of(id)();
      expect(server.identify(token)?.channelId).toBe(channels.get(id));
    });

    expect(asked).toHaveLength(40);
  });

  it("uses the new link of the channel that was made while the old one was refreshed", async () => {
    const { tokens, link, server, asked, holdRequests } = await openOAuth();
    await link();
    const { arrived, letThrough } = holdRequests();
    const token = tokens.of(guild)();
    await arrived;
    const anew = await link();
    letThrough();

    expect(server.knows(await token)).toBe(true);
    expect(lastForm(asked).refresh_token).toBe(anew);
  });

  it("uses the new default when another channel took its place meanwhile", async () => {
    const { tokens, link, server, store, holdRequests } = await openOAuth();
    await link();
    await link(guild, bakeryId);
    const { arrived, letThrough } = holdRequests();
    const token = tokens.of(guild)();
    await arrived;
    await store.credentials.chooseDefault(guild, bakeryId);
    letThrough();

    expect(server.identify(await token)?.channelId).toBe(bakeryId);
  });

  it("uses the new link when the old one's consent turns out to be over", async () => {
    const { tokens, link, server, gone, holdRequests } = await openOAuth();
    server.expire(await link());
    const { arrived, letThrough } = holdRequests();
    const token = tokens.of(guild)();
    await arrived;
    await link();
    letThrough();

    expect(server.knows(await token)).toBe(true);
    expect(gone).toEqual([]);
  });

  it("ends with the link, although the token would live on", async () => {
    const { tokens, link, store } = await openOAuth();
    await link();
    const token = tokens.of(guild);
    await token();
    await store.credentials.remove(guild, "channel");

    await expectFailure(token(), ConnectError, "channel_missing");
    await expectFailure(tokens.of(otherGuild)(), ConnectError, "channel_missing");
  });

  it("says that the store failed, not that there is no channel", async () => {
    const { tokens, link, store } = await openOAuth();
    await link();
    const token = tokens.of(guild);
    await token();
    await store.close();

    const error = await failureOf(token(), ServiceError);

    expect(error).toMatchObject({ code: "store_unavailable", outcome: "nothing" });
  });

  it("stops refreshes under way when it is closed", async () => {
    const { tokens, link, holdRequests } = await openOAuth();
    await link();
    const { arrived } = holdRequests();
    const error = failureOf(tokens.of(guild)(), ServiceError);
    await arrived;

    await tokens.close();

    // The refresh's own answer no longer matters.
    expect(await error).toMatchObject({ code: "restarting" });
  });
});

describe("a refresh that fails", () => {
  it.each<[string, InjectedFault]>([
    ["503 four times", { kind: "answer", status: 503, times: 4 }],
    ["429 with a time to wait", { ...refuse(429, {}), headers: { "retry-after": "3" } }],
    ["a cut before the work", { kind: "cut-before", times: 2 }],
    ["a cut after the work", { kind: "cut-after", times: 2 }],
    ["a cut answer", { kind: "cut-answer", times: 2 }],
  ])("is repeated after %s", async (_, fault) => {
    const { tokens, link, server } = await openOAuth();
    await link();
    server.faults.add(fault);

    expect(server.knows(await tokens.of(guild)())).toBe(true);
  });

  it.each<[string, InjectedFault, abstract new (...args: never[]) => BotError, string]>([
    ["503", { kind: "answer", status: 503 }, ServiceError, "service_unavailable"],
    [
      "500 that calls the consent over",
      refuse(500, { error: "invalid_grant" }, 99),
      ServiceError,
      "service_unavailable",
    ],
    ["429", { kind: "answer", status: 429 }, LimitError, "rate_limited"],
    ["403 slow_down", refuse(403, { error: "slow_down" }, 99), LimitError, "rate_limited"],
    ["cuts", { kind: "cut-before" }, NetworkError, "cut"],
    ["a web page", refuse(200, "<html>", 99), ServiceError, "web_page_answer"],
    ["a text with 400", refuse(400, "invalid_grant", 99), ServiceError, "unexpected_answer"],
    ["an empty token", refuse(200, { access_token: "" }, 99), ServiceError, "unexpected_answer"],
    [
      "a token that no header carries",
      refuse(200, { access_token: "a\nb" }, 99),
      ServiceError,
      "unexpected_answer",
    ],
    [
      "a redirect",
      { kind: "answer", status: 302, headers: { location: "/x" } },
      ServiceError,
      "unexpected_answer",
    ],
    ["null", refuse(200, "null", 99), ServiceError, "unexpected_answer"],
  ])(
    "for a while, with %s, leaves the link as it is and works again later",
    async (_, fault, kind, code) => {
      const { tokens, link, server, store, secrets } = await openOAuth();
      const refreshToken = await link();
      server.faults.add(fault);

      const errors = await all(20, () => failureOf(tokens.of(guild)(), kind));
      server.faults.clear();

      expect(new Set(errors).size).toBe(1);
      expect(errors[0]).toMatchObject({ code, outcome: "nothing" });
      expect(secrets).toEqual([]);
      expect(await store.credentials.read(guild, "channel")).toMatchObject({
        state: "found",
        value: { secret: refreshToken },
      });
      expect(server.knows(await tokens.of(guild)())).toBe(true);
    },
  );

  it("because nobody is there says so", async () => {
    const { tokens, link } = await openOAuth({ tokenUrl: `${await deadAddress()}/token` });
    await link();

    const error = await failureOf(tokens.of(guild)(), NetworkError);

    expect(error).toMatchObject({ code: "unreachable", outcome: "nothing" });
  });

  it.each([
    [401, "invalid_client", "oauth_client_refused"],
    [400, "unauthorized_client", "oauth_client_refused"],
    [400, "admin_policy_enforced", "admin_policy_enforced"],
    [403, "org_internal", "org_internal"],
  ])(
    "for good, %i %s, is reported as %s and leaves the link as it is",
    async (status, error, code) => {
      const { tokens, link, server, store, asked } = await openOAuth();
      const refreshToken = await link();
      const canary = "a-text-of-the-service";
      server.faults.add(refuse(status, { error, error_description: canary }, 99));

      const errors = await all(20, () => failureOf(tokens.of(guild)(), ConnectError));

      expect(errors[0]).toMatchObject({ code, facts: { status, reason: error } });
      expect(JSON.stringify([errors[0], errors[0]?.message])).not.toContain(canary);
      expect(asked).toHaveLength(1);
      const read = await store.credentials.read(guild, "channel");
      expect(read).toMatchObject({ state: "found", value: { secret: refreshToken } });
    },
  );

  it("just before the old token's end keeps nobody from using that", async () => {
    const { tokens, link, advance, server } = await openOAuth();
    await link();
    const token = tokens.of(guild);
    const first = await token();
    advance(56 * minute);
    server.faults.add({ kind: "answer", status: 403, body: "{}" });

    expect(await all(20, () => token())).toEqual(Array(20).fill(first));
    advance(4 * minute);

    await expectFailure(token(), ServiceError, "unexpected_answer");
  });

  it("carries no secret in its error", async () => {
    const { tokens, link, server } = await openOAuth();
    const refreshToken = await link();
    server.faults.add({ kind: "cut-after" });

    const error = await failureOf(tokens.of(guild)(), BotError);

    expect(shownBy(error)).not.toContain(refreshToken);
    expect(shownBy(error)).not.toContain(server.clientSecret);
  });
});

describe("a token of a short life", () => {
  it("is used for half of it, so that not every call refreshes", async () => {
    const { tokens, link, server, advance, asked } = await openOAuth();
    await link();
    server.faults.add(refuse(200, { access_token: "short", expires_in: 60 }));
    const token = tokens.of(guild);

    expect([await token(), await token()]).toEqual(["short", "short"]);
    advance(31_000);

    expect(await token()).not.toBe("short");
    expect(asked).toHaveLength(2);
  });
});
