import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { compose } from "../../../src/images/cutout/compose.ts";
import { openCutout } from "../../../src/images/cutout/cutout.ts";
import { openSubject } from "../../../src/images/cutout/subject.ts";
import { codeOf, photo } from "../pictures.ts";
import { alpha, pixelsOf, rgba, scene, subject, transparent, zip } from "../scenes.ts";

const { width, height } = scene;
const png = await transparent().png().toBuffer();

/** The expected result: cleared where alpha is 0, otherwise unchanged. */
const cleared = Buffer.from(rgba);
for (let i = 0; i < alpha.length; i++) if (alpha[i] === 0) cleared.fill(0, i * 4, i * 4 + 3);

describe("compose of a transparent picture", () => {
  it.each([
    ["a PNG", transparent().png()],
    ["an interlaced PNG", transparent().png({ progressive: true })],
    ["a PNG of 16 bits", transparent().toColourspace("rgb16").png()],
    ["a lossless WebP", transparent().webp({ lossless: true, exact: true })],
  ])("keeps every visible pixel of %s exactly", async (_, pipeline) => {
    const { bytes, fitted } = await compose(await pipeline.toBuffer(), { format: "png" });

    expect((await pixelsOf(bytes)).data.equals(cleared)).toBe(true);
    expect(fitted).toBe("asked");
  });

  it("takes grey with transparency, and a palette", async () => {
    const grey = await transparent().greyscale().toColourspace("b-w").png().toBuffer();
    const palette = await transparent().png({ palette: true }).toBuffer();

    expect((await sharp(grey).metadata()).channels).toBe(2);
    expect((await sharp(palette).metadata()).isPalette).toBe(true);
    for (const bytes of [grey, palette]) {
      const composed = await compose(bytes, { format: "auto", shadow: {}, crop: { margin: 2 } });
      expect((await pixelsOf(composed.bytes)).channels).toBe(4);
    }
  });

  it("turns wide colours into sRGB", async () => {
    const wide = await transparent().withIccProfile("p3").png().toBuffer();

    const { bytes } = await compose(wide, { format: "png" });

    const { at } = await pixelsOf(bytes);
    const middle = (60 * width + 75) * 4;
    const off = at(75, 60).map((sample, i) => Math.abs(sample - (rgba[middle + i] ?? 0)));
    expect(Math.max(...off)).toBeLessThan(4);
  });

  it("turns it upright", async () => {
    const webp = await transparent()
      .webp({ lossless: true })
      .withMetadata({ orientation: 8 })
      .toBuffer();

    expect(await compose(webp, { format: "png" })).toMatchObject({ width: height, height: width });
  });

  it.each([
    ["an opaque PNG", photo(20, 20).png(), "picture_opaque"],
    ["a PNG with a wholly opaque alpha", photo(20, 20).ensureAlpha().png(), "picture_opaque"],
    ["an opaque WebP", photo(20, 20).webp(), "picture_opaque"],
    ["a JPEG", photo(20, 20).jpeg(), "picture_opaque"],
    ["an opaque GIF", photo(20, 20).gif(), "picture_opaque"],
  ])("refuses %s", async (_, pipeline, code) => {
    expect(await codeOf(compose(await pipeline.toBuffer(), { format: "auto" }))).toBe(code);
  });

  it("says what is wrong with a file that is none", async () => {
    const use = (bytes: Buffer) => codeOf(compose(bytes, { format: "auto" }));

    expect(await use(png.subarray(0, 900))).toBe("picture_truncated");
    expect(await use(Buffer.from("BM a bitmap"))).toBe("picture_type");
    expect(await use(Buffer.from("a text"))).toBe("cutout_damaged");
    expect(await use(Buffer.alloc(0))).toBe("cutout_damaged");
  });
});

describe("openSubject", () => {
  it.each([
    ["the service's ZIP", zip],
    ["a PNG", png],
  ])("gives the visible part of %s, and where it stood", async (_, bytes) => {
    const found = await openSubject(await openCutout(bytes));

    expect(found).toMatchObject({ width: 50, height: 50 });
    expect(found.box).toEqual({ left: subject.left, top: subject.top, width: 50, height: 50 });
    expect(found.data.length).toBe(50 * 50 * 4);
    expect(found.data[3]).toBe(alpha[subject.top * width + subject.left]);
  });
});
