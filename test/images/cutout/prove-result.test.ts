import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { proveResult } from "../../../src/images/cutout/prove-result.ts";
import { codeOf, grey, oval, photo, zipOf } from "../pictures.ts";

const [width, height] = [60, 40];
const picture = () => photo(width, height);
const png = await picture().ensureAlpha(0.5).png().toBuffer();
const jpeg = await picture().jpeg().toBuffer();
const progressive = await picture().jpeg({ progressive: true }).toBuffer();
const webp = await picture().webp().toBuffer();
const lossless = await picture().ensureAlpha(0.5).webp({ lossless: true }).toBuffer();
const gif = await picture().gif().toBuffer();
const alpha = await grey(oval(width, height), width, height);
const color = { name: "color.jpg", data: jpeg };
const mask = { name: "alpha.png", data: alpha };
const zip = zipOf(color, mask);

const part = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

/** The same length, but with other bytes in the middle. */
function scrambled(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const middle = Math.floor(bytes.length / 2);
  changed.fill(0x55, middle, middle + 40);
  return changed;
}

const damaged: readonly (readonly [string, Buffer])[] = [
  ["no bytes", Buffer.alloc(0)],
  ["nine bytes of a PNG", png.subarray(0, 9)],
  ["nine other bytes", Buffer.from("123456789")],
  ["a login page", Buffer.from("<!doctype html><html><body>Log in</body></html>")],
  ["an error in JSON", Buffer.from('{"errors":[{"title":"Oops","code":"oops"}]}')],
  ["plain text", Buffer.from("upstream connect error")],
  ["an SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
  ["a PDF", Buffer.from("%PDF-1.7 and so on")],
  ["zeros", Buffer.alloc(5_000)],
  ["a GIF, which the service never sends", gif],
  ["half a PNG", part(png, 0.5)],
  ["nine tenths of a PNG", part(png, 0.9)],
  ["a PNG with other bytes in its middle", scrambled(png)],
  ["half a JPEG", part(jpeg, 0.5)],
  ["a JPEG without its last pixels", jpeg.subarray(0, -5)],
  ["half a JPEG with an end marker", Buffer.concat([part(jpeg, 0.5), jpeg.subarray(-2)])],
  ["a progressive JPEG without its last pass", part(progressive, 0.8)],
  ["half a lossy WebP", part(webp, 0.5)],
  ["half a lossless WebP", part(lossless, 0.5)],
  ["half a ZIP", part(zip, 0.5)],
  ["a ZIP without colours", zipOf(mask)],
  ["a ZIP without alpha", zipOf(color)],
  ["a ZIP with half the colours", zipOf({ ...color, data: part(jpeg, 0.5) }, mask)],
  ["a ZIP with half the alpha", zipOf(color, { ...mask, data: part(alpha, 0.5) })],
  ["a ZIP with damaged alpha", zipOf(color, { ...mask, data: scrambled(alpha) })],
  ["a ZIP with a web page as colours", zipOf({ ...color, data: Buffer.from("<html>") }, mask)],
];

describe("proveResult", () => {
  it.each(damaged)("finds the damage of %s", async (_, bytes) => {
    expect(await codeOf(proveResult(bytes))).toBe("cutout_damaged");
  });

  it.each([
    ["PNG", png],
    ["JPEG", jpeg],
    ["progressive JPEG", progressive],
    ["JPEG without an end marker", jpeg.subarray(0, -2)],
    ["WebP", webp],
    ["lossless WebP", lossless],
    ["ZIP", zip],
    ["grey mask", alpha],
  ])("lets a sound %s pass", async (_, bytes) => {
    await expect(proveResult(bytes)).resolves.toEqual({});
  });

  it("lets a result pass that is only too large to be read here", async () => {
    const large = await sharp({
      create: { width: 5_000, height: 5_000, channels: 3, background: "red" },
    })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();

    await expect(proveResult(large)).resolves.toEqual({});
  });
});
