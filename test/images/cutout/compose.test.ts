import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { compose } from "../../../src/images/cutout/compose.ts";
import { cutoutZip, grey, noise, oval, photo, zipOf } from "../pictures.ts";

const width = 120;
const height = 90;

const bytesOf = async (...given: Parameters<typeof compose>) => (await compose(...given)).bytes;

/** Decoded independently of the code under test. */
const decoded = (bytes: Buffer, channels: 3 | 4) =>
  sharp(bytes, { ignoreIcc: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(({ data, info }) => {
      expect(info.channels).toBe(channels);
      return data;
    });

/** What a cut-out must be: alpha and colours as they came, not premultiplied, and cleared where alpha is 0. */
async function wanted(color: Buffer, alpha: Buffer): Promise<Buffer> {
  const rgb = await decoded(color, 3);
  const rgba = Buffer.alloc(alpha.length * 4);
  for (let i = 0; i < alpha.length; i++) {
    const value = alpha[i] ?? 0;
    rgba[i * 4 + 3] = value;
    if (value > 0) rgb.copy(rgba, i * 4, i * 3, i * 3 + 3);
  }
  return rgba;
}

/** How many samples of the result differ from that. */
async function differing(png: Buffer, color: Buffer): Promise<number> {
  const [got, exact] = [await decoded(png, 4), await wanted(color, alpha)];
  expect(got.length).toBe(exact.length);
  return got.filter((value, i) => value !== exact[i]).length;
}

const alpha = oval(width, height);
const color = await photo(width, height).jpeg({ quality: 90 }).withIccProfile("srgb").toBuffer();
const plain = await photo(width, height).jpeg().toBuffer();
const wide = await photo(width, height).jpeg().withIccProfile("p3").toBuffer();
const matte = await grey(alpha, width, height);
const zip = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: matte });

