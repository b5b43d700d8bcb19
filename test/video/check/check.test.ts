import { describe, expect, it } from "vitest";
import { checkCall } from "../../../src/video/check/check.ts";
import { methods } from "../../../src/video/index.ts";
import { refusal, refusalBy, things } from "./things.ts";

const good = { part: ["id"], id: "a", body: {} };

function passing(method: keyof typeof methods, given: Readonly<Record<string, unknown>>) {
  return () => checkCall(method, methods[method], given);
}

describe("check", () => {
  it.each([
    ["part", "missing_parameter", { ...good, part: undefined }],
    ["part", "missing_parameter", { ...good, part: [] }],
    ["id", "missing_parameter", { ...good, id: "" }],
    ["body", "missing_parameter", { ...good, body: undefined }],
    ["body", "invalid_parameter", { ...good, body: [] }],
    ["body", "invalid_parameter", { ...good, body: "{}" }],
    ["maxResult", "unknown_parameter", { ...good, maxResult: 5 }],
    ["toString", "unknown_parameter", { ...good, toString: "x" }],
    ["media", "unknown_parameter", { ...good, media: {} }],
    ["part", "invalid_parameter", { ...good, part: ["id", "nope"] }],
    ["count", "invalid_parameter", { ...good, count: 0 }],
    ["count", "invalid_parameter", { ...good, count: 51 }],
    ["count", "invalid_parameter", { ...good, count: 1.5 }],
    ["count", "invalid_parameter", { ...good, count: "5" }],
    ["any", "invalid_parameter", { ...good, any: Number.NaN }],
    ["any", "invalid_parameter", { ...good, any: 2 ** 60 }],
    ["at", "invalid_parameter", { ...good, at: "yesterday" }],
    ["at", "invalid_parameter", { ...good, at: "2026-01-01" }],
    ["at", "invalid_parameter", { ...good, at: new Date(Number.NaN) }],
    ["flag", "invalid_parameter", { ...good, flag: "true" }],
    ["many", "invalid_parameter", { ...good, many: ["a", 1] }],
    ["many", "invalid_parameter", { ...good, many: ["a", ""] }],
    ["many", "invalid_parameter", { ...good, many: ["a", "b", "c"] }],
    ["quotaUser", "invalid_parameter", { ...good, quotaUser: "x".repeat(41) }],
    ["fields", "invalid_parameter", { ...good, fields: ["id"] }],
    ["one, other", "conflicting_parameters", { ...good, one: true, other: true }],
  ])("refuses %s as %s", (parameter, code, given) => {
    const error = refusalBy("things.set", things, given);

    expect(error.code).toBe(code);
    expect(error.facts.parameter).toBe(parameter);
    expect(error.outcome).toBe("nothing");
  });

  it.each([
    good,
    { ...good, count: 1, any: -7, flag: false, at: new Date(0), many: ["a"] },
    { ...good, at: "2026-01-01T10:00:00.5-08:00", one: true, other: false },
    { ...good, count: undefined, nobody: undefined, many: [] },
    { ...good, fields: "items(id)", quotaUser: "🦊".repeat(40) },
  ])("lets %j pass", (given) => {
    expect(() => checkCall("things.set", things, given)).not.toThrow();
  });

  it.each([
    ["order", "newest", "one of date, rating, relevance, title, videoCount, viewCount", '"newest"'],
    [
      "order",
      "searchSortUnspecified",
      "one of date, rating, relevance, title, videoCount, viewCount",
      '"searchSortUnspecified"',
    ],
    ["maxResults", 51, "a whole number from 0 to 50", "51"],
    ["publishedAfter", "today", "a time like 2026-01-31T12:00:00Z", '"today"'],
    ["q", 7, "text", "7"],
    ["q", { a: 1 }, "text", "an object"],
    ["forMine", "yes", "true or false", '"yes"'],
    ["q", "x".repeat(50).split(""), "text", "a list of 50"],
  ])("says what %s must be and that it was %j", (name, value, allowed, was) => {
    const error = refusal("search.list", { part: ["snippet"], [name]: value });

    expect(error.facts).toMatchObject({ method: "search.list", parameter: name, allowed, was });
    expect(error.message).toBe(`search.list: \`${name}\` must be ${allowed}. It was ${was}.`);
  });

  it("shortens what it was", () => {
    const { facts } = refusal("search.list", { part: ["snippet"], order: "x".repeat(1_000) });

    expect(facts.was).toBe(`"${"x".repeat(40)}…"`);
  });

  it("does not repeat the value of something it does not know: it may be a credential", () => {
    const error = refusal("search.list", { part: ["snippet"], access_token: "ya29.secret" });

    expect(error).toMatchObject({
      code: "unknown_parameter",
      facts: { parameter: "access_token" },
    });
    expect(JSON.stringify([error.message, error.facts])).not.toContain("ya29");
  });
});

