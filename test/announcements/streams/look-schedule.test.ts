import { describe, expect, it } from "vitest";
import { decide } from "../../../src/announcements/decide.ts";
import type { Feed, FollowedStream } from "../../../src/announcements/index.ts";
import type { SeenRelease } from "../../../src/announcements/release.ts";
import { lookOffset, nextLookAt } from "../../../src/announcements/streams/look-schedule.ts";
import { unitsOfUsualStream } from "../../../src/announcements/streams/price.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Some midnight, to which all times are relative. */
const start = 20_000 * day;

type Looked = Partial<FollowedStream>;

/** How long after `now` it is read next; `offsetMs` is 0, so the grid begins at midnight. */
function wait(stream: Looked, nowMs: number, reminderMs?: number): number | undefined {
  const now = start + nowMs;
  const next = nextLookAt({ stage: "scheduled", ...stream }, { now, offsetMs: 0, reminderMs });
  return next === undefined ? undefined : next - now;
}

describe("nextLookAt", () => {
  const planned = { stage: "scheduled", startsAt: start } as const;

  it.each([
    ["30 days ahead", -30 * day + hour, 23 * hour],
    ["14 days and 2 hours ahead: once it is announced", -14 * day - 2 * hour, 2 * hour],
    ["5 days ahead", -5 * day + hour, 11 * hour],
    ["25 hours ahead", -25 * hour, hour],
    ["20 hours ahead", -20 * hour + minute, 2 * hour - minute],
    ["70 minutes ahead", -70 * minute, 10 * minute],
    ["50 minutes ahead", -50 * minute + second, 10 * minute - second],
    ["4 minutes ahead", -4 * minute, 4 * minute],
    ["a second ahead", -second, second],
    ["at the start", 0, 30 * second],
    ["half a minute late", 30 * second, minute],
    ["10 minutes late", 10 * minute, 30 * second],
    ["20 minutes late", 20 * minute, 30 * second + minute],
    ["3 hours late", 3 * hour, 30 * minute],
    ["2 days late", 2 * day, 6 * hour],
    ["8 days late", 8 * day, day],
    ["31 days late", 31 * day, undefined],
  ])("before and after the planned start: %s", (_, nowMs, expected) => {
    expect(wait(planned, nowMs)).toBe(expected);
  });

  it("reads it when people are reminded, so that nobody is called for what was put off", () => {
    expect(wait(planned, -50 * minute, 45 * minute)).toBe(5 * minute);
    expect(wait(planned, -44 * minute, 45 * minute)).toBe(4 * minute);
  });

  it.each<[string, Looked, number, number | undefined]>([
    ["live for an hour", { stage: "live", startedAt: start }, hour + minute, 9 * minute],
    ["live for 20 hours", { stage: "live", startedAt: start }, 20 * hour, 30 * minute],
    ["live for 3 days", { stage: "live", startedAt: start }, 3 * day, hour],
    ["live for a month", { stage: "live", startedAt: start }, 30 * day, 3 * hour],
    ["just over", { stage: "over", endedAt: start }, minute, 9 * minute],
    ["over for 5 hours", { stage: "over", endedAt: start }, 5 * hour, hour],
    ["over for 2 days", { stage: "over", endedAt: start }, 2 * day, undefined],
    ["recorded", { stage: "recorded", recordedAt: start }, minute, day - minute],
    ["recorded yesterday", { stage: "recorded", recordedAt: start }, day, undefined],
    [
      "missing for the first time",
      { startsAt: start + day, lost: { since: start, why: "gone" } },
      0,
      2 * minute,
    ],
    [
      "gone for 3 hours",
      { startsAt: start + day, lost: { since: start, why: "gone", isSure: true } },
      3 * hour,
      hour,
    ],
    [
      "gone for 15 days",
      { lost: { since: start, why: "gone", isSure: true } },
      15 * day,
      undefined,
    ],
    [
      "a deleted recording",
      { stage: "recorded", recordedAt: start, lost: { since: start, why: "gone", isSure: true } },
      hour,
      undefined,
    ],
  ])("later: %s", (_, stream, nowMs, expected) => {
    expect(wait(stream, nowMs)).toBe(expected);
  });

  it("puts a server's looks on the same times, and spreads the servers", () => {
    const [one, other] = [lookOffset("1"), lookOffset("2")];
    const live = (startedAt: number) =>
      nextLookAt({ stage: "live", startedAt }, { now: start + hour, offsetMs: one });

    expect(live(start)).toBe(live(start + 7 * minute));
    expect(one).not.toBe(other);
  });
});

it.each([
  ["the reminder", -70 * minute, 10 * minute],
  ["the start", -40 * minute, 40 * minute + 30 * second],
])("a stream is read at %s even while units are short", (_, nowMs, expected) => {
  const video = { id: "v", kind: "live", title: "", channelTitle: "", publishedAt: 0 } as const;
  const seen = { source: "UC", state: "upcoming", startsAt: start, video } as const;
  const places = { live: { channelId: "1" } };
  const streams = { messages: "live", reminderMs: hour };
  const feed = { source: "UC", places, streams, addedAt: 0 } as unknown as Feed;
  const now = start + nowMs;
  const options = { feed, now, handle: "", videoId: "v", offsetMs: 0, slowdown: 100 };
  expect((decide(undefined, seen, options).lookAt ?? 0) - now).toBe(expected);
});

describe("decide", () => {
  /** A stream that is only announced as an upload, once it is over. */
  function wait(change: Partial<SeenRelease>, nowMs: number) {
    const video = {
      id: "v",
      kind: "live",
      title: "",
      channelTitle: "",
      publishedAt: start,
    } as const;
    const seen = { source: "UC", state: "upcoming", startsAt: start, video, ...change } as const;
    const now = start + nowMs;
    const places = { upload: { channelId: "1" } };
    const feed = { source: "UC", places, addedAt: start } as unknown as Feed;
    const { state, lookAt } = decide(undefined, seen, {
      feed,
      now,
      handle: "",
      videoId: "v",
      offsetMs: 0,
    });
    return lookAt === undefined ? state : lookAt - now;
  }

  it.each([
    ["is to come", {}, -5 * day + hour, 11 * hour],
    ["is late", {}, 3 * hour, 30 * minute],
    ["never began", {}, 31 * day, "skipped"],
    ["is live", { state: "out", startedAt: start }, hour, 10 * minute],
    ["is live for days", { state: "out", startedAt: start }, 3 * day, hour],
  ] as const)(
    "reads by the same schedule what is announced later, and %s",
    (_, seen, nowMs, expected) => {
      expect(wait(seen, nowMs)).toBe(expected);
    },
  );
});

describe("unitsOfUsualStream", () => {
  it("counts the looks of the schedule", () => {
    // The first, 11 until an hour before the start, 6 in that hour, 1 at the start, 12 while live, 2 until the recording, and
    // 1 a day later.
    expect(unitsOfUsualStream()).toBe(34);
    expect(unitsOfUsualStream(45 * minute)).toBe(35);
  });
});