describe("compose", () => {
  it.each([
    ["an sRGB profile", color],
    ["no profile", plain],
    ["a wide profile", wide],
  ])(
    "keeps every visible pixel of colours with %s exactly and clears the rest",
    async (_, data) => {
      const png = await bytesOf(
        zipOf({ name: "color.jpg", data }, { name: "alpha.png", data: matte }),
        { format: "png" },
      );

      expect(await differing(png, data)).toBe(0);
      expect((await sharp(png).metadata()).icc).toEqual((await sharp(data).metadata()).icc);
    },
  );

  it("has every alpha value in the test picture", () => {
    expect(alpha.includes(0) && alpha.includes(255) && new Set(alpha).size > 20).toBe(true);
  });

  it("finds the entries in the other order, deflated, among others", async () => {
    const shuffled = zipOf(
      { name: "alpha.png", data: matte, isDeflated: true },
      { name: "readme.txt", data: Buffer.from("hello") },
      { name: "color.jpg", data: color, isDeflated: true },
    );

    const png = await bytesOf(shuffled, { format: "png" });

    expect(png.equals(await bytesOf(zip, { format: "png" }))).toBe(true);
  });

  it("takes the alpha as it is, whatever gamma or profile its file claims", async () => {
    const gamma = Buffer.from("\0\0\0\x04gAMA\0\0\x63\x9c\0\0\0\0", "latin1");
    const { crc32 } = await import("node:zlib");
    gamma.writeUInt32BE(crc32(gamma.subarray(4, 12)), 12);
    const tagged = Buffer.concat([matte.subarray(0, 33), gamma, matte.subarray(33)]);

    const png = await bytesOf(
      zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: tagged }),
      { format: "png" },
    );

    expect(await differing(png, color)).toBe(0);
  });

  it("takes an RGB alpha whose channels are equal", async () => {
    const rgb = await sharp(matte).toColourspace("srgb").png().toBuffer();
    expect((await sharp(rgb).metadata()).channels).toBe(3);

    const png = await bytesOf(
      zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: rgb }),
      { format: "png" },
    );

    expect(await differing(png, color)).toBe(0);
  });

  it("joins grey colours too", async () => {
    const greyJpeg = await photo(width, height).greyscale().toColourspace("b-w").jpeg().toBuffer();

    const png = await bytesOf(
      zipOf({ name: "color.jpg", data: greyJpeg }, { name: "alpha.png", data: matte }),
      { format: "png" },
    );

    const rgba = await decoded(png, 4);
    const middle = ((height / 2) * width + width / 2) * 4;
    expect(rgba[middle]).toBe(rgba[middle + 2]);
    expect(rgba[middle + 3]).toBe(255);
  });

  it("keeps alpha within 1 and hides the background in a WebP", async () => {
    const { bytes, format } = await compose(zip, { format: "webp" });

    const rgba = await decoded(bytes, 4);
    const off = alpha.map((value, i) => Math.abs(value - (rgba[i * 4 + 3] ?? 0)));
    const farCorner = rgba.subarray(0, 3);
    expect(format).toBe("webp");
    expect(Math.max(...off)).toBeLessThanOrEqual(1);
    expect([...farCorner]).toEqual([0, 0, 0]);
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(color).metadata()).icc);
  });

  it("lays the cut-out on a colour for a JPG", async () => {
    const { bytes } = await compose(zip, {
      format: "jpg",
      backdrop: { kind: "color", color: "#ff8800" },
    });

    const got = await decoded(bytes, 3);
    const source = await wanted(color, alpha);
    const ground = [0xff, 0x88, 0x00];
    const errors = got.map((value, i) => {
      const a = (alpha[Math.floor(i / 3)] ?? 0) / 255;
      const under = ground[i % 3] ?? 0;
      return Math.abs(
        value - (under + a * ((source[Math.floor(i / 3) * 4 + (i % 3)] ?? 0) - under)),
      );
    });
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(4);
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(color).metadata()).icc);
  });

  it("turns wide colours into sRGB for a JPG, because the background colour is sRGB", async () => {
    const opaque = await grey(Buffer.alloc(alpha.length, 255), width, height);
    const source = zipOf({ name: "color.jpg", data: wide }, { name: "alpha.png", data: opaque });

    const { bytes } = await compose(source, { format: "jpg" });

    const [got, shown] = [await decoded(bytes, 3), await sharp(wide).raw().toBuffer()];
    const errors = got.map((value, i) => Math.abs(value - (shown[i] ?? 0)));
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(4);
    expect((await sharp(bytes).metadata()).icc).toBeUndefined();
  });

  it("uses white where a JPG names no colour", async () => {
    const { bytes } = await compose(zip, { format: "jpg" });

    expect([...(await decoded(bytes, 3)).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it.each(["red", "#fff", "#12345g", "#1234567"])(
    "refuses %s as a background",
    async (background) => {
      await expect(
        compose(zip, { format: "jpg", backdrop: { kind: "color", color: background } }),
      ).rejects.toMatchObject({
        code: "picture_background",
      });
    },
  );

  it("carries no EXIF of the service's colours on", async () => {
    const tagged = await photo(width, height)
      .jpeg()
      .withExif({ IFD0: { Artist: "CANARY", Orientation: "6" } })
      .toBuffer();
    const source = zipOf({ name: "color.jpg", data: tagged }, { name: "alpha.png", data: matte });

    for (const format of ["png", "webp", "jpg"] as const) {
      const composed = await compose(source, { format });
      expect(composed.bytes.includes("CANARY")).toBe(false);
      expect([composed.width, composed.height]).toEqual([width, height]);
    }
  });
});

describe("compose to fit", () => {
  it("makes a PNG of what fits and says so", async () => {
    expect(await compose(zip, { format: "auto", maxBytes: 1e6 })).toMatchObject({
      format: "png",
      fitted: "asked",
    });
  });

  it.each(["auto", "png"] as const)(
    "goes from %s to WebP when the PNG is too large",
    async (format) => {
      const { bytes } = await compose(zip, { format: "png" });

      const composed = await compose(zip, { format, maxBytes: bytes.length - 1 });

      expect(composed).toMatchObject({ format: "webp", fitted: "webp", width, height });
    },
  );

  it.each(["webp", "jpg"] as const)(
    "lowers the quality of a %s before it takes pixels away",
    async (format) => {
      const large = await cutoutZip(400, 300);
      const { bytes } = await compose(large, { format });

      const less = await compose(large, { format, maxBytes: Math.floor(bytes.length * 0.95) });
      const least = await compose(large, { format, maxBytes: Math.floor(bytes.length / 4) });

      expect(less).toMatchObject({ format, fitted: "quality", width: 400 });
      expect(least).toMatchObject({ format, fitted: "smaller" });
      expect(least.bytes.length).toBeLessThanOrEqual(bytes.length / 4);
      expect((await sharp(least.bytes).metadata()).width).toBe(least.width);
      expect(least.width / least.height).toBeCloseTo(4 / 3, 1);
    },
  );

  it("says when nothing fits", async () => {
    await expect(compose(zip, { format: "auto", maxBytes: 60 })).rejects.toMatchObject({
      code: "picture_too_large",
    });
  });
});

describe("compose above 10 megapixels", async () => {
  const flat = { width: 4_000, height: 2_501, channels: 3, background: "#336699" } as const;
  const data = await sharp({ create: flat }).jpeg().toBuffer();
  const raw = { width: flat.width, height: flat.height, channels: 1 } as const;
  const large = await sharp(Buffer.alloc(flat.width * flat.height, 255), { raw })
    .toColourspace("b-w")
    .png()
    .toBuffer();
  const source = zipOf({ name: "color.jpg", data }, { name: "alpha.png", data: large });

  it("refuses a PNG with its size and the limit", async () => {
    await expect(compose(source, { format: "png" })).rejects.toMatchObject({
      code: "png_too_large",
      kind: "input",
      facts: { width: 4_000, height: 2_501, maxPixels: 10_000_000 },
    });
  });

  it("makes a WebP when left to choose", async () => {
    expect(await compose(source, { format: "auto" })).toMatchObject({
      format: "webp",
      fitted: "webp",
    });
  });
});

it("composes noise, which no encoder likes", async () => {
  const raw = { width: 200, height: 200, channels: 3 } as const;
  const data = await sharp(noise(200 * 200 * 3), { raw })
    .jpeg({ quality: 100 })
    .toBuffer();
  const source = zipOf(
    { name: "color.jpg", data },
    { name: "alpha.png", data: await grey(noise(200 * 200, 3), 200, 200) },
  );

  expect((await compose(source, { format: "webp" })).bytes.length).toBeGreaterThan(1_000);
});
