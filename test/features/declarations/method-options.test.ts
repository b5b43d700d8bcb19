import { describe, expect, it } from "vitest";
import type { Option } from "../../../src/discord/index.ts";
import { option } from "../../../src/features/declarations/index.ts";
import { settablePlaces } from "../../../src/features/extra/method-fields.ts";
import { type Method, methods } from "../../../src/video/index.ts";

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
