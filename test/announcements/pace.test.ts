import { describe, expect, it, onTestFinished } from "vitest";
import { createFeedRecords } from "../../src/announcements/feed-records.ts";
import type { Feed } from "../../src/announcements/index.ts";
import {
  createIntervals,
  dailyFactor,
  intervalFor,
  pushedInterval,
  slowdownFactor,
  usualGap,
} from "../../src/announcements/pace.ts";
import { openDatabase } from "../../src/database/index.ts";
import { day, hour, minute, plenty } from "./rig.ts";

const now = Date.UTC(2026, 10, 21);
const datesEvery = (gap: number, age = gap / 2) =>
  Array.from({ length: 20 }, (_, index) => now - age - index * gap);
const interval = (gap: number, age?: number) => {
  const dates = datesEvery(gap, age);
  const newestAt = Math.max(...dates);
  return intervalFor({ gapMs: usualGap(dates) ?? 0, newestAt }, false, now);
};

describe("intervalFor", () => {
  it.each([
    ["every hour", hour, 5 * minute],
    ["twice a day", 12 * hour, 7.2 * minute],
    ["every day", day, 14.4 * minute],
    ["every week", 7 * day, 20 * minute],
    ["every month", 30 * day, 20 * minute],
  ])("follows a channel that publishes %s", (_, gap, due) => {
    expect(interval(gap)).toBeCloseTo(due, -1);
  });

  it("is short just after something came out", () => {
    expect(interval(7 * day, 5 * minute)).toBe(5 * minute);
  });

  it("is long for a channel that stopped", () => {
    expect(interval(hour, 3 * day)).toBeGreaterThan(10 * minute);
    expect(interval(day, 90 * day)).toBe(hour);
  });

  it("is six hours while the hub reports what is new", () => {
    expect(intervalFor({ gapMs: hour, newestAt: now }, true, now)).toBe(6 * hour);
  });

  it.each([
    [1, 6],
    [25, 6],
    [50, 12],
    [200, 24],
  ])("is rarer for each of %i pushed feeds, every %i hours", (count, hours) => {
    expect(pushedInterval(count)).toBe(hours * hour);
  });

  it("knows nothing of a channel with two videos", () => {
    expect(usualGap([now, now - hour])).toBeUndefined();
    expect(intervalFor({ newestAt: now - day }, false, now)).toBe(5 * minute);
  });
});

describe("slowness", () => {
  it("is none while the units last", () => {
    expect(slowdownFactor(plenty(now), 1_000, now)).toBe(1);
  });

  it("stretches all alike so that half of what is open lasts until midnight", () => {
    const left = { ...plenty(now), left: 5_000, resetsAt: new Date(now + day) };

    // 5,000 less 2,000 for moderation and 1,000 that background work must leave.
    expect(slowdownFactor(left, 2_000, now)).toBeCloseTo(2);
  });

  it.each([
    [3_500, 1],
    [49_000, 14],
  ])("of a whole day lets %i polls cost no more than half of its open units", (wanted, factor) => {
    const late = { ...plenty(now), left: 9_999, resetsAt: new Date(now + hour) };

    // 10,000 minus 2,000 reserved for moderation and 1,000 that background work must leave.
    expect(dailyFactor(late, wanted)).toBeCloseTo(factor);
  });

  it.each([
    ["blocked", { blocked: true }],
    ["at what moderation keeps", { left: 2_000 }],
    ["at the last tenth", { left: 3_000 }],
  ])("is no pace at all when the day is %s", (_, change) => {
    expect(slowdownFactor({ ...plenty(now), ...change }, 10, now)).toBeUndefined();
  });
});

describe("createIntervals", () => {
  it("slows a project's feeds by what all of them take, and no other project's", async () => {
    const left = { ...plenty(now), left: 3_800, resetsAt: new Date(now + day) };
    const database = await openDatabase({ url: "sqlite::memory:", now: () => now });
    onTestFinished(() => database.close());
    const feeds = createFeedRecords(database);
    const [one, greedy, alone] = ["1".repeat(18), "2".repeat(18), "3".repeat(18)] as const;
    const restarted = () =>
      createIntervals({
        database,
        feeds,
        log: { debug: () => undefined } as never,
        left: async () => left,
        project: async (guildId) => (guildId === alone ? "own" : "shared"),
      });
    const intervalOf = restarted();
    for (let n = 0; n < 21; n += 1) {
      const ref = { guildId: [one, alone][n] ?? greedy, feedId: `${n}` };
      await feeds.changeFeed(ref, () => feedOf(`${n}`));
      const { project, looksADay } = await intervalOf(ref, {});
      await feeds.changeProgress(ref, () => ({ project, looksADay }));
    }

    const shared = await restarted()({ guildId: one, feedId: "0" }, {});
    const own = await restarted()({ guildId: alone, feedId: "1" }, {});

    // 20 feeds of 288 looks a day, and 400 units.
    expect(shared.intervalMs / minute).toBeCloseTo((5 * 20 * 288) / 400, 1);
    expect(own.intervalMs).toBe(5 * minute);
  });
});

function feedOf(id: string): Feed {
  const set = { id, source: `UC${id}`, title: "t", titleReadAt: now, uploads: `UU${id}` };
  return { ...set, places: {}, addedBy: "1", addedAt: now };
}
