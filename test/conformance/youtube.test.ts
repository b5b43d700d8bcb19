import { youtube, type youtube_v3 } from "@googleapis/youtube";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";

let server: VideoServer;
let client: youtube_v3.Youtube;

const open = (key: string): youtube_v3.Youtube =>
  youtube({ version: "v3", auth: key, rootUrl: `${new URL(server.url).origin}/` });

beforeAll(async () => {
  server = await startVideo();
  client = open(server.key);
});

afterAll(() => server.close());

describe("the @googleapis/youtube package", () => {
  it("searches and pages", async () => {
    const query = { part: ["snippet"], q: "cat", type: ["video"], maxResults: 5 };
    const { data: first } = await client.search.list(query);
    const next = { ...query, ...(first.nextPageToken && { pageToken: first.nextPageToken }) };
    const { data: second } = await client.search.list(next);
    const ids = [...(first.items ?? []), ...(second.items ?? [])].map(({ id }) => id?.videoId);

    expect(first.kind).toBe("youtube#searchListResponse");
    expect(new Set(ids).size).toBe(10);
    expect(second.prevPageToken).toEqual(expect.any(String));
  });

  it("reads a video's parts, several ids at once", async () => {
    const { data: chart } = await client.videos.list({
      part: ["id"],
      chart: "mostPopular",
      maxResults: 3,
    });
    const id = (chart.items ?? []).map((item) => item.id ?? "");
    const { data } = await client.videos.list({
      part: ["snippet", "contentDetails", "statistics"],
      id,
    });

    expect(data.items?.map((item) => item.id)).toEqual(id);
    expect(data.items?.[0]).toMatchObject({
      kind: "youtube#video",
      snippet: { title: expect.any(String), thumbnails: { medium: { width: 320, height: 180 } } },
      contentDetails: {
        duration: expect.stringMatching(/^P/),
        caption: expect.stringMatching(/^(true|false)$/),
      },
      statistics: { viewCount: expect.stringMatching(/^\d+$/) },
    });
  });

  it("goes from a handle to the channel's uploads", async () => {
    const { data: channels } = await client.channels.list({
      part: ["contentDetails"],
      forHandle: "@orbitnotes",
    });
    const playlistId = channels.items?.[0]?.contentDetails?.relatedPlaylists?.uploads ?? "";
    const { data: items } = await client.playlistItems.list({
      part: ["snippet", "contentDetails", "status"],
      playlistId,
      maxResults: 50,
    });
    const { data: playlists } = await client.playlists.list({
      part: ["snippet", "contentDetails"],
      id: [playlistId],
    });

    expect(playlistId).toMatch(/^UU/);
    expect(items.items).toHaveLength(20);
    expect(playlists.items?.[0]?.contentDetails?.itemCount).toBe(20);
  });

  it("lists regions and categories", async () => {
    const [{ data: regions }, { data: categories }] = await Promise.all([
      client.i18nRegions.list({ part: ["snippet"], hl: "fr" }),
      client.videoCategories.list({ part: ["snippet"], regionCode: "FR" }),
    ]);

    expect(regions.items?.find(({ id }) => id === "DE")?.snippet?.name).toBe("Allemagne");
    expect(categories.items?.find(({ id }) => id === "10")?.snippet?.title).toBe("Music");
  });

  it("understands the stand-in's errors", async () => {
    const wrongKey = await failure(
      open("nope").videos.list({ part: ["id"], chart: "mostPopular" }),
    );
    const noFilter = await failure(client.videos.list({ part: ["id"] }));

    expect([wrongKey.status, wrongKey.message]).toEqual([400, expect.stringContaining("API key")]);
    expect(wrongKey.response?.data.error.errors[0]).toMatchObject({ reason: "keyInvalid" });
    expect(noFilter.message).toContain("No filter selected");
    expect(noFilter.response?.data.error.errors[0]).toMatchObject({
      reason: "missingRequiredParameter",
      domain: "youtube.parameter",
    });
  });
});

interface PackageError extends Error {
  readonly status?: number;
  readonly response?: {
    readonly data: { readonly error: { readonly errors: readonly unknown[] } };
  };
}

function failure(call: Promise<unknown>): Promise<PackageError> {
  return call.then(
    () => new Error("the call went through"),
    (error: PackageError) => error,
  );
}
