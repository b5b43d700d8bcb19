import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listAccounts } from "../../../src/sandbox/connect.ts";
import { type OAuthServer, startOAuth } from "../../../src/sandbox/oauth/index.ts";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";
import { call, type Failed } from "../video/support.ts";

let video: VideoServer;
let oauth: OAuthServer;

beforeAll(async () => {
  video = await startVideo({ identify: (token) => oauth.identify(token) });
  oauth = await startOAuth({ accounts: listAccounts(video) });
});

afterEach(() => video.faults.clear());

afterAll(async () => {
  await oauth.close();
  await video.close();
});

const channel = () => ({ channelId: video.ownChannelId });

async function refusalOf(path: string, query: Readonly<Record<string, string>>) {
  const { status, body } = await call<Failed>(video, path, query);
  const [first] = body.error.errors;
  return [status, first?.reason, first?.location];
}

describe("the video service with real tokens", () => {
  it("has the creator's channel, another one and an account without any", () => {
    const [own, other, none, ...more] = oauth.accounts;

    expect([own?.name, own?.channelId]).toEqual(["Greenroom Studio", video.ownChannelId]);
    expect(video.channels.has(other?.channelId ?? "")).toBe(true);
    expect(other?.channelId).not.toBe(video.ownChannelId);
    expect([none?.channelId, more]).toEqual([undefined, []]);
    expect(new Set(oauth.accounts.map(({ id }) => id)).size).toBe(3);
  });

  it("knows whose token it is", async () => {
    const names = [];
    for (const { channelId } of oauth.accounts.slice(0, 2)) {
      const { accessToken } = oauth.mint({ channelId });
      const query = { part: "snippet", mine: "true", token: accessToken };
      const { body } = await call(video, "/channels", query);
      names.push(body.items[0]?.snippet.title);
    }

    expect(names).toEqual(oauth.accounts.slice(0, 2).map(({ name }) => name));
  });

  it.each([
    ["/channels", { part: "id", mine: "true" }, ["youtube.readonly"], undefined],
    ["/channels", { part: "id", mine: "true" }, ["youtube.upload"], "insufficientPermissions"],
    ["/commentThreads", { part: "id", videoId: "x" }, ["youtube"], "insufficientPermissions"],
    ["/membershipsLevels", { part: "id" }, ["youtube"], "insufficientPermissions"],
  ])("answers %s %j for the scopes %j with %s", async (path, query, scopes, reason) => {
    const { accessToken } = oauth.mint({ ...channel(), scopes });
    const { status, body } = await call<Failed>(video, path, { ...query, token: accessToken });

    expect([status, body.error?.errors[0]?.reason]).toEqual([reason ? 403 : 200, reason]);
  });

  it("refuses expired tokens until they are refreshed", async () => {
    const { accessToken, refreshToken } = oauth.mint(channel());
    const query = { part: "id", mine: "true" };
    oauth.expireAll();
    const refused = await refusalOf("/channels", { ...query, token: accessToken });
    const body = new URLSearchParams({
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    });
    const response = await fetch(oauth.tokenUrl, { method: "POST", body });
    const { access_token } = (await response.json()) as { access_token: string };
    const { status } = await call(video, "/channels", { ...query, token: access_token });

    expect(refused).toEqual([401, "authError", "Authorization"]);
    expect(status).toBe(200);
  });

  it("sends an account without a channel to sign up first", async () => {
    const { accessToken } = oauth.mint({ channelId: undefined });
    const refused = await refusalOf("/channels", {
      part: "id",
      mine: "true",
      token: accessToken,
    });

    expect(refused).toEqual([401, "youtubeSignupRequired", "Authorization"]);
  });

  it.each([
    ["units", "/channels", { part: "id", id: "x" }, [403, "quotaExceeded"]],
    ["searches", "/search", { part: "snippet" }, [429, "rateLimitExceeded"]],
  ] as const)(
    "refuses once the %s are emptied on demand",
    async (bucket, path, query, expected) => {
      const other = await startVideo();
      other.quota.exhaust(bucket);
      const { status, body } = await call<Failed>(other, path, query);
      await other.close();

      expect([status, body.error.errors[0]?.reason]).toEqual(expected);
    },
  );

  it("follows nobody elsewhere: a redirect is only an answer", async () => {
    const location = `${oauth.url}/elsewhere`;
    video.faults.add({ kind: "answer", status: 302, headers: { Location: location } });
    const response = await fetch(`${video.url}/videos`, { redirect: "manual" });

    expect([response.status, response.headers.get("location")]).toEqual([302, location]);
  });
});
