import { describe, expect, it } from "vitest";
import { type Feed, type PlaceTrouble, releaseKinds } from "../../../src/announcements/index.ts";
import { join } from "../../../src/discord/index.ts";
import { describePlaces, feedLine } from "../../../src/features/announcements/list.ts";
import { words } from "../../support/words.ts";

const upload = {
  channelId: "1",
  isPublished: true,
  hasThread: true,
  tagIds: ["5"],
} as const;

describe("describePlaces", () => {
  it.each<[PlaceTrouble["what"], string, string]>([
    ["isPublished", "discord_publish_limit", "with a thread · 1 tag"],
    ["isPublished", "discord_not_publishable", "not an announcement channel any more"],
    [
      "hasThread",
      "discord_threads_forbidden",
      "published · without threads since <t:60:f>: I need",
    ],
    ["tagIds", "tags_left_out", "published · with a thread · tags missing since <t:60:f>: they"],
    ["hasThread", "discord_down", "without threads since <t:60:f>: Discord refused it"],
  ])("says what does not work in a place: %s, %s", (what, code, said) => {
    const troubles = [{ channelId: "1", what, code, since: 60_000 }];

    const { markup } = join(describePlaces({ places: { upload }, troubles }, words()));

    expect(markup).toContain(said);
  });

  it("says nothing about another channel, or a setting that was switched off", () => {
    const troubles = [
      { channelId: "2", what: "isPublished", code: "discord_down", since: 0 },
      { channelId: "1", what: "tagIds", code: "tags_left_out", since: 0 },
    ] as const;
    const places = { upload: { ...upload, tagIds: undefined } };

    const { markup } = join(describePlaces({ places, troubles }, words()));

    expect(markup).toBe("Uploads: <#1> · published · with a thread");
  });
});

describe("feedLine", () => {
  const feed = {
    id: "1",
    source: "UC1",
    title: "Nine lives",
    titleReadAt: 0,
    uploads: "UU1",
    addedAt: 0,
    addedBy: "9",
    places: { upload: { channelId: "1" }, live: { channelId: "1" }, short: { channelId: "2" } },
  } as const satisfies Feed;
  const said = (change: Partial<Feed>, progress = {}) =>
    join([feedLine({ feed: { ...feed, ...change }, progress }, words(), 1_000)]).markup;

  it.each<[string, Partial<Feed>, object, string]>([
    ["never announced", {}, {}, "Nothing announced yet"],
    ["announced", {}, { announcedAt: 60_000 }, "Last announced <t:60:R>"],
    ["failing", {}, { failures: 3, announcedAt: 1 }, "the last 3 checks failed"],
    ["paused", { paused: { by: "7", at: 60_000 } }, { failures: 3 }, "Paused by <@7> · <t:60:R>"],
    ["muted", { mutedUntil: 60_000 }, {}, "Muted until <t:60:f>"],
  ])("names each channel once, and what matters most: %s", (_, change, progress, state) => {
    expect(said(change, progress)).toBe(`**Nine lives** · <#1> <#2> · ${state}`);
  });

  it("is short enough for twenty in a message", () => {
    const places = Object.fromEntries(
      releaseKinds.map((kind, nth) => [kind, { channelId: `149956098785280000${nth}` }]),
    );
    const paused = { by: "1499560987852800001", at: 2_000_000_000_000 };

    expect(said({ title: "x".repeat(100), places, paused }).length).toBeLessThan(195);
  });
});
