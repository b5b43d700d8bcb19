import { describe, expect, it } from "vitest";
import type { Option } from "../../../src/discord/index.ts";
import { coveredParams, option, subcommand } from "../../../src/features/declarations/index.ts";
import { settablePlaces } from "../../../src/features/extra/method-fields.ts";
import { type Method, methods } from "../../../src/video/index.ts";

describe("coveredParams", () => {
  it("puts values where their options say, and leaves out what is absent", () => {
    const options = {
      video: option.video({ covers: "id" }),
      title: option.field("videos.update", "snippet.title"),
      kids: option.field("videos.update", "status.selfDeclaredMadeForKids"),
      publish: option.date({ covers: "status.publishAt" }),
      link: option.text({}),
    };
    const values = { title: "Tea", kids: undefined, publish: new Date(0), link: "x" };

    expect(coveredParams("videos.update", options, values)).toEqual({
      query: {},
      body: { snippet: { title: "Tea" }, status: { publishAt: "1970-01-01T00:00:00.000Z" } },
    });
  });

  it("makes a list of one value where the method takes a list", () => {
    const options = {
      type: option.field("search.list", "type"),
      query: option.text({ covers: "q" }),
    };

    expect(coveredParams("search.list", options, { type: "video", query: "tea" })).toEqual({
      query: { type: ["video"], q: "tea" },
      body: {},
    });
  });

  it("is not declared for what the method does not have", () => {
    const options = { title: option.text({ covers: "snippet.nothing" }) };

    expect(() =>
      subcommand({ method: "videos.update", options, run: () => Promise.reject() }),
    ).toThrow("videos.update has no snippet.nothing");
  });
});

describe("option.field", () => {
  it("takes choices, bounds and length from the row", () => {
    expect(option.field("videos.update", "status.privacyStatus")).toMatchObject({
      type: "string",
      covers: "status.privacyStatus",
      choices: { group: "privacyStatus", values: expect.arrayContaining(["private", "public"]) },
    });
    expect(option.field("videos.update", "snippet.title", { required: true })).toMatchObject({
      max: 100,
      required: true,
    });
    expect(option.field("captions.insert", "snippet.isDraft").type).toBe("boolean");
  });

  it("refuses a text that is blank", () => {
    const title = option.field("videos.update", "snippet.title");

    expect(() => title.parse("   ", "it")).toThrow(
      expect.objectContaining({ code: "option_blank", facts: { option: "it" } }),
    );
  });

  it("reads moments as people write them", async () => {
    const { read } = option.field("search.list", "publishedAfter");
    const reading = { guildId: "1", now: Date.UTC(2026, 10, 21), tag: "en-US", timeZone: "UTC" };

    expect(await read?.("2026-11-01 12:00", "after", reading)).toEqual(
      new Date(Date.UTC(2026, 10, 1, 12)),
    );
  });

  it("knows no place that the row does not have", () => {
    // A typed declaration can't say this.
    expect(() => option.field("videos.update", "snippet.nothing" as "snippet.title")).toThrow(
      TypeError,
    );
  });

  it("asks for no text that Discord would not take, whatever the row", () => {
    const places = (Object.keys(methods) as Method[]).flatMap((method) =>
      [...settablePlaces(method).keys()].map((place) => [method, place] as const),
    );
    const options = places.map(([method, place]) => option.field(method, place as never) as Option);

    expect(options.filter(({ type, max = 0 }) => type === "string" && max > 6000)).toEqual([]);
    expect(options.filter(({ choices }) => (choices?.values.length ?? 0) > 25)).toEqual([]);
  });
});
