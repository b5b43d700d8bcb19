import { describe, expect, it } from "vitest";
import { nextSummaryAt } from "../../../src/moderation/index.ts";

const at = (moment: string) => Date.parse(moment);

describe("nextSummaryAt", () => {
  it.each([
    // A Thursday.
    ["the next Monday", 1, "2026-11-26T10:00:00Z", undefined, "2026-11-30T09:00:00Z"],
    ["today, before nine", 4, "2026-11-26T08:59:59Z", undefined, "2026-11-26T09:00:00Z"],
    ["a week later at nine sharp", 4, "2026-11-26T09:00:00Z", undefined, "2026-12-03T09:00:00Z"],
    [
      "by the server's clock",
      1,
      "2026-11-26T10:00:00Z",
      "America/New_York",
      "2026-11-30T14:00:00Z",
    ],
    ["in a zone of quarters", 7, "2026-11-26T10:00:00Z", "Asia/Kathmandu", "2026-11-29T03:15:00Z"],
    // The clocks go forward in the night to Sunday, 29 March.
    [
      "over the change to summer time",
      1,
      "2026-03-28T10:00:00Z",
      "Europe/Berlin",
      "2026-03-30T07:00:00Z",
    ],
    [
      "over the change to winter time",
      7,
      "2026-10-19T10:00:00Z",
      "Europe/Berlin",
      "2026-10-25T08:00:00Z",
    ],
  ] as const)("is %s", (_, weekday, now, zone, wanted) => {
    const found = nextSummaryAt(weekday, at(now), zone);

    expect(new Date(found).toISOString()).toBe(new Date(wanted).toISOString());
  });
});
