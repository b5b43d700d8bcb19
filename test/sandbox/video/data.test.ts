import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { call, type Listed, ownerToken, start } from "./support.ts";

let server: VideoServer;

beforeAll(async () => {
  server = await start();
});

afterAll(() => server.close());

const get = (path: string, query: Record<string, string>): Promise<Listed> =>
  call(server, path, query).then(({ body }) => body);

/** All items, following the page tokens to the end. */
async function walk(path: string, query: Record<string, string>): Promise<Listed["items"]> {
  const items: Listed["items"][number][] = [];
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    const page: Listed = await get(path, pageToken === "" ? query : { ...query, pageToken });
    items.push(...page.items);
    pageToken = page.nextPageToken;
  }
  return items;
}

async function uploads(): Promise<string> {
  const { items } = await get("/channels", { part: "contentDetails", id: server.ownChannelId });
  const lists = items[0]?.contentDetails.relatedPlaylists as { uploads: string } | undefined;
  return lists?.uploads ?? "";
}

describe("a resource", () => {
  it("has exactly the parts asked for", async () => {
    const { items } = await get("/videos", { part: "statistics,status", chart: "mostPopular" });

    expect(Object.keys(items[0] ?? {}).sort()).toEqual([
      "etag",
      "id",
      "kind",
      "statistics",
      "status",
    ]);
  });

  it("has nothing but its id when part=id", async () => {
    const { items } = await get("/channels", { part: "id", forHandle: "@OrbitNotes" });

    expect(Object.keys(items[0] ?? {}).sort()).toEqual(["etag", "id", "kind"]);
  });

  it("is missing from the items when its id is unknown", async () => {
    const known = (await get("/videos", { part: "id", chart: "mostPopular" })).items[0]?.id ?? "";
    const { items, pageInfo } = await get("/videos", { part: "id", id: `nothing,${known}` });

    expect(items.map(({ id }) => id)).toEqual([known]);
    expect(pageInfo?.totalResults).toBe(1);
  });

  it("counts in strings and leaves hidden counts out", async () => {
    const all = await walk("/videos", {
      part: "statistics",
      chart: "mostPopular",
      maxResults: "50",
    });
    const counts = all.flatMap(({ statistics }) => Object.values(statistics));

    expect(counts.every((count) => typeof count === "string" && /^\d+$/.test(count))).toBe(true);
    expect(all.some(({ statistics }) => !("likeCount" in statistics))).toBe(true);
    expect(all.some(({ statistics }) => !("commentCount" in statistics))).toBe(true);
  });

  it("gives lengths in ISO 8601, and P0D for broadcasts that are still live", async () => {
    const all = await walk("/videos", {
      part: "contentDetails,snippet,liveStreamingDetails",
      chart: "mostPopular",
      maxResults: "50",
    });
    const durations = all.map(({ contentDetails }) => String(contentDetails.duration));
    const live = all.filter(({ snippet }) => snippet.liveBroadcastContent === "live");

    expect(durations.every((text) => /^(P0D|PT(\d+H)?(\d+M)?(\d+S)?)$/.test(text))).toBe(true);
    expect(durations).toContain("PT8H5S");
    expect(live).toHaveLength(3);
    expect(live[0]?.liveStreamingDetails).toMatchObject({ concurrentViewers: expect.any(String) });
  });
});

