import { describe, expect, it } from "vitest";
import type { Announcement, Feed } from "../../../src/announcements/index.ts";
import { stepsLeft } from "../../../src/announcements/streams/wanted.ts";
import { hour, liveHere, minute, owner } from "../rig.ts";

const now = Date.UTC(2026, 10, 21, 12);
const feed: Feed = {
  id: "f".repeat(16),
  source: "UCx",
  title: "Harbour",
  titleReadAt: now,
  uploads: "UUx",
  places: { live: liveHere },
  streams: { messages: "one", hasEvents: true },
  addedBy: owner,
  addedAt: 0,
};

/** A stream that is live since then, with an event that ends then. */
function liveRow(startedAt: number, endsAt: number): Announcement {
  const video = { id: "v", kind: "live", title: "t", channelTitle: "c", publishedAt: startedAt };
  return {
    feedId: feed.id,
    videoId: "v",
    state: "followed",
    kind: "live",
    at: startedAt,
    stream: { stage: "live", startsAt: startedAt, startedAt, readAt: now, video },
    event: { state: "made", id: "1", since: startedAt, endsAt },
  } as Announcement;
}

describe("stepsLeft", () => {
  it.each([
    ["a stream of three hours", 3 * hour, 50 * minute, 50 * minute],
    ["a stream of three hours", 3 * hour, 40 * minute, 2 * hour],
    // It is read every six hours by then.
    ["a stream of three days", 72 * hour, 6 * hour, 14 * hour],
    ["a stream of three days", 72 * hour, 8 * hour, 8 * hour],
    ["a stream that is read rarely", 3 * hour, 2 * hour, 5 * hour, 3 * hour],
    ["a stream that is read rarely", 3 * hour, 4 * hour, 4 * hour, 3 * hour],
  ])("of %s moves the event's end before it is reached", (...[, ageMs, leftMs, endsIn, lookIn]) => {
    const lookAt = lookIn && now + lookIn;
    const row = { ...liveRow(now - ageMs, now + leftMs), lookAt };

    const [step] = stepsLeft(row, { feed, now, url: "https://www.youtube.com/watch?v=v" }).filter(
      (one) => one.do === "event",
    );

    expect(step).toMatchObject({ event: { state: "active", endsAt: now + endsIn } });
  });

  it.each([
    [14 * minute, {}],
    [15 * minute, { isOverdue: true }],
  ])(
    "say of a stream that should have begun %i ms ago whether it is overdue",
    (lateMs, expected) => {
      const row = liveRow(now - lateMs, now);
      const stream = {
        ...row.stream,
        stage: "scheduled",
        startedAt: undefined,
        readAt: now,
      } as const;
      const card = { state: "posted", handle: "h", since: 0, as: "scheduled" } as const;
      const changed = { ...row, card, stream, event: undefined } as Announcement;

      const [step] = stepsLeft(changed, { feed, now, url: "https://www.youtube.com/watch?v=v" });

      expect(step).toMatchObject({ do: "edit" });
      expect(step).toHaveProperty("notice", {
        what: "scheduled",
        startsAt: now - lateMs,
        ...expected,
      });
    },
  );
});
