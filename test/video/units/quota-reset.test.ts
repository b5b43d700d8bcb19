import { describe, expect, it } from "vitest";
import { quotaResetAfter } from "../../../src/video/index.ts";

describe("quotaResetAfter", () => {
  it.each([
    ["in winter", "2026-01-15T12:00:00Z", "2026-01-16T08:00:00Z"],
    ["in summer", "2026-07-15T12:00:00Z", "2026-07-16T07:00:00Z"],
    ["just before midnight", "2026-07-15T06:59:59Z", "2026-07-15T07:00:00Z"],
    ["at midnight", "2026-07-15T07:00:00Z", "2026-07-16T07:00:00Z"],
    ["over a month's end", "2026-01-31T20:00:00Z", "2026-02-01T08:00:00Z"],
    ["over a year's end", "2026-12-31T20:00:00Z", "2027-01-01T08:00:00Z"],
    ["before the clocks go forward", "2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z"],
    ["on the day the clocks go forward", "2026-03-08T08:30:00Z", "2026-03-09T07:00:00Z"],
    ["before the clocks go back", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z"],
    ["on the day the clocks go back", "2026-11-01T07:30:00Z", "2026-11-02T08:00:00Z"],
    ["on a leap day", "2028-02-28T20:00:00Z", "2028-02-29T08:00:00Z"],
  ])("is the next midnight in Los Angeles %s", (_when, now, reset) => {
    expect(quotaResetAfter(new Date(now)).toISOString()).toBe(new Date(reset).toISOString());
  });
});
