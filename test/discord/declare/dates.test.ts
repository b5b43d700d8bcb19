import { describe, expect, it } from "vitest";
import { readDate } from "../../../src/discord/declare/dates.ts";
import { readDuration } from "../../../src/discord/declare/durations.ts";

// A Saturday, 17:30 in Berlin and 01:30 on Sunday in Tokyo.
const now = Date.UTC(2026, 10, 21, 16, 30);
const berlin = { option: "at", now, tag: "en-US", timeZone: "Europe/Berlin" };
const ahead = { ...berlin, must: "future" } as const;
const at = (iso: string) => new Date(iso);

describe("readDate", () => {
  it.each([
    ["2026-12-24 20:00", "2026-12-24T19:00:00Z"],
    ["2026-12-24T20:00:00Z", "2026-12-24T20:00:00Z"],
    ["2026-12-24T20:00:00+09:00", "2026-12-24T11:00:00Z"],
    ["tomorrow 18:00", "2026-11-22T17:00:00Z"],
    ["tomorrow at 6pm", "2026-11-22T17:00:00Z"],
    ["in 3 days", "2026-11-24T16:30:00Z"],
    ["in 2 hours", "2026-11-21T18:30:00Z"],
    ["monday 9am", "2026-11-23T08:00:00Z"],
    ["12/24/2026 8pm", "2026-12-24T19:00:00Z"],
    ["Dec 24 at 20:00", "2026-12-24T19:00:00Z"],
    // The clocks go forward between now and then.
    ["2027-06-01 12:00", "2027-06-01T10:00:00Z"],
  ])("reads %j", async (text, iso) => {
    expect(await readDate(text, ahead)).toEqual(at(iso));
  });

  it.each([
    ["de", "24.12.2026 20:00", "2026-12-24T19:00:00Z"],
    ["de", "übermorgen um 18 Uhr", "2026-11-23T17:00:00Z"],
    ["de", "in 3 Tagen", "2026-11-24T16:30:00Z"],
    ["es-ES", "mañana a las 18:00", "2026-11-22T17:00:00Z"],
    ["fr", "24/12/2026 20h", "2026-12-24T19:00:00Z"],
    ["fr", "demain à 18h", "2026-11-22T17:00:00Z"],
    ["en-GB", "24/12/2026 20:00", "2026-12-24T19:00:00Z"],
    ["ja", "2026年12月24日20時", "2026-12-24T19:00:00Z"],
    // Whoever speaks another language may write English too.
    ["ja", "tomorrow 18:00", "2026-11-22T17:00:00Z"],
    ["ko", "tomorrow 18:00", "2026-11-22T17:00:00Z"],
  ])("reads in %s: %j", async (tag, text, iso) => {
    expect(await readDate(text, { ...ahead, tag })).toEqual(at(iso));
  });

  it("takes the day of the guild, not of the machine", async () => {
    const tokyo = { ...ahead, timeZone: "Asia/Tokyo" };

    expect(await readDate("tomorrow 09:00", tokyo)).toEqual(at("2026-11-23T00:00:00Z"));
  });

  it.each([
    "",
    "soon",
    "🎬",
    "the day that my grandmother was born in 1942 they say",
    "2026-13-45T99:99:99Z",
    "غدا",
    "x".repeat(5000),
  ])("refuses %j", async (text) => {
    await expect(readDate(text, berlin)).rejects.toMatchObject({
      code: "date_unreadable",
      facts: { option: "at" },
    });
  });

  it("distinguishes a moment that is over from one that is still to come", async () => {
    const past = readDate("2020-01-01 12:00", { ...berlin, must: "future" });
    const future = readDate("2030-01-01 12:00", { ...berlin, must: "past" });

    await expect(past).rejects.toMatchObject({
      code: "date_past",
      facts: { moment: Date.UTC(2020, 0, 1, 11), timeZone: "Europe/Berlin" },
    });
    await expect(future).rejects.toMatchObject({
      code: "date_future",
      facts: { moment: Date.UTC(2030, 0, 1, 11), timeZone: "Europe/Berlin" },
    });
  });
});

describe("readDuration", () => {
  it.each([
    ["90", 90_000],
    ["90s", 90_000],
    ["1:30", 90_000],
    ["1:00:05", 3_605_000],
    ["2 min", 120_000],
    ["1h 30m", 5_400_000],
    ["1.5", 1500],
    ["1,5", 1500],
    ["0", 0],
    ["2 Minuten 30 Sek.", 150_000],
    ["1 hora", 3_600_000],
    ["1 heure", 3_600_000],
    ["1 h, 5 min", 3_900_000],
    ["30秒", 30_000],
    ["1時間30分", 5_400_000],
  ])("reads %j as %i ms", async (text, ms) => {
    expect(await readDuration(text, "for")).toBe(ms);
  });

  it.each([
    "",
    "long",
    "-5",
    "1:99",
    "1:99:99:99",
    "5 apples",
    "1 min or so",
    "🎬",
    "x".repeat(5000),
  ])("refuses %j", async (text) => {
    await expect(readDuration(text, "for")).rejects.toMatchObject({
      code: "duration_unreadable",
      facts: { option: "for" },
    });
  });
});
