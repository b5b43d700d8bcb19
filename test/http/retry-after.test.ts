import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../src/http/index.ts";

const now = Date.UTC(2026, 0, 1);

describe("retryAfterMs", () => {
  it.each([
    ["7", 7_000],
    [" 1.5 ", 1_500],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:09 GMT", 9_000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
  ])("reads %j", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([undefined, "", "soon", "-5", "soon 5", "12,5", "99:99:99"])(
    "takes %j for nothing said",
    (header) => {
      expect(retryAfterMs(header, now)).toBeUndefined();
    },
  );
});
