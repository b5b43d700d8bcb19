import { describe, expect, it } from "vitest";
import { readDuration } from "../../../src/discord/declare/durations.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("readDuration", () => {
  it.each([
    ["90", 90_000],
    ["90s", 90_000],
    ["1:30", 90_000],
    ["1:00:05", hour + 5000],
    ["2 min", 2 * minute],
    ["1h 30m", 1.5 * hour],
    ["1.5", 1500],
    ["1,5", 1500],
    ["0", 0],
    ["500 ms", 500],
    ["1h30", 1.5 * hour],
    ["1 h 30", 1.5 * hour],
    ["2m30", 150_000],
    ["1 min 30", 90_000],
    ["1h,30m", 1.5 * hour],
    ["1½ h", 1.5 * hour],
    ["½ hour", hour / 2],
    ["5'", 5 * minute],
    ["30′", 30 * minute],
    ["30″", 30_000],
    ["5'30\"", 330_000],
    ["1 hour and 30 minutes", 1.5 * hour],
    ["1 hour, 30 minutes", 1.5 * hour],
    ["an hour", hour],
    ["half an hour", hour / 2],
    ["an hour and a half", 1.5 * hour],
    ["two and a half hours", 2.5 * hour],
    ["three quarters of an hour", 0.75 * hour],
    ["1 week", 7 * day],
    ["1d 2h", 26 * hour],
    ["99999999h", 99_999_999 * hour],
    ["2 Minuten 30 Sek.", 150_000],
    ["anderthalb Stunden", 1.5 * hour],
    ["eine Viertelstunde", hour / 4],
    ["eine halbe Stunde", hour / 2],
    ["1,5 Std.", 1.5 * hour],
    ["15 Minuten und 30 Sekunden", 930_000],
    ["zwei Tage", 2 * day],
    ["1 hora", hour],
    ["1 hora y 30 minutos", 1.5 * hour],
    ["hora y media", 1.5 * hour],
    ["media hora", hour / 2],
    ["un cuarto de hora", hour / 4],
    ["tres cuartos de hora", 0.75 * hour],
    ["1 heure", hour],
    ["5 mn", 5 * minute],
    ["une heure et demie", 1.5 * hour],
    ["une demi-heure", hour / 2],
    ["un quart d’heure", hour / 4],
    ["2 jours", 2 * day],
    ["1 h, 5 min", 65 * minute],
    ["30秒", 30_000],
    ["５分", 5 * minute],
    ["10分間", 10 * minute],
    ["1時間30分", 1.5 * hour],
    ["1時間半", 1.5 * hour],
    ["一時間半", 1.5 * hour],
    ["三日", 3 * day],
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
    "about 5 min",
    "1 month",
    "1 an",
    // This could be a thousand in English, or one and a half in German.
    "1,500",
    "1.500 s",
    // Units must go from the longest to the shortest.
    "30m 1h",
    "1h 1h",
    "1e3",
    "0x10",
    "5 min 3 apples",
    "9".repeat(99),
    "🎬",
    "x".repeat(5000),
  ])("refuses %j", async (text) => {
    await expect(readDuration(text, "for")).rejects.toMatchObject({
      code: "duration_unreadable",
      facts: { option: "for" },
    });
  });
});
