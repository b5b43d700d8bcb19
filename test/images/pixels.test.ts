import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readPixels, resizePixels, writePixels } from "../../src/images/index.ts";
import { codeOf, oval, photo } from "./pictures.ts";

describe("readPixels", () => {
  it.each(["jpeg", "png", "webp"] as const)("gives upright RGB of a %s", async (format) => {
    const bytes = await photo(30, 20)[format]().withMetadata({ orientation: 6 }).toBuffer();

    const raw = await readPixels(bytes);

    expect([raw.width, raw.height, raw.channels, raw.data.length]).toEqual([20, 30, 3, 1_800]);
  });

  it("lays transparency on white", async () => {
    const clear = {
      width: 4,
      height: 4,
      channels: 4,
      background: { r: 9, g: 9, b: 9, alpha: 0 },
    } as const;

    const raw = await readPixels(await sharp({ create: clear }).png().toBuffer());

    expect(new Set(raw.data)).toEqual(new Set([255]));
  });

  it("makes three channels of a grey picture", async () => {
    const bytes = await photo(30, 20).greyscale().toColourspace("b-w").png().toBuffer();

    expect((await readPixels(bytes)).data.length).toBe(1_800);
  });

  it("shrinks to a number of pixels, never above it", async () => {
    const raw = await readPixels(await photo(301, 203).jpeg().toBuffer(), { maxPixels: 10_000 });

    expect(raw.width * raw.height).toBeLessThanOrEqual(10_000);
    expect(raw.width / raw.height).toBeCloseTo(301 / 203, 1);
  });

  it.each(["<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", ""])(
    "refuses what is not a JPEG, PNG or WebP: %j",
    async (text) => {
      expect(await codeOf(readPixels(Buffer.from(text)))).toMatch(/^picture_(type|empty)$/);
    },
  );
});

describe("resizePixels", () => {
  it("keeps one channel one channel", async () => {
    const raw = { data: oval(320, 320), width: 320, height: 320, channels: 1 } as const;

    const larger = await resizePixels(raw, { width: 641, height: 480, kernel: "cubic" });

    expect([larger.data.length, larger.channels]).toEqual([641 * 480, 1]);
    expect([larger.data[0], larger.data[240 * 641 + 320]]).toEqual([0, 255]);
  });

  it("gives exactly the size that was asked", async () => {
    const raw = await readPixels(await photo(50, 20).png().toBuffer());

    const square = await resizePixels(raw, { width: 320, height: 320, kernel: "mitchell" });

    expect(square.data.length).toBe(320 * 320 * 3);
  });
});

describe("writePixels", () => {
  it("writes one channel as an 8-bit grey PNG, value for value", async () => {
    const data = oval(40, 30);

    const png = await writePixels({ data, width: 40, height: 30, channels: 1 }, { format: "png" });

    // Depth 8, colour type 0: https://www.w3.org/TR/png-3/#11IHDR
    expect([png[24], png[25]]).toEqual([8, 0]);
    expect(await sharp(png).extractChannel(0).raw().toBuffer()).toEqual(data);
  });

  it("writes RGB as a 4:2:0 JPEG with an sRGB profile", async () => {
    const raw = await readPixels(await photo(40, 30).png().toBuffer());

    const meta = await sharp(await writePixels(raw, { format: "jpg" })).metadata();

    expect([meta.format, meta.chromaSubsampling, meta.hasProfile]).toEqual(["jpeg", "4:2:0", true]);
  });

  it.each(["png", "webp"] as const)("keeps the alpha of RGBA in a %s", async (format) => {
    const data = Buffer.alloc(40 * 30 * 4, 128);

    const bytes = await writePixels({ data, width: 40, height: 30, channels: 4 }, { format });

    expect(await sharp(bytes).metadata()).toMatchObject({ format, hasAlpha: true, width: 40 });
  });
});
