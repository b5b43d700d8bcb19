import { describe, expect, it } from "vitest";
import { isMutedAt, passesFilter } from "../../src/announcements/filter.ts";
import type { FeedFilter } from "../../src/announcements/record.ts";
import type { ReleasedVideo } from "../../src/announcements/release.ts";

const video: ReleasedVideo = {
  id: "abcdefghijk",
  kind: "upload",
  title: "Straße to Tokyo ＬＩＶＥ",
  channelTitle: "C",
  publishedAt: 0,
  seconds: 600,
  categoryId: "20",
};

describe("a filter", () => {
  it.each([
    ["nothing", undefined, {}, true],
    ["words in any case and width", { titleContains: ["nope", "live"] }, {}, true],
    ["other words", { titleContains: ["nope"] }, {}, false],
    ["a length that it has", { minSeconds: 600 }, {}, true],
    ["a greater length", { minSeconds: 601 }, {}, false],
    ["a length, of a stream", { minSeconds: 601 }, { kind: "live" }, true],
    ["a length, of a premiere", { minSeconds: 601 }, { kind: "premiere" }, false],
    ["a length, where none is known", { minSeconds: 601 }, { seconds: undefined }, true],
    ["its category", { categoryIds: ["10", "20"] }, {}, true],
    ["another category, of a stream", { categoryIds: ["10"] }, { kind: "live" }, false],
    ["no Shorts", { hasNoShorts: true }, {}, true],
    ["no Shorts, of a Short", { hasNoShorts: true }, { kind: "short" }, false],
    ["two things of which one fails", { titleContains: ["live"], minSeconds: 601 }, {}, false],
  ] as const)("that asks for %s", (_, filter, change, passes) => {
    const wanted: FeedFilter | undefined = filter;

    expect(passesFilter(wanted, { ...video, ...change })).toBe(passes);
  });
});

it("a feed is muted before that time, and never without one", () => {
  expect([1, 2].map((at) => isMutedAt({ mutedUntil: 2 }, at))).toEqual([true, false]);
  expect(isMutedAt({}, 1)).toBe(false);
});
