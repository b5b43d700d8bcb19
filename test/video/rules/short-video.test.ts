import { describe, expect, it } from "vitest";
import { isShortVideo } from "../../../src/video/index.ts";

const video = (duration: string | undefined, embedWidth?: string, embedHeight?: string) => ({
  contentDetails: { ...(duration !== undefined && { duration }) },
  player: {
    ...(embedWidth !== undefined && { embedWidth }),
    ...(embedHeight !== undefined && { embedHeight }),
  },
});

describe("isShortVideo", () => {
  it.each([
    ["upright and a minute long", video("PT59S", "405", "720"), true],
    ["square and three minutes long", video("PT3M", "720", "720"), true],
    ["upright and longer", video("PT3M1S", "405", "720"), false],
    ["wide", video("PT59S", "720", "405"), false],
    ["of an unknown shape", video("PT59S"), false],
    ["still being processed", video(undefined, "405", "720"), false],
    ["without a length", video("P0D", "405", "720"), false],
  ])("judges a video that is %s", (_, given, expected) => {
    expect(isShortVideo(given)).toBe(expected);
  });

  it("knows nothing of a video without the parts", () => {
    expect(isShortVideo({})).toBe(false);
  });
});