describe("playlists", () => {
  it("walks a long one by tokens to its last item", async () => {
    const { items: lists } = await get("/playlists", {
      part: "snippet,contentDetails",
      channelId: server.ownChannelId,
      maxResults: "50",
    });
    const long = lists.find(({ snippet }) => snippet.title.startsWith("Inspiration"));
    const items = await walk("/playlistItems", {
      part: "snippet,contentDetails,status",
      playlistId: long?.id ?? "",
      maxResults: "25",
    });

    expect(items).toHaveLength(Number(long?.contentDetails.itemCount));
    expect(items.length).toBeGreaterThan(50);
    expect(items.map(({ snippet }) => snippet.position)).toEqual(items.map((_, i) => i));
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(items.filter(({ snippet }) => snippet.title === "Deleted video")).toHaveLength(1);
  });

  it("keeps page tokens to the list they came from", async () => {
    const query = { part: "id", maxResults: "1" };
    const { nextPageToken = "" } = await get("/playlistItems", {
      ...query,
      playlistId: await uploads(),
    });
    const other = await call(server, "/playlists", {
      ...query,
      channelId: server.ownChannelId,
      pageToken: nextPageToken,
    });

    expect(other.status).toBe(400);
  });

  it("shows private and unlisted ones to their owner alone", async () => {
    const query = { part: "status", maxResults: "50" };
    const shown = await get("/playlists", { ...query, channelId: server.ownChannelId });
    const own = await get("/playlists", { ...query, mine: "true", token: ownerToken });
    const privacies = own.items.map(({ status }) => status.privacyStatus);

    expect(new Set(shown.items.map(({ status }) => status.privacyStatus))).toEqual(
      new Set(["public"]),
    );
    expect(new Set(privacies)).toEqual(new Set(["public", "unlisted", "private"]));
    const hidden = own.items.find(({ status }) => status.privacyStatus === "private")?.id ?? "";
    expect((await get("/playlists", { part: "id", id: hidden })).items).toEqual([]);
    const items = await call(server, "/playlistItems", { part: "id", playlistId: hidden });
    expect(items.status).toBe(403);
  });

  it("holds a channel's public uploads, newest first, and the private ones for its owner", async () => {
    const query = { part: "contentDetails", playlistId: await uploads(), maxResults: "50" };
    const shown = await get("/playlistItems", query);
    const own = await get("/playlistItems", { ...query, token: ownerToken });
    const times = shown.items.map(({ contentDetails }) => String(contentDetails.videoPublishedAt));

    expect(times).toEqual([...times].sort().reverse());
    expect(own.items.length - shown.items.length).toBe(2);
  });
});

describe("channels", () => {
  it.each([
    ["forHandle", "saltandsourdough"],
    ["forHandle", "@SaltAndSourdough"],
    ["forUsername", "SaltSourdough"],
  ])("are found by %s=%s", async (name, value) => {
    const { items } = await get("/channels", { part: "snippet", [name]: value });

    expect(items.map(({ snippet }) => snippet.title)).toEqual(["Salt & Sourdough"]);
  });
});

describe("regions and categories", () => {
  it("names regions in the language asked for", async () => {
    const { items } = await get("/i18nRegions", { part: "snippet", hl: "de_DE" });

    expect(items.find(({ id }) => id === "DE")?.snippet).toEqual({ gl: "DE", name: "Deutschland" });
    expect(items.length).toBeGreaterThan(100);
  });

  it.each([
    ["en_US", "Music", "French", "Germany"],
    ["de", "Musik", "Französisch", "Deutschland"],
    ["es-ES", "Música", "francés", "Alemania"],
    ["fr", "Musique", "français", "Allemagne"],
    ["ja", "音楽", "フランス語", "ドイツ"],
    ["pt-BR", "Music", "francês", "Alemanha"],
  ])("names categories, languages and regions in %s", async (hl, music, french, germany) => {
    const query = { part: "snippet", hl };
    const categories = await get("/videoCategories", { ...query, regionCode: "US" });
    const languages = await get("/i18nLanguages", query);
    const regions = await get("/i18nRegions", query);

    expect(categories.items.find(({ id }) => id === "10")?.snippet.title).toBe(music);
    expect(languages.items.find(({ id }) => id === "fr")?.snippet.name).toBe(french);
    expect(regions.items.find(({ id }) => id === "DE")?.snippet.name).toBe(germany);
  });

  it("says which categories a video can have", async () => {
    const { items } = await get("/videoCategories", { part: "snippet", regionCode: "US" });
    const assignable = items.filter(({ snippet }) => snippet.assignable === true);

    expect(assignable).toHaveLength(15);
  });
});

