import { describe, expect, it } from "vitest";
import { checkCall } from "../../../src/video/check/check.ts";
import { methods } from "../../../src/video/index.ts";
import { refusal } from "./things.ts";

const media = { data: new Uint8Array(1), type: "video/mp4" };
const title = { title: "A title", categoryId: "22" };

/** An update of a video, whose body has fields of nearly every kind. */
function update(part: readonly string[], body: unknown) {
  return { part, body };
}

describe("a body", () => {
  it.each([
    ["videos.update", "body.id", update(["snippet"], { snippet: title })],
    ["videos.update", "body.snippet.title", update(["snippet"], { id: "v1" })],
    ["videos.update", "body.snippet.title", update(["snippet"], { id: "v1", snippet: {} })],
    [
      "videos.update",
      "body.snippet.title",
      update(["snippet"], { id: "v1", snippet: { ...title, title: "" } }),
    ],
    [
      "videos.update",
      "body.snippet.title",
      update(["snippet"], { id: "v1", snippet: { ...title, title: " \n" } }),
    ],
    [
      "videos.update",
      "body.snippet.categoryId",
      update(["snippet"], { id: "v1", snippet: { title: "x", categoryId: null } }),
    ],
    ["videos.insert", "body.snippet.title", { part: ["snippet"], media }],
    ["playlists.insert", "body.snippet.title", update(["status"], {})],
    [
      "playlistItems.insert",
      "body.snippet.resourceId",
      update(["snippet"], { snippet: { playlistId: "PL1" } }),
    ],
    [
      "comments.insert",
      "body.snippet.parentId",
      update(["snippet"], { snippet: { textOriginal: "x" } }),
    ],
    [
      "commentThreads.insert",
      "body.snippet.topLevelComment.snippet.textOriginal",
      update(["snippet"], { snippet: { channelId: "UC1", videoId: "v1", topLevelComment: {} } }),
    ],
    ["videos.reportAbuse", "body.reasonId", { body: { videoId: "v1" } }],
  ] as const)("of %s is refused without %s", (method, parameter, given) => {
    const error = refusal(method, given);

    expect(error.code).toBe("missing_parameter");
    expect(error.facts.parameter).toBe(parameter);
    expect(error.message).toBe(`${method}: \`${parameter}\` is missing.`);
  });

  it.each([
    ["snippet.title", 7, "text", "7"],
    ["snippet.title", "x".repeat(101), "at most 100 characters long", "101 long"],
    ["snippet.title", "a<b", "free of < and >", "text with <"],
    ["snippet.description", "ü".repeat(2_501), "at most 5000 bytes long", "5002 bytes long"],
    ["snippet.description", "-> here", "free of < and >", "text with >"],
    ["snippet.tags", "a,b", "a list of texts", '"a,b"'],
    ["snippet.tags", ["a", 1], "a list of texts", "a list of 2"],
    ["status.privacyStatus", "secret", "one of public, unlisted, private", '"secret"'],
    ["status.embeddable", "true", "true or false", '"true"'],
    ["status.publishAt", "soon", "a time like 2026-01-31T12:00:00Z", '"soon"'],
    ["localizations.de.title", 1, "text", "1"],
  ])("is refused when %s is %j", (place, value, allowed, was) => {
    const [part = "", field = "", below] = place.split(".");
    const inner = below === undefined ? { [field]: value } : { [field]: { [below]: value } };
    const whole = part === "snippet" ? { ...title, ...inner } : inner;
    const error = refusal("videos.update", update([part], { id: "v1", [part]: whole }));

    expect(error.code).toBe("invalid_parameter");
    expect(error.facts).toMatchObject({ parameter: `body.${place}`, allowed, was });
    expect(error.message).toContain(`\`body.${place}\` must be ${allowed}. It was ${was}.`);
  });

  it.each([
    ["videos.update", "body.snippet", update(["snippet"], { id: "v1", snippet: "x" })],
    [
      "videos.update",
      "body.localizations",
      update(["localizations"], { id: "v1", localizations: ["de"] }),
    ],
    [
      "videos.update",
      "body.localizations.de",
      update(["localizations"], { id: "v1", localizations: { de: "x" } }),
    ],
    [
      "channels.update",
      "body.invideoPromotion",
      update(["invideoPromotion"], { id: "UC1", invideoPromotion: true }),
    ],
  ] as const)("of %s is refused when %s is no object", (method, parameter, given) => {
    expect(refusal(method, given).facts).toMatchObject({ parameter, allowed: "an object" });
  });

  it.each([
    [{ videoId: "v1" }],
    [{ kind: "youtube#video" }],
    [{ kind: "youtube#video", videoId: "" }],
    ["v1"],
  ])("is refused when a resource id is %j", (resourceId) => {
    const body = { snippet: { playlistId: "PL1", resourceId } };

    expect(refusal("playlistItems.insert", update(["snippet"], body)).facts.parameter).toBe(
      "body.snippet.resourceId",
    );
  });

  it.each([["-1"], ["1.5"], [5_000], ["1e3"], [""]])(
    "is refused when a 64-bit number is %j",
    (offsetMs) => {
      const given = { channelId: "UC1", media, body: { timing: { offsetMs } } };

      expect(refusal("watermarks.set", given).facts.parameter).toBe("body.timing.offsetMs");
    },
  );

  it("is refused when it holds a part that would be dropped", () => {
    const body = { id: "v1", snippet: title, status: { privacyStatus: "private" } };
    const error = refusal("videos.update", update(["snippet"], body));

    expect(error.code).toBe("conflicting_parameters");
    expect(error.facts).toMatchObject({ parameter: "body.status", rule: "part" });
  });

  it("may set a time of publication only for a private video", () => {
    const publishAt = "2027-01-01T00:00:00Z";
    const setting = (status: object) => update(["status"], { id: "v1", status });

    expect(refusal("videos.update", setting({ publishAt, privacyStatus: "public" }))).toMatchObject(
      {
        facts: {
          parameter: "body.status.publishAt",
          was: '"public"',
          rule: "needs_value",
          other: "status.privacyStatus",
          value: "private",
        },
      },
    );
    expect(refusal("videos.update", setting({ publishAt }))).toMatchObject({
      code: "conflicting_parameters",
      facts: { was: "not given", allowed: "`body.status.privacyStatus` to be private" },
    });
  });

  it.each([
    [
      "videos.update",
      update(["status"], {
        id: "v1",
        status: { publishAt: new Date(0), privacyStatus: "private" },
      }),
    ],
    [
      "videos.update",
      update(["snippet"], { id: "v1", snippet: { ...title, title: "🦊".repeat(100) } }),
    ],
    [
      "videos.update",
      update(["snippet"], {
        id: "v1",
        snippet: { ...title, description: "x".repeat(5_000), tags: [] },
      }),
    ],
    // Read, merged and written back: fields that the method doesn't list are allowed.
    [
      "videos.update",
      update(["snippet"], {
        kind: "youtube#video",
        etag: "e",
        id: "v1",
        snippet: { ...title, thumbnails: {}, newField: 1, description: undefined },
        statistics: { viewCount: "1" },
        status: undefined,
      }),
    ],
    ["playlists.update", update(["status"], { id: "PL1", status: { privacyStatus: "unlisted" } })],
    [
      "playlistItems.update",
      update(["contentDetails"], { id: "i1", contentDetails: { note: "n" } }),
    ],
    [
      "channels.update",
      update(["invideoPromotion"], { id: "UC1", invideoPromotion: { items: [] } }),
    ],
    [
      "captions.insert",
      { ...update(["snippet"], { snippet: { videoId: "v1", language: "en", name: "" } }), media },
    ],
    [
      "watermarks.set",
      { channelId: "UC1", media, body: { timing: { offsetMs: "18446744073709551615" } } },
    ],
  ] as const)("of %s passes as %j", (method, given) => {
    expect(() => checkCall(method, methods[method], given)).not.toThrow();
  });

  it("never repeats a text that is too long", () => {
    const body = { id: "v1", snippet: { ...title, title: "confidential ".repeat(20) } };
    const { message, facts } = refusal("videos.update", update(["snippet"], body));

    expect(JSON.stringify([message, facts])).not.toContain("confidential");
  });

  it("is not led astray by names that every object has", () => {
    const given = update(
      ["localizations"],
      JSON.parse('{"id":"v1","localizations":{"__proto__":{"title":1}}}'),
    );

    expect(refusal("videos.update", given).facts.parameter).toBe(
      "body.localizations.__proto__.title",
    );
  });
});
