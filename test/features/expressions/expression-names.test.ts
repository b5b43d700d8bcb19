import { describe, expect, it } from "vitest";
import {
  requireExpressionName,
  requireStickerDescription,
  suggestExpressionName,
} from "../../../src/features/expressions/expression-names.ts";
import { seed, seeded } from "../../support/random.ts";

describe("the name that is suggested for an emoji", () => {
  it.each([
    ["cat.jpg", "cat"],
    ["My cat (2).final.PNG", "My_cat_2_final"],
    ["Müller-Straße œuvre.png", "Muller_Strasse_oeuvre"],
    ["__init__.png", "init"],
    ["IMG_2034.HEIC", "IMG_2034"],
    [`${"ab ".repeat(20)}.png`, "ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab"],
    ["猫.png", undefined],
    ["x.png", undefined],
    ["🎉🎉🎉.png", undefined],
    ["", undefined],
  ])("is made of %j", (file, name) => {
    expect(suggestExpressionName(file, "emoji")).toBe(name);
  });
});

describe("the name that is suggested for a sticker", () => {
  it.each([
    ["cat_on_a-mat.jpg", "cat on a-mat"],
    ["猫の写真.png", "猫の写真"],
    ["<@123> **cat**.png", "123 cat"],
    [`${"long ".repeat(10)}.png`, "long long long long long long"],
    ["🎉.png", undefined],
  ])("is made of %j", (file, name) => {
    expect(suggestExpressionName(file, "sticker")).toBe(name);
  });
});

describe("every suggested name", () => {
  it(`can be used as it is (seed ${seed})`, () => {
    const random = seeded(seed);
    const letters = [
      "a",
      "Z",
      "9",
      "_",
      " ",
      "-",
      ".",
      "ß",
      "é",
      "猫",
      "𝒳",
      "👩‍👩‍👧",
      "\u202e",
      "ª",
      "İ",
    ];
    for (let turn = 0; turn < 2_000; turn += 1) {
      const pick = () => letters[Math.floor(random() * letters.length)] ?? "";
      const file = `${Array.from({ length: Math.floor(random() * 50) }, pick).join("")}.png`;
      for (const kind of ["emoji", "sticker"] as const) {
        const name = suggestExpressionName(file, kind);
        if (name !== undefined) expect(requireExpressionName(name, kind)).toBe(name);
      }
    }
  });
});

describe("a name that can't be used", () => {
  it.each([
    ["emoji", "a", "emoji_name"],
    ["emoji", "two words", "emoji_name"],
    ["emoji", "e\u0301e\u0301", "emoji_name"],
    ["emoji", "x".repeat(33), "emoji_name"],
    ["emoji", "", "emoji_name"],
    ["sticker", " x ", "sticker_name"],
    ["sticker", "x".repeat(31), "sticker_name"],
  ] as const)("of %s is refused: %j", (kind, name, code) => {
    expect(() => requireExpressionName(name, kind)).toThrow(expect.objectContaining({ code }));
  });

  it("comes with one that can", () => {
    const facts = { given: "two words", example: "two_words", min: 2, max: 32 };

    expect(() => requireExpressionName("two words", "emoji")).toThrow(
      expect.objectContaining({ facts }),
    );
  });
});

describe("a description", () => {
  it("is none, or 2 to 100 characters", () => {
    expect(requireStickerDescription("  ")).toBe("");
    expect(requireStickerDescription(" It sits. ")).toBe("It sits.");
    for (const wrong of ["x", "x".repeat(101)]) {
      expect(() => requireStickerDescription(wrong)).toThrow(
        expect.objectContaining({
          code: "sticker_description",
          facts: { length: wrong.length, min: 2, max: 100 },
        }),
      );
    }
  });
});