describe("what a parameter needs beside it", () => {
  const snippet = { part: ["snippet"] };
  const moderation = { id: ["c1"], moderationStatus: "published" };

  it.each([
    "videoDimension",
    "videoDefinition",
    "videoLicense",
    "videoDuration",
    "videoCaption",
    "videoEmbeddable",
    "videoSyndicated",
    "videoType",
    "videoPaidProductPlacement",
  ])("search.list takes %s with type video alone", (name) => {
    const given = { ...snippet, [name]: "any" };

    expect(refusal("search.list", given).facts).toMatchObject({
      parameter: name,
      was: "not given",
      rule: "needs_value",
      other: "type",
      value: "video",
    });
    expect(refusal("search.list", { ...given, type: ["video", "channel"] }).code).toBe(
      "conflicting_parameters",
    );
    expect(passing("search.list", { ...given, type: ["video"] })).not.toThrow();
  });

  it.each([
    ["search.list", "videoCategoryId", { ...snippet, videoCategoryId: "1" }],
    ["search.list", "eventType", { ...snippet, eventType: "live" }],
    ["search.list", "forMine", { ...snippet, forMine: true, type: ["channel"] }],
    ["search.list", "forDeveloper", { ...snippet, forDeveloper: true }],
    ["search.list", "forContentOwner", { ...snippet, forContentOwner: true }],
    ["search.list", "location", { ...snippet, location: "52.5,13.4", type: ["video"] }],
    ["search.list", "locationRadius", { ...snippet, locationRadius: "1km", type: ["video"] }],
    ["videos.list", "regionCode", { ...snippet, id: ["a"], regionCode: "DE" }],
    ["videos.list", "videoCategoryId", { ...snippet, id: ["a"], videoCategoryId: "1" }],
    ["comments.setModerationStatus", "banAuthor", { ...moderation, banAuthor: true }],
    [
      "playlists.list",
      "onBehalfOfContentOwnerChannel",
      { ...snippet, mine: true, onBehalfOfContentOwnerChannel: "UC1" },
    ],
  ] as const)("%s refuses %s without it", (method, parameter, given) => {
    const error = refusal(method, given);

    expect(error.code).toBe("conflicting_parameters");
    expect(error.facts.parameter).toBe(parameter);
    expect(error.facts.rule).toMatch(/^needs/);
  });

  it.each([
    ["search.list", { ...snippet, forMine: false }],
    ["search.list", { ...snippet, location: "52.5,13.4", locationRadius: "1km", type: ["video"] }],
    ["videos.list", { ...snippet, chart: "mostPopular", regionCode: "DE", maxResults: 3 }],
    ["comments.setModerationStatus", { ...moderation, banAuthor: false }],
    [
      "comments.setModerationStatus",
      { ...moderation, moderationStatus: "rejected", banAuthor: true },
    ],
  ] as const)("%s lets %j pass", (method, given) => {
    expect(passing(method, given)).not.toThrow();
  });
});

describe("what a parameter can't stand beside it", () => {
  const byId = { part: ["snippet"], id: ["a"] };

  it.each([
    ["videos.list", "maxResults", 5],
    ["videos.list", "pageToken", "CAUQAA"],
    ["comments.list", "maxResults", 5],
    ["comments.list", "pageToken", "CAUQAA"],
    ["commentThreads.list", "maxResults", 5],
    ["commentThreads.list", "pageToken", "CAUQAA"],
    ["commentThreads.list", "moderationStatus", "published"],
    ["commentThreads.list", "searchTerms", "hello"],
    ["commentThreads.list", "order", "time"],
  ] as const)("%s refuses %s with ids", (method, parameter, value) => {
    const error = refusal(method, { ...byId, [parameter]: value });

    expect(error.code).toBe("conflicting_parameters");
    expect(error.facts).toMatchObject({ parameter, rule: "apart", other: "id" });
  });
});

describe("filters", () => {
  const part = ["snippet"];

  it.each([
    ["channels.list", { part }, "none of them"],
    ["channels.list", { part, mine: false }, "none of them"],
    ["channels.list", { part, mine: true, forHandle: "@a" }, "`mine`, `forHandle`"],
    ["comments.list", { part, id: ["a"], parentId: "b" }, "`id`, `parentId`"],
    ["videoCategories.list", { part }, "none of them"],
    ["subscriptions.list", { part, mine: true, channelId: "UC1" }, "`channelId`, `mine`"],
  ] as const)("%s needs exactly one, not %j", (method, given, was) => {
    const error = refusal(method, given);

    expect(error.code).toBe("conflicting_parameters");
    expect(error.facts).toMatchObject({ allowed: "exactly one", was });
  });

  it("search.list takes at most one of its three", () => {
    const given = { part, type: ["video"], forMine: true, forDeveloper: true };

    expect(refusal("search.list", given).facts).toMatchObject({
      was: "`forDeveloper`, `forMine`",
      rule: "at_most_one",
      choices: "forContentOwner, forDeveloper, forMine",
    });
  });
});

describe("media", () => {
  const picture = { data: new Uint8Array(1), type: "image/png" };
  const captions = { part: ["snippet"], body: { id: "t1", snippet: { isDraft: true } } };

  it.each([
    ["missing_parameter", undefined],
    ["invalid_parameter", "picture"],
    ["invalid_parameter", { type: "image/png" }],
    ["invalid_parameter", { data: "picture", type: "image/png" }],
    ["invalid_parameter", { data: new Uint8Array(1) }],
  ])("is refused as %s when it is %j", (code, media) => {
    const error = refusal("thumbnails.set", { videoId: "v1", media });

    expect([error.code, error.facts.parameter]).toEqual([code, "media"]);
  });

  it("may be left out where the row says so", () => {
    expect(passing("captions.update", captions)).not.toThrow();
    expect(passing("captions.update", { ...captions, media: picture })).not.toThrow();
  });

  it("is enough where the body may be left out", () => {
    expect(passing("watermarks.set", { channelId: "UC1", media: picture })).not.toThrow();
    expect(passing("videos.insert", { part: ["id"], media: picture })).not.toThrow();
  });
});
