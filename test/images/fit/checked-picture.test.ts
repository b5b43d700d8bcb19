import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { prepareForService } from "../../../src/images/fit/prepare.ts";
import { photo } from "../pictures.ts";

const roomy = { maxBytes: 12e6, maxPixels: 50e6 };
const side = 200;

/** A square with the alpha that `alphaAt` gives each pixel. */
async function square(alphaAt: (x: number, y: number) => number) {
  const data = Buffer.alloc(side * side * 4, 120);
  for (let at = 0; at < side * side; at++) {
    data[at * 4 + 3] = alphaAt(at % side, Math.floor(at / side));
  }
  return sharp(data, { raw: { width: side, height: side, channels: 4 } });
}

const isCutOut = async (bytes: Buffer) => (await prepareForService(bytes, roomy)).isCutOut;

const disc = (x: number, y: number) => (Math.hypot(x - 100, y - 100) < 90 ? 255 : 0);
const corner = (radius: number) => (x: number, y: number) => {
  const [dx, dy] = [Math.min(x, side - 1 - x), Math.min(y, side - 1 - y)].map((at) =>
    Math.max(0, radius - at),
  );
  return Math.hypot(dx ?? 0, dy ?? 0) > radius ? 0 : 255;
};
const within = (x: number, y: number, frame: number) =>
  Math.min(x, y, side - 1 - x, side - 1 - y) >= frame;

describe("a prepared picture", () => {
  it.each(["png", "webp", "gif", "tiff", "avif"] as const)(
    "is cut out already as a %s whose subject stands on nothing",
    async (format) => {
      // By default a TIFF is compressed as JPEG, without alpha.
      const options = format === "tiff" ? { compression: "lzw" } : {};

      expect(await isCutOut(await (await square(disc))[format](options).toBuffer())).toBe(true);
    },
  );

  it.each([
    ["an alpha channel that hides nothing", () => 255],
    ["a haze of a few levels", () => 250],
    ["a rim of two clear pixels", (x: number, y: number) => (within(x, y, 2) ? 255 : 0)],
    ["slightly rounded corners", corner(20)],
    ["a clear pixel here and there", (x: number, y: number) => ((x + y * 7) % 97 === 0 ? 0 : 255)],
  ])("is not cut out with %s", async (_, alphaAt) => {
    expect(await isCutOut(await (await square(alphaAt)).png().toBuffer())).toBe(false);
  });

  it.each([
    ["a wide clear frame", (x: number, y: number) => (within(x, y, 20) ? 255 : 0)],
    ["the corners of an app's icon", corner(60)],
    ["glass all over", () => 128],
  ])("is cut out with %s", async (_, alphaAt) => {
    expect(await isCutOut(await (await square(alphaAt)).png().toBuffer())).toBe(true);
  });

  it("is judged by its palette and its 16 bits as well", async () => {
    const whole = await square(disc);

    expect(await isCutOut(await whole.clone().png({ palette: true }).toBuffer())).toBe(true);
    expect(await isCutOut(await whole.toColourspace("rgb16").png().toBuffer())).toBe(true);
  });

  it("is not cut out without an alpha channel, and not as a few pixels", async () => {
    const tiny = { create: { width: 3, height: 3, channels: 4, background: "#00000000" } } as const;

    expect(await isCutOut(await photo(60, 40).jpeg().toBuffer())).toBe(false);
    expect(await isCutOut(await photo(60, 40).png().toBuffer())).toBe(false);
    expect(await isCutOut(await sharp(tiny).png().toBuffer())).toBe(false);
  });
});
