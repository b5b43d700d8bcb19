import { describe, expect, it } from "vitest";
import { readDate } from "../../../src/discord/declare/dates.ts";

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
    ["in 3 days", "2026-11-24T16:30:00Z"],
    ["monday 9am", "2026-11-23T08:00:00Z"],
    // The clocks change between now and then.
    ["2027-06-01 12:00", "2027-06-01T10:00:00Z"],
    ["1798221600", "2026-12-25T18:00:00Z"],
    ["2026-12-24T20:00+0530", "2026-12-24T14:30:00Z"],
    ["8pm ET", "2026-11-22T01:00:00Z"],
    ["8pm EST", "2026-11-22T01:00:00Z"],
    ["20:00 UTC-3", "2026-11-21T23:00:00Z"],
    ["tomorrow 20:00 Europe/London", "2026-11-22T20:00:00Z"],
    ["8pm London", "2026-11-21T20:00:00Z"],
    ["8pm (New York time)", "2026-11-22T01:00:00Z"],
  ])("reads %j", async (text, iso) => {
    expect(await readDate(text, ahead)).toEqual(at(iso));
  });

  it.each([
    ["de", "übermorgen um 18 Uhr", "2026-11-23T17:00:00Z"],
    ["fr", "24/12/2026 20h", "2026-12-24T19:00:00Z"],
    ["en-GB", "24/12/2026 20:00", "2026-12-24T19:00:00Z"],
    ["ja", "2026年12月24日20時", "2026-12-24T19:00:00Z"],
    ["de", "20 Uhr Londoner Zeit", "2026-11-21T20:00:00Z"],
    ["es-ES", "20:00 hora de México", "2026-11-22T02:00:00Z"],
    ["fr", "20h à New York", "2026-11-22T01:00:00Z"],
    ["ja", "日本時間20時", "2026-11-22T11:00:00Z"],
    // People who speak another language may write English too.
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

  // 12:00 in Paris on a Wednesday.
  const paris = { ...berlin, now: Date.UTC(2026, 5, 10, 10), timeZone: "Europe/Paris" };

  it.each([
    ["en-US", "8:00", "2026-06-11T06:00Z", "2026-06-10T06:00Z"],
    ["en-US", "friday 18:00", "2026-06-12T16:00Z", "2026-06-05T16:00Z"],
    ["de", "24. Dezember 20 Uhr", "2026-12-24T19:00Z", "2025-12-24T19:00Z"],
    ["en-US", "wednesday", "2026-06-17T10:00Z", "2026-06-02T22:00Z"],
    ["en-US", "tomorrow", "2026-06-11T10:00Z", "2026-06-10T22:00Z"],
    ["en-US", "in 3 days", "2026-06-13T10:00Z", "2026-06-13T10:00Z"],
    ["de", "29. Februar", "2028-02-29T11:00Z", "2024-02-28T23:00Z"],
    ["en-US", "the 31st", "2026-07-31T10:00Z", "2026-05-30T22:00Z"],
  ])("reads in %s %j ahead and behind", async (tag, text, next, last) => {
    const future = { ...paris, tag, must: "future" } as const;

    expect(await readDate(text, future)).toEqual(at(next));
    expect(await readDate(text, { ...paris, tag })).toEqual(at(last));
  });

  it.each([
    ["America/New_York", "en-US", "in 2 weeks at 6pm", "2026-10-24T16:00Z", "2026-11-07T23:00Z"],
    ["Europe/Berlin", "en-US", "in 2 days", "2026-10-24T10:00Z", "2026-10-26T11:00Z"],
    ["Europe/Berlin", "en-US", "in 48 hours", "2026-10-24T10:00Z", "2026-10-26T10:00Z"],
    // An hour that comes twice means the first of the two; one that is skipped is read as an hour later.
    ["Europe/Berlin", "de", "25.10. 2:30 Uhr", "2026-10-24T10:00Z", "2026-10-25T00:30Z"],
    ["Europe/Berlin", "de", "28.3. 2:30 Uhr", "2027-03-10T11:00Z", "2027-03-28T01:30Z"],
  ])(
    "keeps the hour in %s over a change of clocks, in %s: %j",
    async (timeZone, tag, text, from, iso) => {
      const reading = { ...ahead, timeZone, tag, now: Date.parse(from) };

      expect(await readDate(text, reading)).toEqual(at(iso));
    },
  );

  it.each([
    // In French the day comes first; English is not tried where French was understood.
    ["fr", "01/02", "2027-02-01T11:00Z"],
    ["fr", "tomorrow 18:00", "2026-06-11T16:00Z"],
    ["ja", "01/02", "2027-01-02T11:00Z"],
    ["ja", "Dec 24 8pm", "2026-12-24T19:00Z"],
  ])("reads English in %s, but not against its own order: %j", async (tag, text, iso) => {
    expect(await readDate(text, { ...paris, tag, must: "future" })).toEqual(at(iso));
  });

  it.each([
    ["de", "20.12"],
    ["en-US", "8pm PST"],
    ["en-US", "8pm IST"],
    // Christmas could be the island, and March the town.
    ["en-US", "8pm christmas"],
    ["en-US", "tomorrow 8 march"],
    ["en-US", "friday at midnight"],
    ["en-US", "quarter to 1"],
    ["fr", "31/06"],
    ["fr", "20h et"],
    ["en-US", "friday on"],
    ["en-US", "friday 12"],
    ["ja", "午後12時"],
  ])("refuses in %s what contradicts itself or has two meanings: %j", async (tag, text) => {
    const date = readDate(text, { ...paris, tag, must: "future" });

    await expect(date).rejects.toMatchObject({ code: "date_unreadable" });
  });

  it.each([
    ["en-US", "Friday 11 June", "Thursday, June 11, 2026"],
    ["en-US", "Friday, June 11, 6pm", "Thursday, June 11, 2026"],
    ["en-US", "Friday 11 June 23:30 London", "Thursday, June 11, 2026"],
    ["en-US", "tomorrow, Friday", "Thursday, June 11, 2026"],
    ["de", "Freitag, 11. Juni um 18 Uhr", "Donnerstag, 11. Juni 2026"],
    ["es-ES", "viernes 11 de junio", "jueves, 11 de junio de 2026"],
    ["fr", "vendredi 11 juin", "jeudi 11 juin 2026"],
    ["ja", "6月11日(金) 18:00", "2026年6月11日木曜日"],
  ])("names in %s the day whose weekday is another: %j", async (tag, text, day) => {
    const date = readDate(text, { ...paris, tag, must: "future" });

    await expect(date).rejects.toMatchObject({ code: "date_weekday", facts: { day } });
  });

  it.each(["en-US", "en-GB", "de", "es-ES", "fr", "ja"])(
    "reads in %s what Discord and calendars write",
    async (tag) => {
      const moment = new Date("2026-12-24T19:00Z");
      const styles = ["full", "long", "medium"] as const;
      const texts = styles.map((dateStyle) =>
        new Intl.DateTimeFormat(tag, {
          dateStyle,
          timeStyle: "short",
          timeZone: "Europe/Paris",
        }).format(moment),
      );

      const read = await Promise.all(texts.map((text) => readDate(text, { ...paris, tag })));

      expect(read).toEqual([moment, moment, moment]);
    },
  );

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
