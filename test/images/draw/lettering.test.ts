import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openLettering } from "../../../src/images/draw/lettering.ts";

const lettering = await openLettering();

describe("writable", () => {
  it.each([
    ["Hello", "Hello", []],
    ["Größer, ça va? ¡Sí!", "Größer, ça va? ¡Sí!", []],
    ["Привет Ελλάδα Việt", "Привет Ελλάδα Việt", []],
    ["東京のカメラ", "東京のカメラ", []],
    ["cafe\u0301", "café", []],
    ["  two \n\t lines  ", "two lines", []],
    ["", "", []],
    ["left\u202eright\u0000 \u200bend", "leftright end", []],
    ["a 😀 b 😀", "a b", ["😀"]],
    ["👨‍👩‍👧 and ✌🏽", "and", ["👨‍👩‍👧", "✌🏽"]],
    ["שלום", "", ["ש", "ל", "ו", "ם"]],
    ["half \ud800 pair", "half pair", []],
  ])("keeps of %j what the font has", (given, text, missing) => {
    expect(lettering.writable(given)).toEqual({ text, missing });
  });

  it("takes marks off a letter that has too many of them", () => {
    const { text } = lettering.writable(`a${"\u0301\u0308\u0323".repeat(20)}`);

    expect(Array.from(text).length).toBeLessThanOrEqual(3);
  });
});

describe("measure", () => {
  it("measures how wide the ink comes out", async () => {
    const mask = await lettering.draw(sharp, ["Thumbnail"], { size: 100 });
    const { advance } = lettering.measure("Thumbnail");

    expect(Math.abs((mask?.width ?? 0) - advance * 100)).toBeLessThan(20);
  });

  it("measures how far the ink reaches above and below the base line", async () => {
    const mask = await lettering.draw(sharp, ["Ag"], { size: 100 });
    const { ascent, descent } = lettering.measure("Ag");

    expect(Math.abs((mask?.height ?? 0) - (ascent - descent) * 100)).toBeLessThan(4);
  });
});

describe("draw", () => {
  it("writes markup as it was typed", async () => {
    const marked = await lettering.draw(sharp, ["<b>A</b>&amp;"], { size: 40 });
    const plain = await lettering.draw(sharp, ["A"], { size: 40 });

    expect(marked?.width).toBeGreaterThan(5 * (plain?.width ?? Infinity));
  });

  it("draws nothing of nothing", async () => {
    expect(await lettering.draw(sharp, ["  "], { size: 40 })).toBeUndefined();
  });

  it("sets lines closer than the font does", async () => {
    const one = await lettering.draw(sharp, ["H"], { size: 100 });
    const two = await lettering.draw(sharp, ["H", "H"], { size: 100 });
    const between = (two?.height ?? 0) - (one?.height ?? 0);

    expect(between).toBeGreaterThan(105);
    expect(between).toBeLessThan(120);
  });
});
