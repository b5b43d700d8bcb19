import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { VideoNews } from "../../../src/sandbox/types.ts";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";

let video: VideoServer;
let now = Date.UTC(2026, 10, 21);
let news: VideoNews[];
beforeAll(async () => {
  video = await startVideo({ now: () => now, onNews: (novelty) => news.push(novelty) });
});
beforeEach(() => {
  news = [];
  now += 60_000;
});
afterAll(() => video.close());

interface Listed {
  readonly items: readonly (Record<string, never> & {
    readonly snippet: { readonly liveBroadcastContent: string; readonly publishedAt: string };
    readonly player: { readonly embedHeight?: string; readonly embedWidth?: string };
    readonly liveStreamingDetails?: Readonly<Record<string, string>>;
    readonly contentDetails: { readonly videoId?: string; readonly duration?: string };
  })[];
}

async function ask(path: string, query: Record<string, string>): Promise<Listed> {
  const url = `${video.url}/${path}?${new URLSearchParams({ ...query, key: video.key })}`;
  return (await (await fetch(url)).json()) as Listed;
}
const details = async (id: string) => {
  const part = "snippet,contentDetails,player,liveStreamingDetails";
  return (await ask("videos", { id, part, maxHeight: "720", maxWidth: "720" })).items[0];
};
const newest = async () => {
  const playlistId = `UU${video.ownChannelId.slice(2)}`;
  const { items } = await ask("playlistItems", { playlistId, part: "contentDetails" });
  return items[0]?.contentDetails.videoId;
};

describe("releases", () => {
  it("come first in the list of uploads, and are announced", async () => {
    const { id } = video.releases.publish({ title: "New" });

    expect(await newest()).toBe(id);
    expect(news).toMatchObject([{ videoId: id, title: "New", channelId: video.ownChannelId }]);
  });

  it.each([
    ["wide", "720", "405"],
    ["square", "720", "720"],
    ["tall", "405", "720"],
    [undefined, undefined, undefined],
  ] as const)("have the shape that is said: %s", async (shape, width, height) => {
    const { id } = video.releases.publish({ title: "x", shape });

    const player = (await details(id))?.player;
    expect([player?.embedWidth, player?.embedHeight]).toEqual([width, height]);
  });

  it("go live at another time than planned, and end", async () => {
    const startsAt = now + 3_600_000;
    const { id } = video.releases.publish({ title: "L", live: "upcoming", startsAt });
    const before = await details(id);
    now += 7_200_000;
    video.releases.goLive(id);
    const during = await details(id);
    video.releases.endLive(id, 90);
    const after = await details(id);

    expect(before?.snippet.liveBroadcastContent).toBe("upcoming");
    expect(before?.liveStreamingDetails).not.toHaveProperty("actualStartTime");
    expect(during?.snippet.liveBroadcastContent).toBe("live");
    expect(Date.parse(during?.liveStreamingDetails?.actualStartTime ?? "")).toBe(now);
    expect(after).toMatchObject({
      snippet: { liveBroadcastContent: "none" },
      contentDetails: { duration: "PT1M30S" },
    });
    expect(after?.liveStreamingDetails).toHaveProperty("actualEndTime");
  });

  it("are dated when everybody may see them, and announced then", async () => {
    const publishAt = now + 60_000;
    const { id } = video.releases.publish({ title: "P", privacy: "private", publishAt });
    const hidden = [await newest(), news.length];
    now += 120_000;

    expect(hidden).not.toContain(id);
    expect(await newest()).toBe(id);
    expect(Date.parse((await details(id))?.snippet.publishedAt ?? "")).toBe(publishAt);
    expect(news.map(({ videoId }) => videoId)).toEqual([id]);
  });

  it("are announced as deleted when they are hidden or withdrawn", () => {
    const { id } = video.releases.publish({ title: "x" });
    video.releases.setPrivacy(id, "private");
    video.releases.setPrivacy(id, "public");
    video.releases.withdraw(id);

    expect(news.map(({ isDeleted = false }) => isDeleted)).toEqual([false, true, false, true]);
  });

  it("end with their channel, which may come back", async () => {
    const { id } = video.releases.publish({ title: "x" });
    const reopen = video.releases.closeChannel(video.ownChannelId);
    const closed = await details(id);
    reopen();

    expect(closed).toBeUndefined();
    expect(await newest()).toBe(id);
  });
});
