import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { call, type Listed, ownerToken, start } from "./support.ts";

let server: VideoServer;

beforeAll(async () => {
  server = await start();
});

// The daily quota has only 100 searches.
beforeEach(() => server.quota.refill());

afterAll(() => server.close());

async function search(query: Record<string, string>): Promise<Listed> {
  const { status, body } = await call(server, "/search", {
    part: "snippet",
    maxResults: "50",
    ...query,
  });
  expect(status).toBe(200);
  return body;
}

async function titles(query: Record<string, string>): Promise<string[]> {
  return (await search(query)).items.map(({ snippet }) => snippet.title);
}

describe("search.list", () => {
  it("finds words in title, tags and description, whatever their case and accents", async () => {
    expect(await titles({ q: "SOURDOUGH starter", type: "video" })).toEqual(
      expect.arrayContaining(["Sourdough for beginners: from starter to loaf"]),
    );
    expect(await titles({ q: "rugen etappe", type: "video" })).toHaveLength(3);
    expect(await titles({ q: "\u732B", type: "video" })).toHaveLength(19);
  });

  it("leaves out what - excludes and takes either side of |", async () => {
    const either = await titles({ q: "croissants|bagels", type: "video" });
    const less = await titles({ q: "croissants | bagels -grandmother", type: "video" });

    expect(either).toHaveLength(2);
    expect(less).toEqual(["Croissants at home, all three days of it"]);
  });

  it.each(["xylophone quartz", "\u{1F9A9}", "bread xylophone"])(
    "finds nothing for %s",
    async (q) => {
      expect(await titles({ q })).toEqual([]);
    },
  );

  it("reads past signs between words and puts whole words first", async () => {
    expect(await titles({ q: "rye & honey", type: "video" })).toEqual([
      "Rye &amp; honey: a loaf for winter",
    ]);
    expect((await titles({ q: "moon", type: "video" }))[0]).toContain("Moon");
    expect((await titles({ q: "coffee", type: "video" })).length).toBeGreaterThan(5);
  });

  it("finds videos, channels and playlists by default, each with its own id", async () => {
    const { items } = await search({ q: "orbit" });
    const ids = items.map(({ id }) => Object.keys(id).sort().join());

    expect(new Set(ids)).toEqual(new Set(["kind,videoId", "channelId,kind", "kind,playlistId"]));
  });

  it("escapes text for HTML, as the service does in this method alone", async () => {
    const query = { q: "bold players typed", type: "video" };
    const { items } = await search(query);
    const id = items.map(videoIdOf).join();
    const { body } = await call(server, "/videos", { part: "snippet", id });

    expect(items[0]?.snippet.title).toBe(
      "&amp;lt;b&amp;gt;Bold&amp;lt;/b&amp;gt; &amp;amp; other names players typed",
    );
    expect(body.items[0]?.snippet.title).toBe(
      "&lt;b&gt;Bold&lt;/b&gt; &amp; other names players typed",
    );
  });

  it.each([
    ["short", (seconds: number) => seconds < 240],
    ["medium", (seconds: number) => seconds >= 240 && seconds <= 1200],
    ["long", (seconds: number) => seconds > 1200],
  ])("keeps to videoDuration=%s", async (videoDuration, fits) => {
    const { items } = await search({ type: "video", videoDuration });
    const id = items.map(videoIdOf).join();
    const { body } = await call(server, "/videos", { part: "contentDetails", id });
    const lengths = body.items.map(({ contentDetails }) =>
      toSeconds(String(contentDetails.duration)),
    );

    expect(lengths.length).toBeGreaterThan(10);
    expect(lengths.filter((seconds) => !fits(seconds))).toEqual([]);
  });

  it.each([
    ["live", 3],
    ["upcoming", 2],
    ["completed", 2],
  ])("keeps to eventType=%s", async (eventType, count) => {
    expect(await titles({ type: "video", eventType })).toHaveLength(count);
  });

  it("hides unsafe videos by degrees", async () => {
    const count = async (safeSearch: string): Promise<number> =>
      (await titles({ type: "video", q: "explicit|horror|heat|protest", safeSearch })).length;

    expect([await count("none"), await count("moderate"), await count("strict")]).toEqual([
      5, 3, 1,
    ]);
  });

  it("hides what can't be watched in the region", async () => {
    const query = { q: "winter tape", type: "video" };

    expect(await titles({ ...query, regionCode: "DE" })).toEqual([]);
    expect(await titles({ ...query, regionCode: "FR" })).toHaveLength(2);
  });

  it("orders by date, title and views", async () => {
    const query = { type: "video", q: "devlog" };
    const byDate = (await search({ ...query, order: "date" })).items.map(({ snippet }) =>
      String(snippet.publishedAt),
    );
    const byTitle = await titles({ ...query, order: "title" });

    expect(byDate).toEqual([...byDate].sort().reverse());
    expect(byTitle).toEqual([...byTitle].sort((one, other) => one.localeCompare(other)));
  });

  it("keeps to a channel and to dates", async () => {
    const all = await search({ type: "video", channelId: server.ownChannelId, order: "date" });
    const edge = String(all.items[5]?.snippet.publishedAt);
    const newer = await search({
      type: "video",
      channelId: server.ownChannelId,
      publishedAfter: edge,
    });

    expect(new Set(all.items.map(({ snippet }) => snippet.channelId))).toEqual(
      new Set([server.ownChannelId]),
    );
    expect(all.items).toHaveLength(19);
    expect(newer.items).toHaveLength(6);
  });

  it("finds videos near a place", async () => {
    const query = { type: "video", location: "52.0,10.5", locationRadius: "100km" };

    expect(await titles(query)).toEqual(["Die schönste Hütte im Harz"]);
  });

  it("shows private videos to their owner alone", async () => {
    const query = { part: "snippet", type: "video", q: "sponsor draft" };
    const own = await call(server, "/search", { ...query, forMine: "true", token: ownerToken });

    expect(await titles({ type: "video", q: "sponsor draft" })).toEqual([]);
    expect(own.body.items).toHaveLength(1);
  });

  it("pages to the end without repeats, while totalResults only estimates", async () => {
    const first = await search({ q: "a|the", type: "video", maxResults: "20" });
    const seen = [...first.items];
    for (let token = first.nextPageToken; token !== undefined; ) {
      const page = await search({ q: "a|the", type: "video", maxResults: "20", pageToken: token });
      expect(page.prevPageToken).toBeDefined();
      seen.push(...page.items);
      token = page.nextPageToken;
    }

    expect(new Set(seen.map(({ id }) => JSON.stringify(id))).size).toBe(seen.length);
    expect(first.pageInfo?.totalResults).toBeGreaterThan(seen.length);
  });

  it("clips a page size that is too large", async () => {
    expect((await search({ maxResults: "100" })).items).toHaveLength(50);
  });
});

/** Only search returns ids that are objects. */
function videoIdOf({ id }: Listed["items"][number]): string {
  return (id as unknown as { videoId: string }).videoId;
}

function toSeconds(duration: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
