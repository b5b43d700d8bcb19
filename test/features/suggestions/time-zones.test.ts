import { describe, expect, it } from "vitest";
import type { SuggestCtx } from "../../../src/features/context/ctx.ts";
import { timeZones } from "../../../src/features/suggestions/index.ts";
import type { ServerSettings } from "../../../src/store/index.ts";
import { words } from "../../support/words.ts";

// A Saturday, 17:30 in Berlin.
const now = Date.UTC(2026, 10, 21, 16, 30, 20);

interface Asking {
  readonly tag?: string;
  readonly settings?: ServerSettings;
  readonly others?: Readonly<Record<string, string>>;
}

function ask(suggest: typeof timeZones, typed: string, asking: Asking = {}) {
  const { tag = "en-US", settings = { timeZone: "Europe/Berlin" }, others = {} } = asking;
  return suggest(typed, { words: words(tag), settings, others, now: () => now } as SuggestCtx);
}

describe("timeZones", () => {
  it("begin with the chosen one and those of the country in the other option", async () => {
    const choices = await ask(timeZones, "", { others: { region: "JP" } });

    expect(choices.slice(0, 2).map(({ value }) => value)).toEqual(["Europe/Berlin", "Asia/Tokyo"]);
    expect(choices[0]?.name.replaceAll("\u202f", " ")).toBe("Europe/Berlin · 5:30 PM");
  });

  it("are found by city", async () => {
    expect((await ask(timeZones, "new york")).map(({ value }) => value)).toContain(
      "America/New_York",
    );
  });

  it.each([
    ["Kolk", "Asia/Kolkata"],
    ["Calcu", "Asia/Kolkata"],
    ["Mün", "Europe/Berlin"],
    ["Nueva Y", "America/New_York"],
    ["ニューヨ", "America/New_York"],
    ["Kyiv", "Europe/Kyiv"],
    ["pacific ti", "America/Los_Angeles"],
    ["USA", "America/New_York"],
    ["USA", "Pacific/Honolulu"],
    ["Brasil", "America/Sao_Paulo"],
    ["valencia", "Europe/Madrid"],
    ["UTC+2", "+02:00"],
    ["Japón", "Asia/Tokyo"],
    ["asia/kol", "Asia/Kolkata"],
    ["US/Eas", "America/New_York"],
  ])("are found by other names: %s", async (typed, zone) => {
    expect((await ask(timeZones, typed)).map(({ value }) => value)).toContain(zone);
  });

  it("show the zone that the whole text means first", async () => {
    const [first] = await ask(timeZones, "UTC+5:30");

    expect(first?.name.replaceAll("\u202f", " ")).toBe("UTC+05:30 · 10:00 PM");
    expect((await ask(timeZones, "CET"))[0]?.value).toBe("Europe/Berlin");
    expect((await ask(timeZones, "Mün"))[0]?.value).toBe("Europe/Berlin");
    expect((await ask(timeZones, "par"))[0]?.value).toBe("Europe/Paris");
  });

  it("begin where the person's language is at home, when nothing is chosen", async () => {
    const [first] = await ask(timeZones, "", { tag: "ja", settings: {} });

    expect(first?.value).toBe("Asia/Tokyo");
  });
});
