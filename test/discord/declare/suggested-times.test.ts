import { describe, expect, it } from "vitest";
import type { Suggest, SuggestionContext } from "../../../src/discord/declare/suggest.ts";
import {
  dates,
  durations,
  futureDates,
  pastDates,
} from "../../../src/discord/declare/suggested-times.ts";
import type { ServerSettings } from "../../../src/store/index.ts";
import { words } from "../../support/words.ts";

// A Saturday, 17:30 in Berlin.
const now = Date.UTC(2026, 10, 21, 16, 30, 20);

interface Asking {
  readonly tag?: string;
  readonly settings?: ServerSettings;
  readonly others?: Readonly<Record<string, string>>;
}

function ask(suggest: Suggest<SuggestionContext>, typed: string, asking: Asking = {}) {
  const { tag = "en-US", settings = { timeZone: "Europe/Berlin" }, others = {} } = asking;
  return suggest(typed, {
    words: words(tag),
    settings,
    others,
    now: () => now,
  } as SuggestionContext);
}

describe("dates", () => {
  it.each([
    ["en-US", "tomorrow 6pm", "2026-11-22T17:00:00.000Z", "Sun, Nov 22, 2026, 6:00 PM GMT+1"],
    ["de", "morgen 18 uhr", "2026-11-22T17:00:00.000Z", "So., 22. Nov. 2026, 18:00 MEZ"],
    ["fr", "demain à 18h", "2026-11-22T17:00:00.000Z", "dim. 22 nov. 2026, 18:00 UTC+1"],
    ["es-ES", "mañana a las 18:00", "2026-11-22T17:00:00.000Z", "dom, 22 nov 2026, 18:00 CET"],
    ["ja", "明日18時", "2026-11-23T09:00:00.000Z", "2026年11月23日(月) 18:00 JST"],
  ])("show in %s how %j is understood", async (tag, typed, value, name) => {
    const settings = { timeZone: tag === "ja" ? "Asia/Tokyo" : "Europe/Berlin" };

    const [choice, ...rest] = await ask(dates, typed, { tag, settings });

    expect(rest).toEqual([]);
    expect(choice?.value).toBe(value);
    expect(choice?.name.replaceAll(/[\u00a0\u202f]/gu, " ")).toBe(name);
  });

  it.each([
    [futureDates, "2026-12-24T19:00:00.000Z"],
    [pastDates, "2025-12-24T19:00:00.000Z"],
    [dates, "2025-12-24T19:00:00.000Z"],
  ])("are the moment that the command reads", async (suggest, value) => {
    const choices = await ask(suggest, "24. Dezember 20 Uhr", { tag: "de" });

    expect(choices.map((choice) => choice.value)).toEqual([value]);
  });

  it.each(["en-US", "de", "es-ES", "fr", "ja"])("are read in %s as they are shown", async (tag) => {
    const [choice] = await ask(futureDates, "2026-12-24 20:00", { tag });

    const [again] = await ask(futureDates, `${choice?.name}`, { tag });

    expect(again).toEqual(choice);
  });

  it("are empty for what is no date", async () => {
    expect(await ask(dates, "some day maybe")).toEqual([]);
  });

  it("offer moments to come where only those will do", async () => {
    const choices = await ask(futureDates, "", { tag: "de" });

    expect(choices.length).toBeGreaterThan(3);
    expect(choices.every(({ value }) => Date.parse(`${value}`) > now)).toBe(true);
    expect(choices[1]?.name).toMatch(/^heute · Sa\., 21\. Nov\. 2026, 18:00/u);
  });

  it("do not offer six in the evening when it is over", async () => {
    const settings = { timeZone: "Asia/Kolkata" };

    const choices = await ask(futureDates, "", { settings });

    expect(choices.map(({ name }) => name).join()).not.toContain("today");
  });

  it("offer moments that are over where only those will do", async () => {
    const choices = await ask(pastDates, "");

    expect(choices.length).toBeGreaterThan(3);
    expect(choices.every(({ value }) => Date.parse(`${value}`) < now)).toBe(true);
    expect(choices.map(({ value }) => value)).toContain("2026-11-19T23:00:00.000Z");
  });

  it("keep the hour when summer time begins before the day", async () => {
    const beforeSpring = Date.UTC(2027, 2, 27, 12);
    const ctx = {
      words: words(),
      settings: { timeZone: "Europe/Berlin" },
      now: () => beforeSpring,
    } as SuggestionContext;

    const choices = await futureDates("", ctx);

    expect(choices.map(({ value }) => value)).toContain("2027-03-28T16:00:00.000Z");
  });
});

describe("durations", () => {
  it.each([
    ["90", ["90s", "5400s"]],
    ["1:30", ["90s"]],
    ["2 min", ["120s"]],
    ["1.5s", ["1.5s"]],
    ["1 h 30", ["5400s"]],
    ["1125 ms", ["1125ms"]],
    ["1時間半", ["5400s"]],
    ["0", ["0s", "0s"]],
    ["soon", []],
    ["-5", []],
  ])("read %j", async (typed, values) => {
    expect((await ask(durations, typed)).map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ["en-US", "1 minute 30 seconds"],
    ["de", "1 Minute 30 Sekunden"],
    ["fr", "1 minute 30 secondes"],
    ["ja", "1分30秒"],
    ["pt-BR", "1 minute 30 seconds"],
  ])("are said in %s", async (tag, name) => {
    const [choice] = await ask(durations, "90s", { tag });

    expect(choice?.name.replaceAll("\u00a0", " ")).toBe(name);
  });

  it("offer a few lengths for nothing typed", async () => {
    expect((await ask(durations, "")).length).toBeGreaterThan(4);
  });
});
