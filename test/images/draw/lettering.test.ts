import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openLettering } from "../../../src/images/draw/lettering.ts";

const lettering = await openLettering("display", []);

/** How wide a text is at 60 pixels, in fonts opened for it. */
async function draw(text: string) {
  const { families, advance } = await openLettering("display", [text]);
  const font = `${families}, 60`;
  const { info } = await sharp({ text: { text, font, dpi: 72, wrap: "none" } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, measured: advance(text) * 60 };
}

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
    ["가 ა 가", "", ["가", "ა"]],
    ["half \ud800 pair", "half pair", []],
  ])("keeps of %j what the font has", (given, text, missing) => {
    expect(lettering.writable(given)).toEqual({ text, missing });
  });

  it("takes marks off a letter that has too many of them", () => {
    const { text } = lettering.writable(`a${"\u0301\u0308\u0323".repeat(20)}`);

    expect(Array.from(text).length).toBeLessThanOrEqual(3);
  });
});

describe("the fonts for further scripts", () => {
  it.each([
    ["Korean", "안녕하세요 여러분"],
    ["Thai", "สวัสดี กำลัง"],
    ["Arabic", "مرحبا بالعالم"],
    ["Hebrew", "שלום עולם"],
    ["Devanagari", "नमस्ते क्षत्रिय"],
    ["emoji", "😀 👨‍👩‍👧 ✌🏽 🎉 1️⃣"],
    ["all at once", "Hi 한국 ไทย العربية 🎉!"],
  ])("write %s", async (_, text) => {
    const opened = await openLettering("display", [text]);
    const { width, measured } = await draw(text);

    expect(opened.writable(text)).toEqual({ text, missing: [] });
    expect(width).toBeGreaterThan(60);
    expect(width / measured).toBeLessThan(1.1);
  });

  it.each([
    ["join Arabic letters", "ببببب", "ب ب ب ب ب", 0.7],
    ["draw an emoji of several parts as one", "👨‍👩‍👧", "👨👩👧", 0.5],
    ["draw a digit on a key as one", "1️⃣", "1⃣", 0.8],
  ])("%s", async (_, whole, parts, share) => {
    expect((await draw(whole)).width).toBeLessThan((await draw(parts)).width * share);
  });

  it("still lack what none of them has", async () => {
    const opened = await openLettering("display", ["한 ა"]);

    expect(opened.writable("한 ა")).toEqual({ text: "한", missing: ["ა"] });
  });
});

describe("advance", () => {
  it("measures how wide the ink comes out", async () => {
    const { width, measured } = await draw("Thumbnail");

    expect(Math.abs(width - measured)).toBeLessThan(12);
  });
});
