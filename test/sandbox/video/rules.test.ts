import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { methods } from "../../../src/video/index.ts";
import { call, type Failed, ownerToken, refusal, start } from "./support.ts";

let server: VideoServer;

beforeAll(async () => {
  server = await start({
    identify: (token) => {
      const scopes = scopesOf[token];
      return scopes && { channelId: server.ownChannelId, scopes };
    },
  });
});

const scopesOf: Readonly<Record<string, readonly string[]>> = {
  [ownerToken]: ["youtube"],
  "upload-token": ["youtube.upload"],
  "every-scope": Object.values(methods).flatMap((row): readonly string[] => row.scopes),
};

afterAll(() => server.close());

describe("every method", () => {
  it.each(Object.entries(methods))(
    "answers %s, if only with a refusal of its own",
    async (name, row) => {
      const response = await fetch(`${server.url}${row.path.replace("{id}", "x")}`, {
        method: row.verb,
        headers: { Authorization: "Bearer every-scope" },
      });
      const text = await response.text();

      const reason = (text === "" ? undefined : (JSON.parse(text) as Failed))?.error?.errors[0];
      expect(response.status, name).toBeLessThan(500);
      expect(reason?.reason, name).not.toBe("notFound");
    },
  );

  it.each(Object.entries(methods).filter(([, row]) => row.auth === "token"))(
    "refuses %s without a token",
    async (_, row) => {
      const url = `${server.url}${row.path.replace("{id}", "x")}?key=${server.key}`;
      const response = await fetch(url, { method: row.verb });
      const { error } = (await response.json()) as Failed;

      expect([response.status, error.errors[0]?.reason]).toEqual([401, "authorizationRequired"]);
    },
  );

  it.each([
    ["no credential", {}, [403, "forbidden", undefined]],
    ["a wrong key", { key: "nope" }, [400, "keyInvalid", undefined]],
    [
      "a wrong key beside a good token",
      { key: "nope", access_token: ownerToken },
      [400, "keyInvalid", undefined],
    ],
    ["a bad token", { access_token: "nope" }, [401, "authError", "Authorization"]],
    [
      "a token without the scope",
      { access_token: "upload-token" },
      [403, "insufficientPermissions", undefined],
    ],
  ])("refuses %s", async (_, credentials, expected) => {
    const search = new URLSearchParams({ part: "id", id: "x", ...credentials });
    const response = await fetch(`${server.url}/videos?${search}`);
    const { error } = (await response.json()) as Failed;

    expect([response.status, error.errors[0]?.reason, error.errors[0]?.location]).toEqual(expected);
  });

  it.each(["access_token", "oauth_token"])("takes a token as %s", async (name) => {
    const response = await fetch(`${server.url}/channels?part=id&mine=true&${name}=${ownerToken}`);

    expect(response.status).toBe(200);
  });

  const manyIds = Array.from({ length: 51 }, (_, index) => `v${index}`).join();

  it.each([
    ["/videos?id=x", "400 missingRequiredParameter part"],
    ["/videos?part=snippet", "400 missingRequiredParameter parameters."],
    ["/videos?part=snippet,nonsense&id=x", "400 unknownPart part"],
    ["/videos?part=id&id=x&colour=red", "400 unexpectedParameter colour"],
    ["/videos?part=id&chart=best", "400 invalidParameter chart"],
    ["/videos?part=id&id=x&chart=mostPopular", "400 incompatibleParameters parameters."],
    ["/videos?part=id&id=x&pageToken=x", "400 incompatibleParameters parameters."],
    [`/videos?part=id&id=${manyIds}`, "400 invalidParameter id"],
    ["/videos?part=id&chart=mostPopular&maxResults=51", "400 invalidParameter maxResults"],
    ["/videos?part=id&chart=mostPopular&maxResults=many", "400 invalidParameter maxResults"],
    ["/videos?part=id&chart=mostPopular&regionCode=XX", "400 invalidRegionCode regionCode"],
    [
      "/videos?part=id&chart=mostPopular&videoCategoryId=999",
      "400 videoChartNotFound videoCategoryId",
    ],
    ["/videos?part=id&myRating=like", "401 authorizationRequired Authorization"],
    ["/channels?part=id&id=x&forHandle=y", "400 invalidCriteria parameters."],
    ["/channels?part=id&mine=true", "401 authorizationRequired Authorization"],
    ["/channels?part=id&mine=yes", "400 invalidParameter mine"],
    ["/playlists?part=id&channelId=UCnobody", "404 channelNotFound channelId"],
    ["/playlistItems?part=id&playlistId=PLnothing", "404 playlistNotFound playlistId"],
    ["/playlistItems?part=id&playlistId=WL", "403 watchLaterNotAccessible playlistId"],
    ["/playlistItems?part=id&playlistId=x&videoId=y", "404 videoNotFound videoId"],
    ["/search?part=snippet&videoDuration=short", "400 invalidSearchFilter videoDuration"],
    ["/search?part=snippet&type=video,channel&eventType=live", "400 invalidSearchFilter eventType"],
    ["/search?part=snippet&order=newest", "400 invalidParameter order"],
    ["/search?part=snippet&publishedAfter=yesterday", "400 invalidParameter publishedAfter"],
    ["/search?part=snippet&channelId=me", "400 invalidChannelId channelId"],
    [
      "/search?part=snippet&relevanceLanguage=english",
      "400 invalidRelevanceLanguage relevanceLanguage",
    ],
    ["/search?part=snippet&type=video&location=here", "400 invalidLocation location"],
    ["/search?part=snippet&pageToken=nonsense", "400 invalidPageToken pageToken"],
    ["/i18nRegions?part=snippet&hl=%3F", "400 invalidLanguage hl"],
    ["/videoCategories?part=snippet&id=999", "404 videoCategoryNotFound id"],
    ["/nothing", "404 notFound"],
  ])("refuses %s", async (address, expected) => {
    expect(await refusal(server, address)).toBe(expected);
  });

  it.each(["heldForReview", "likelySpam"])("shows a key no comments that are %s", async (state) => {
    const { ownChannelId } = server;
    const wanted = `part=id&allThreadsRelatedToChannelId=${ownChannelId}&moderationStatus=${state}`;
    const expected = "401 authorizationRequired Authorization";

    expect(await refusal(server, `/commentThreads?${wanted}`)).toBe(expected);
  });

  it("wraps a refusal in the service's envelope", async () => {
    const { body } = await call<Failed>(server, "/videos", { id: "x" });
    const message = "Required parameter: part";

    expect(body).toEqual({
      error: {
        code: 400,
        message,
        errors: [
          {
            message,
            domain: "youtube.parameter",
            reason: "missingRequiredParameter",
            location: "part",
            locationType: "parameter",
          },
        ],
      },
    });
  });

  it("trims an answer to the fields asked for", async () => {
    const { body } = await call<unknown>(server, "/videoCategories", {
      part: "snippet",
      id: "10,15",
      fields: "kind,items(id,snippet/title)",
    });

    expect(body).toEqual({
      kind: "youtube#videoCategoryListResponse",
      items: [
        { id: "10", snippet: { title: "Music" } },
        { id: "15", snippet: { title: "Pets & Animals" } },
      ],
    });
  });

  it.each([
    ["items/id,items/snippet/title"],
    ["items(id),items(snippet(title))"],
    ["items(snippet/title,id,snippet/title)"],
  ])("keeps everything that %s names", async (fields) => {
    const query = { part: "snippet", id: "10", fields };
    const { body } = await call<unknown>(server, "/videoCategories", query);

    expect(body).toEqual({ items: [{ id: "10", snippet: { title: "Music" } }] });
  });

  it.each(["items(id", "items/", "items(id))", "items,", "items()", "a b"])(
    "refuses %s, which selects nothing",
    async (fields) => {
      const query = new URLSearchParams({ part: "snippet", id: "10", fields });

      expect(await refusal(server, `/videoCategories?${query}`)).toBe(
        "400 invalidParameter fields",
      );
    },
  );

  it("answers 304 to the etag it gave", async () => {
    const url = `${server.url}/videoCategories?part=snippet&id=10&key=${server.key}`;
    const first = await fetch(url);
    const etag = first.headers.get("etag") ?? "";
    const second = await fetch(url, { headers: { "If-None-Match": etag } });

    expect(((await first.json()) as { etag: string }).etag.length).toBe(27);
    expect(second.status).toBe(304);
  });

  it("answers with a fault when one is armed", async () => {
    server.faults.add({ path: /\/videos/, kind: "answer", status: 503, body: "{}", times: 1 });

    expect((await call(server, "/videos", { part: "id", id: "x" })).status).toBe(503);
    expect((await call(server, "/videos", { part: "id", id: "x" })).status).toBe(200);
  });
});

describe("daily budgets", () => {
  it("end after 100 searches with a 429 that names the day, and start again at midnight in Los Angeles", async () => {
    let time = Date.UTC(2026, 10, 21, 7, 59);
    const other = await start({ now: () => time });
    const search = (): Promise<{ status: number; body: Failed }> =>
      call<Failed>(other, "/search", { part: "snippet", type: "playlist" });
    for (let i = 0; i < 100; i++) await search();
    const refused = await search();
    const reading = await call(other, "/videos", { part: "id", id: "x" });
    time += 60_000;
    const renewed = await search();
    await other.close();

    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      message: expect.stringContaining("per day"),
    });
    expect([reading.status, renewed.status]).toEqual([200, 200]);
  });
});
