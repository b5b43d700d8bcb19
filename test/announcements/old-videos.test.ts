import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAnnouncementRecords } from "../../src/announcements/announcement-records.ts";
import { decide } from "../../src/announcements/decide.ts";
import type { Announcement, Feed } from "../../src/announcements/index.ts";
import type { SeenRelease } from "../../src/announcements/release.ts";
import { announcedIn, day, guildId, openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

describe("what is known of videos", () => {
  it("goes after sixty days, but for what is listed, awaited or due", async () => {
    const { id: feedId } = await rig.followStranger();
    const listed = (await rig.rows()).announcements.map(({ videoId }) => videoId);
    const records = createAnnouncementRecords(rig.database);
    const at = rig.clock.now() - 61 * day;
    const lookAt = rig.clock.now() + 30 * day;
    const old: readonly Partial<Announcement>[] = [
      { videoId: "known", state: "known", publishedAt: at },
      { videoId: "done-lately", state: "done", publishedAt: rig.clock.now() - 50 * day },
      { videoId: "hidden", state: "awaited" },
      { videoId: "awaited", state: "awaited", lookAt },
      { videoId: listed[0] ?? "", state: "known" },
    ];
    for (const one of old) {
      const ref = { guildId, feedId };
      await records.change(ref, one.videoId ?? "", () => ({ feedId, at, ...one }) as Announcement);
    }

    await rig.clock.pass(2 * day);

    const left = (await rig.rows()).announcements.map(({ videoId }) => videoId);
    expect(left.toSorted()).toEqual([...listed, "done-lately", "awaited"].toSorted());
    expect(announcedIn(rig)).toEqual([]);
  });

  it.each([
    [61 * day, "known"],
    [59 * day, "due"],
  ])("is not missed for what came out long ago: %i ms", (age, state) => {
    const now = rig.clock.now();
    const feed = {
      id: "f",
      source: "UC",
      addedAt: now - 100 * day,
      places: { upload: { channelId: "1" } },
    };
    const video = { id: "v", kind: "upload", publishedAt: now - age };
    const seen = { state: "out", source: "UC", video } as unknown as SeenRelease;

    const judged = decide(undefined, seen, {
      feed: feed as unknown as Feed,
      now,
      handle: "h",
      videoId: "v",
      offsetMs: 0,
    });

    expect(judged.state).toBe(state);
  });
});
