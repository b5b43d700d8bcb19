import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dateTokens, normalDateText } from "../../../src/discord/declare/date-tokens.ts";
import {
  type DateLanguage,
  dateWords,
  sharedDateWords,
} from "../../../src/discord/declare/date-words.ts";
import { timeZoneNamed } from "../../../src/language/index.ts";

const languages = Object.keys(dateWords) as DateLanguage[];

const room = join(import.meta.dirname, "../../../src/discord/declare");
const patterns = readdirSync(room)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(room, file), "utf8"))
  .join("\n");
/** The kinds of words that the patterns look for. */
const kinds = [...patterns.matchAll(/\bword\("(\w+)"/gu)].map(([, kind]) => kind);

describe.each(languages)("dateWords in %s", (language) => {
  const { words, parts } = dateWords[language];

  it("have hours for every part of the day", () => {
    const ofDays = Object.keys(words.dayPart ?? {}).map((name) => name.split(" ")[1]);
    const names = [...Object.keys(words.part ?? {}), ...Object.keys(words.partAfterDay ?? {})];

    expect(Object.keys(parts)).toEqual(expect.arrayContaining([...names, ...ofDays]));
  });

  it("mean what a pattern looks for, except that some say that a text is unclear", () => {
    const all = Object.keys({ ...words, ...sharedDateWords });

    expect(all.filter((kind) => !kinds.includes(kind) && kind !== "unclear")).toEqual([]);
  });

  it("name hours from the beginning of a day to its end", () => {
    const hours = Object.values(parts);

    expect(hours.every(({ length }) => length === 2 || length === 3)).toBe(true);
    expect(hours.flat().every((hour = 0) => hour >= 0 && hour < 24)).toBe(true);
  });

  it("are each found as one word", () => {
    const tables = Object.values(words).flatMap((table: string | Record<string, string>) =>
      typeof table === "string" ? [table] : Object.values(table),
    );
    const all = tables.flatMap((table) => table.split(", "));

    const broken = all.filter((word) => dateTokens(normalDateText(word), language).length !== 1);

    expect(broken).toEqual([]);
  });
});

describe("sharedDateWords", () => {
  it("mean the zones that the same words mean in settings", () => {
    const words = Object.entries(sharedDateWords.zone ?? {}).flatMap(([zone, names]) =>
      names.split(", ").map((name) => [name, zone.split(" ")[0]]),
    );

    const meant = words.map(([name = ""]) => [name, timeZoneNamed(name.toUpperCase())]);

    expect(meant).toEqual(words);
  });
});
