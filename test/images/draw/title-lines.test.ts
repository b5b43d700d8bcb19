import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLettering } from "../../../src/images/draw/lettering.ts";
import { breakTitle, lineHeight } from "../../../src/images/draw/title-lines.ts";
import { seed } from "../../support/random.ts";

const { advance } = await openLettering("display", []);
const box = { width: 600, height: 620, largest: 180, readable: 64 };
const linesOf = (text: string) => breakTitle(text, box, advance).lines;

describe("breakTitle", () => {
  it.each([
    ["Hi", ["Hi"]],
    ["Space is hard", ["Space", "is", "hard"]],
    ["How I built a house in ten days", ["How", "I built a", "house in", "ten days"]],
    ["I a b c d e f g", ["I a b c", "d e f g"]],
  ])("breaks %j between words", (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it("breaks Japanese between its words, and never before what leans on them", () => {
    const lines = linesOf("東京で一番おいしいラーメンを食べてみた結果「最高」");

    expect(lines.join("")).toBe("東京で一番おいしいラーメンを食べてみた結果「最高」");
    for (const line of lines.slice(1)) expect(line).not.toMatch(/^[」をでー]/u);
  });

  it("breaks a long stretch of Japanese between words rather than through one", () => {
    const text = "宇宙飛行士になるための10の方法";
    const { lines, size } = breakTitle(text, { ...box, width: 460 }, advance);

    expect(lines).toEqual(["宇宙", "飛行士に", "なるための", "10の方法"]);
    expect(size).toBeGreaterThanOrEqual(box.readable);
  });

  it("breaks a word that would become too small to read, with a hyphen", () => {
    const { lines, size } = breakTitle("Donaudampfschifffahrtsgesellschaft", box, advance);

    expect(size).toBeGreaterThan(64);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.slice(0, -1).every((line) => line.endsWith("-"))).toBe(true);
    expect(lines.map((line) => line.replace(/-$/u, "")).join("")).toBe(
      "Donaudampfschifffahrtsgesellschaft",
    );
  });

  it("leaves a word whole that can be read", () => {
    expect(linesOf("Thumbnails")).toEqual(["Thumbnails"]);
  });

  it("fits whatever is typed into the box, in four lines at most, and loses no letter", () => {
    const texts = fc
      .array(fc.stringMatching(/^[a-zA-Zäöüßé0-9!?-]{1,24}$/u), { minLength: 1, maxLength: 8 })
      .map((words) => words.join(" ").slice(0, 100).trim());
    fc.assert(
      fc.property(texts, (text) => {
        const { lines, size } = breakTitle(text, box, advance);
        const widest = Math.max(...lines.map(advance)) * size;

        expect(lines.length).toBeLessThanOrEqual(4);
        expect(widest).toBeLessThanOrEqual(box.width + 1e-6);
        expect(lines.length * lineHeight * size).toBeLessThanOrEqual(box.height + 1e-6);
        const letters = (from: string) => from.replace(/[\s-]/gu, "");
        expect(letters(lines.join(""))).toBe(letters(text));
      }),
      { seed, numRuns: 60 },
    );
  });
});
