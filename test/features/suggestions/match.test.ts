import { describe, expect, it } from "vitest";
import type { SuggestedChoice } from "../../../src/discord/index.ts";
import type { SuggestCtx } from "../../../src/features/context/ctx.ts";
import {
  choiceFor,
  matchCandidates,
  suggestForLast,
} from "../../../src/features/suggestions/match.ts";
import { words } from "../../support/words.ts";

const titled = (...titles: string[]) =>
  titles.map((title, value) => ({ title, value: `${value}` }));
const found = (typed: string, ...titles: string[]) =>
  matchCandidates(typed, titled(...titles)).map(({ title }) => title);

describe("matching", () => {
  it("keeps everything in its order for nothing typed", () => {
    expect(found("  ", "b", "a")).toEqual(["b", "a"]);
  });

  it.each([
    ["cafe", "Café au lait"],
    ["STRASSE", "Strasse"],
    ["ｆｕｌｌ", "full width"],
    ["字幕", "日本語の字幕"],
    ["don't", "Don’t do it"],
    ["مرح", "مرحبا"],
    ["🎬", "🎬 Trailer"],
  ])("finds by %j", (typed, title) => {
    expect(found(typed, title, "something else")).toContain(title);
  });

  it("wants every word", () => {
    expect(found("two lights", "Two lamps", "Lights for two")).toEqual(["Lights for two"]);
  });

  it("puts the beginning of a title first, then of a word, then the rest", () => {
    expect(found("light", "Moonlight", "A light", "Lighting", "Dark")).toEqual([
      "Lighting",
      "A light",
      "Moonlight",
    ]);
  });

  it("finds by facts, by what is not shown and by the value, last", () => {
    const candidates = [
      { value: "x1", title: "a", facts: ["Private"] },
      { value: "x2", title: "b", also: ["Berlin"] },
    ];

    expect(matchCandidates("priv", candidates).map(({ title }) => title)).toEqual(["a"]);
    expect(matchCandidates("berl", candidates).map(({ title }) => title)).toEqual(["b"]);
    expect(matchCandidates("X2", candidates).map(({ title }) => title)).toEqual(["b"]);
  });
});

describe("choiceFor", () => {
  it("lets a long title give way to its facts, between graphemes", () => {
    const title = "👨‍👩‍👧‍👦".repeat(30);

    const { name } = choiceFor({
      value: "1",
      title,
      facts: ["Private", undefined, "Nov 21, 2026"],
    });

    expect(name.length).toBeLessThanOrEqual(100);
    expect(name).toMatch(/^(?:👨‍👩‍👧‍👦)+… · Private · Nov 21, 2026$/u);
  });

  it("has a name for what has none", () => {
    expect(choiceFor({ value: "id", title: " \n " })).toEqual({ name: "id", value: "id" });
  });
});

describe("suggestForLast", () => {
  const seen: string[] = [];
  const suggest = async (typed: string): Promise<readonly SuggestedChoice[]> => {
    seen.push(typed);
    return [
      { name: "Three", value: "ccc" },
      { name: "One", value: "aaa" },
    ];
  };
  // Only the words are used here.
  const ctx = { words: words() } as SuggestCtx;
  const isOne = (text: string) => (/^[a-c]{3}$/u.test(text) ? text : undefined);

  it.each([
    ["aaa, bbb, three lights", "three lights", "aaa bbb ccc"],
    ["aaa bbb three lights", "three lights", "aaa bbb ccc"],
    ["aaa;bbb|three", "three", "aaa bbb ccc"],
  ])("searches the last of %j and keeps the others", async (typed, last, value) => {
    const choices = await suggestForLast(suggest, isOne)(typed, ctx);

    expect(seen.at(-1)).toBe(last);
    expect(choices).toEqual([{ name: "2 + Three", value }]);
  });

  it("separates what it suggests as it is told", async () => {
    const [choice] = await suggestForLast(suggest, () => undefined, ", ")("a b, c", ctx);

    expect(choice?.value).toBe("a b, ccc");
  });

  it.each(["three lights", "aaa", ""])("hands %j on as it is", async (typed) => {
    const choices = await suggestForLast(suggest, isOne)(typed, ctx);

    expect(seen.at(-1)).toBe(typed);
    expect(choices).toHaveLength(2);
  });
});
