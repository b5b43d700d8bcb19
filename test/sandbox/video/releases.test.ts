import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { VideoNews } from "../../../src/sandbox/types.ts";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { call, ownerToken, start } from "./support.ts";

let video: VideoServer;
let now = Date.UTC(2026, 10, 21);
let news: VideoNews[];
beforeAll(async () => {
  video = await start({ now: () => now, onNews: (novelty) => news.push(novelty) });
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
    readonly status: { readonly uploadStatus: string };
    readonly contentDetails: { readonly videoId?: string; readonly duration?: string };
  })[];
}

async function ask(path: string, query: Record<string, string>): Promise<Listed> {
  const url = `${video.url}/${path}?${new URLSearchParams({ ...query, key: video.key })}`;
  return (await (await fetch(url)).json()) as Listed;
}
const details = async (id: string) => {
  const part = "snippet,contentDetails,player,liveStreamingDetails,status,statistics,topicDetails";
  return (await ask("videos", { id, part, maxHeight: "720", maxWidth: "720" })).items[0];
};
/** What YouTube says of how far a broadcast is. */
const stage = async (id: string) => {
  const { snippet, status, contentDetails, liveStreamingDetails: live } = (await details(id)) ?? {};
  const at = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  const facts = {
    starts: at(live?.scheduledStartTime),
    ends: at(live?.scheduledEndTime),
    began: at(live?.actualStartTime),
    ended: at(live?.actualEndTime),
    viewers: live?.concurrentViewers,
    chat: live?.activeLiveChatId === undefined ? undefined : true,
  };
  const { liveBroadcastContent } = snippet ?? {};
  return [liveBroadcastContent, status?.uploadStatus, contentDetails?.duration, facts];
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

  it("plays the life of a stream, which has no length until its recording is there", async () => {
    const startsAt = now + 3_600_000;
    const about = { categoryId: "20", tags: ["harbour"], topics: ["Video_game_culture"] };
    const plan = { startsAt, endsAt: startsAt + 7_200_000 };
    const { id } = video.releases.publish({ title: "S", live: "upcoming", ...plan, ...about });
    const stages = [await stage(id)];
    video.releases.reschedule(id, startsAt + 60_000);
    now += 4_000_000;
    stages.push(await stage(id));
    video.releases.goLive(id, { isListedLate: true });
    stages.push(await stage(id));
    video.releases.goLive(id);
    now += 60_000;
    for (const viewers of [0, 3_410, undefined]) {
      video.releases.setViewers(id, viewers);
      stages.push(await stage(id));
    }
    video.releases.endLive(id, 0);
    now += 600_000;
    stages.push(await stage(id));
    video.releases.finishProcessing(id);
    stages.push(await stage(id));

    const planned = { starts: startsAt + 60_000, chat: true };
    const running = { ...planned, began: startsAt + 400_000 };
    const over = { ...running, ended: startsAt + 460_000, chat: undefined };
    expect(stages).toEqual([
      ["upcoming", "uploaded", "P0D", { ...planned, starts: startsAt, ends: plan.endsAt }],
      ["upcoming", "uploaded", "P0D", planned],
      ["upcoming", "uploaded", "P0D", { ...running, viewers: "12" }],
      ["live", "uploaded", "P0D", running],
      ["live", "uploaded", "P0D", { ...running, viewers: "3410" }],
      ["live", "uploaded", "P0D", running],
      ["none", "uploaded", "P0D", over],
      ["none", "processed", "PT1M", over],
    ]);
    expect(await details(id)).toMatchObject({
      snippet: { categoryId: "20", tags: ["harbour"] },
      topicDetails: { topicCategories: ["https://en.wikipedia.org/wiki/Video_game_culture"] },
      statistics: { viewCount: "3410" },
    });
  });

  it("begin and end a premiere by themselves, unless its creator was earlier", async () => {
    const startsAt = now + 3_600_000;
    const premiere = { title: "P", live: "upcoming", startsAt, seconds: 300 } as const;
    const { id } = video.releases.publish(premiere);
    const early = video.releases.publish(premiere);
    const stages = [await stage(id)];
    now += 60_000;
    video.releases.goLive(early.id);
    now = startsAt + 120_000;
    stages.push(await stage(id), await stage(early.id));
    now = startsAt + 86_400_000;
    stages.push(await stage(id));

    const times = { starts: startsAt, began: startsAt };
    expect(stages).toEqual([
      ["upcoming", "processed", "PT5M", { starts: startsAt, chat: true }],
      ["live", "processed", "PT5M", { ...times, viewers: "12", chat: true }],
      [
        "none",
        "processed",
        "PT5M",
        { ...times, began: startsAt - 3_540_000, ended: startsAt - 3_240_000 },
      ],
      ["none", "processed", "PT5M", { ...times, ended: startsAt + 300_000 }],
    ]);
  });

  it("are missing for a key while they are private, not for their owner", async () => {
    const { id } = video.releases.publish({ title: "x", live: "live" });
    video.releases.setPrivacy(id, "private");

    const own = await call(video, "/videos", { id, part: "status", token: ownerToken });
    expect(await details(id)).toBeUndefined();
    expect(own.body.items).toMatchObject([{ id, status: { privacyStatus: "private" } }]);
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
