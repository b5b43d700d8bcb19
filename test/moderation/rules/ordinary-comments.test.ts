import { describe, expect, it } from "vitest";
import { createTextForms } from "../../../src/moderation/rules/text/text-forms.ts";
import { alike, found } from "./found.ts";
import { harmlessTexts, ordinaryComments, usualRuleWords } from "./ordinary-comments.ts";

const comments = Object.values(ordinaryComments).map((lines) => lines.split("\n"));

describe("ordinary comments", () => {
  it("are fifty in each of ten languages", () => {
    expect(comments.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 50));
    expect(harmlessTexts.length).toBeGreaterThanOrEqual(24);
  });

  it("match no usual rule with look-alikes, one by one and all together", () => {
    const texts = [...comments.flat(), ...comments.map((of) => of.join("\n")), ...harmlessTexts];
    const rule = alike(...usualRuleWords);

    const matched = texts.flatMap((text) => {
      const word = found(rule, text);
      return word === undefined ? [] : [[word, text]];
    });

    expect(matched).toEqual([]);
  });

  it("have no links", () => {
    const texts = [...comments.flat(), ...harmlessTexts];

    expect(texts.filter((text) => createTextForms(text).links().length > 0)).toEqual([]);
  });
});