describe("pictures", () => {
  it("are served in the sizes that are declared", async () => {
    const { items } = await get("/search", {
      part: "snippet",
      type: "video",
      videoDefinition: "high",
    });
    const thumbnails = items[0]?.snippet.thumbnails as Record<
      string,
      { url: string; width: number; height: number }
    >;
    const sizes = await Promise.all(
      Object.values(thumbnails).map(async ({ url, width, height }) => {
        const { format, ...size } = await sharp(await (await fetch(url)).bytes()).metadata();
        return [format, size.width === width, size.height === height];
      }),
    );

    const names = ["default", "medium", "high", "standard", "maxres", "fhd", "qhd", "uhd"];
    expect(Object.keys(thumbnails)).toEqual(names.slice(0, sizes.length));
    expect(sizes.length).toBeGreaterThanOrEqual(5);
    expect(sizes).toEqual(Array(sizes.length).fill(["jpeg", true, true]));
  });

  it("of nothing are not found", async () => {
    const { origin } = new URL(server.url);

    expect((await fetch(`${origin}/vi/nothing/default.jpg`)).status).toBe(404);
  });
});

describe("the sample state", () => {
  it("has chapters that lie within their video, and none in short ones", async () => {
    const query = { part: "snippet,contentDetails", chart: "mostPopular", maxResults: "50" };
    const found = await walk("/videos", query);
    const lengths = found.map(({ snippet, contentDetails }) => {
      const [, hours = 0, minutes = 0, seconds = 0] =
        /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(String(contentDetails.duration)) ?? [];
      const chapters = [...String(snippet.description).matchAll(/^(\d+):(\d\d) /gm)];
      return {
        seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
        chapters: chapters.map(([, minute, second]) => Number(minute) * 60 + Number(second)),
      };
    });
    const long = lengths.filter(({ seconds }) => seconds >= 240);
    const short = lengths.filter(({ seconds }) => seconds < 240);

    expect(long.every(({ chapters }) => chapters.length === 4)).toBe(true);
    expect(long.filter(({ seconds, chapters }) => (chapters[3] ?? 0) >= seconds)).toEqual([]);
    expect(short.flatMap(({ chapters }) => chapters)).toEqual([]);
    expect([long.length, short.length].every((count) => count > 20)).toBe(true);
  });

  it("has channels that began each at its own time, and before all that they show", async () => {
    const began = [...server.channels.values()].map(({ publishedAt }) => publishedAt);
    const firsts = await Promise.all(
      [...server.channels.values()].map(async ({ id, publishedAt }) => {
        const lists = await walk("/playlists", { part: "snippet", channelId: id });
        const uploaded = { part: "contentDetails", playlistId: `UU${id.slice(2)}` };
        const videos = await walk("/playlistItems", { ...uploaded, maxResults: "50" });
        const times = [
          ...lists.map(({ snippet }) => snippet.publishedAt),
          ...videos.map(({ contentDetails }) => contentDetails.videoPublishedAt),
        ];
        return times.every((time) => Date.parse(String(time)) > publishedAt);
      }),
    );

    expect(new Set(began.map((time) => time % 86_400_000)).size).toBe(began.length);
    expect(firsts).not.toContain(false);
  });

  it("is the same from start to start", async () => {
    const now = (): number => Date.UTC(2026, 5, 1);
    const [one, other] = [await start({ now }), await start({ now })];
    const query = {
      part: "id,statistics,snippet",
      chart: "mostPopular",
      fields: "items(id,statistics,snippet/publishedAt)",
    };
    const answers = [await call(one, "/videos", query), await call(other, "/videos", query)];
    await Promise.all([one.close(), other.close()]);

    expect(answers[0]).toEqual(answers[1]);
  });
});
