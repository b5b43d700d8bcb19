import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { pictureFormats } from "../../../src/images/files/formats.ts";
import { noise, photo } from "../pictures.ts";

const { icc: standard = Buffer.alloc(0) } = await sharp(
  await photo(8, 8).jpeg().withIccProfile("srgb").toBuffer(),
).metadata();
/** A profile too long for one JPEG segment, and of an odd length. */
const long = Buffer.concat([standard, noise(150_001)]);
const see = photo(33, 21).ensureAlpha(0.5);

describe("embedProfile", () => {
  it.each([
    ["a JPEG", "jpeg", photo(33, 21).jpeg()],
    ["a PNG", "png", see.clone().png()],
    ["a WebP", "webp", photo(33, 21).webp()],
    ["a WebP with transparency", "webp", see.clone().webp()],
  ] as const)("puts it into %s and changes no pixel", async (_, format, pipeline) => {
    const file = await pipeline.toBuffer();

    const tagged = pictureFormats[format].writable.embedProfile(file, standard);

    const { icc, width, height } = await sharp(tagged).metadata();
    const pixels = (bytes: Buffer) => sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
    expect(icc).toEqual(standard);
    expect([width, height]).toEqual([33, 21]);
    expect((await pixels(tagged)).equals(await pixels(file))).toBe(true);
  });

  it.each(["jpeg", "webp"] as const)(
    "takes a long profile of an odd length into a %s",
    async (format) => {
      const pipeline = format === "jpeg" ? photo(33, 21).jpeg() : photo(33, 21).webp();

      const file = await pipeline.toBuffer();
      const tagged = pictureFormats[format].writable.embedProfile(file, long);

      expect((await sharp(tagged).metadata()).icc?.equals(long)).toBe(true);
      expect(tagged.length % 2 === 0 || format === "jpeg").toBe(true);
    },
  );
});
