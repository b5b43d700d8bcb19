import { describe, expect, it } from "vitest";
import {
  pacificDayAt as dayAt,
  lastDays,
  quotaDayAt,
  quotaResetAfter,
} from "../../src/budget/calendar.ts";

const hours = (day: { startsAt: number; endsAt: number }) =>
  (day.endsAt - day.startsAt) / 3_600_000;

describe("a day in Los Angeles", () => {
  it.each([
    ["winter", "2026-01-15T07:59:59Z", "2026-01-14", 24],
    ["winter, a second later", "2026-01-15T08:00:00Z", "2026-01-15", 24],
    ["summer", "2026-07-15T06:59:59Z", "2026-07-14", 24],
    ["the day the clocks go forward", "2026-03-08T12:00:00Z", "2026-03-08", 23],
    ["the day after", "2026-03-09T12:00:00Z", "2026-03-09", 24],
    ["the day the clocks go back", "2026-11-01T12:00:00Z", "2026-11-01", 25],
    ["the day after that", "2026-11-02T12:00:00Z", "2026-11-02", 24],
    ["the last one of a year", "2027-01-01T03:00:00Z", "2026-12-31", 24],
  ])("has its name, its start and its end in %s", (_, time, name, length) => {
    const now = Date.parse(time);

    const day = dayAt(now);

    expect(day.name).toBe(name);
    expect(hours(day)).toBe(length);
    expect(day.startsAt).toBeLessThanOrEqual(now);
    expect(day.endsAt).toBeGreaterThan(now);
    expect(dayAt(day.startsAt).name).toBe(name);
    expect(dayAt(day.startsAt - 1).name < name).toBe(true);
    expect(dayAt(day.endsAt).name > name).toBe(true);
  });

  it("is followed by the one before, across both changes of the clocks", () => {
    const year = lastDays(Date.parse("2026-12-31T20:00:00Z"), 365).map(({ name }) => name);

    expect(new Set(year).size).toBe(365);
    expect(year[0]).toBe("2026-12-31");
    expect(year.at(-1)).toBe("2026-01-01");
  });

  it("begins anew at midnight, and goes back when the clock does", () => {
    let now = Date.parse("2026-01-15T07:59:59Z");

    const names = [0, 1000, -1000].map((step) => {
      now += step;
      return quotaDayAt(now).name;
    });

    expect(names).toEqual(["2026-01-14", "2026-01-15", "2026-01-14"]);
  });
});

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
