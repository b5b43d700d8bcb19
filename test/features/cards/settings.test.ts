import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import {
  changedFields,
  describeChange,
  type Setting,
} from "../../../src/features/cards/settings.ts";
import { words } from "../../support/words.ts";

interface Thing {
  readonly title?: string;
  readonly tags?: string;
}

const settings: readonly Setting<Thing>[] = [
  ["video-details.title", ({ title }) => title],
  ["cards.tags", ({ tags }) => tags],
];

const shown = (before: Thing, after: Thing) =>
  changedFields(words(), settings, { before, after }).map(
    ({ name, value }) => `${name}: ${formatted(value)}`,
  );

describe("changedFields", () => {
  it.each<[string, Thing, Thing, readonly string[]]>([
    ["from what to what", { title: "Old" }, { title: "New" }, ["Title: Old → New"]],
    ["what is set for the first time", {}, { tags: "a" }, ["Tags: not set → a"]],
    ["what is cleared", { tags: "a" }, { tags: "" }, ["Tags: a → not set"]],
    ["nothing that stays", { title: "Same", tags: "a" }, { title: "Same", tags: "a" }, []],
  ])("says %s", (_, before, after, wanted) => {
    expect(shown(before, after)).toEqual(wanted);
  });
});

describe("describeChange", () => {
  it("shows where two long texts differ, both within one field", () => {
    const start = "word ".repeat(400);

    const { length, text } = sidesOf(`${start}old end`, `${start}new end`);

    expect(text).toMatch(/old end[\s\S]*→[\s\S]*new end/u);
    expect(length).toBeLessThan(1024);
  });

  it("stays within a field however much has to be escaped", () => {
    const { length } = sidesOf("*_`".repeat(900), "~|[".repeat(900));

    expect(length).toBeLessThan(1024);
  });

  it("leaves no formatting of hostile texts alive", () => {
    expect(sidesOf("**a**", "[b](https://example.com)").text).toBe(
      "\\*\\*a\\*\\* → \\[b\\]\\(https\\:\\/\\/example.com\\)",
    );
  });

  const sidesOf = (was: string, is: string) => {
    const text = formatted(describeChange(words(), was, is));
    return { text, length: text.length };
  };
});
