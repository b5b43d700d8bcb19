import { describe, expect, it } from "vitest";
import { createQuota } from "../../../src/sandbox/video/quota.ts";
import { methods } from "../../../src/video/index.ts";

describe("createQuota", () => {
  it("refuses with quotaExceeded once the units are gone", () => {
    const quota = createQuota(Date.now);
    for (let i = 0; i < 10_000; i++) quota.spend(methods["videos.list"]);

    expect(() => quota.spend(methods["channels.list"])).toThrow(
      expect.objectContaining({
        status: 403,
        options: expect.objectContaining({ reason: "quotaExceeded", domain: "youtube.quota" }),
      }),
    );
    expect(quota.spent("searches")).toBe(0);
  });
});
