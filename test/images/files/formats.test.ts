import sharp, { type ExifDir, type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { openPicture } from "../../../src/images/files/open-picture.ts";
import { fitPicture } from "../../../src/images/fit/fit-picture.ts";
import { inspectPicture, prepareForService } from "../../../src/images/fit/prepare.ts";
import { codeOf, photo } from "../pictures.ts";

const roomy = { maxBytes: 12e6, maxPixels: 50e6 };
const place = { width: 32, height: 18, shape: "cover", maxBytes: 1e6 } as const;
const formats = ["jpeg", "png", "webp", "gif", "avif", "tiff"] as const;
const foreign = ["gif", "avif", "tiff"] as const;
const secret = {
  IFD0: { Artist: "CANARY-ARTIST" } satisfies ExifDir,
  IFD3: { GPSLatitudeRef: "N" },
};
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>CANARY-XMP</a></x:xmpmeta>`;

type Format = (typeof formats)[number];

const frames = { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } } as const;
const square = { left: 0, top: 0, width: 20, height: 20 };
const film = () =>
  photo(20, 60)
    .raw()
    .toBuffer()
    .then((data) => sharp(data, frames));
const write = (pipeline: Sharp, format: Format) =>
  (format === "tiff" ? pipeline.tiff({ compression: "lzw" }) : pipeline[format]()).toBuffer();

/** Raw pixels as a viewer sees them. */
const seen = (bytes: Buffer) =>
  sharp(bytes).autoOrient().toColourspace("srgb").removeAlpha().raw().toBuffer();

/** The mean difference between two pictures' samples. */
async function distance(a: Buffer, b: Buffer): Promise<number> {
  const [left, right] = [await seen(a), await seen(b)];
  expect(left.length).toBe(right.length);
  return left.reduce((sum, value, i) => sum + Math.abs(value - (right[i] ?? 0)), 0) / left.length;
}

/**
 * A PNG with animation chunks before its pixels. Their checksums are wrong, which is left to readers that check them.
 */
async function animatedPng(): Promise<Buffer> {
  const png = await photo(20, 20).png().toBuffer();
  const chunk = (name: string, length: number) => {
    const whole = Buffer.alloc(12 + length);
    whole.writeUInt32BE(length, 0);
    whole.write(name, 4, "latin1");
    return whole;
  };
  const animation = [chunk("acTL", 8), chunk("fcTL", 26), chunk("fcTL", 26), chunk("fdAT", 4)];
  return Buffer.concat([png.subarray(0, 33), ...animation, png.subarray(33)]);
}

/** A box of the ISO container format. */
function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

async function avifSequence(samples: number): Promise<Buffer> {
  const still = await photo(20, 20).avif({ effort: 0 }).toBuffer();
  still.write("avis", 8, "latin1");
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32BE(samples, 8);
  const table = box("stbl", box("stsz", sizes));
  return Buffer.concat([still, box("moov", box("trak", box("mdia", box("minf", table))))]);
}

describe("inspect", () => {
  it.each(foreign)("reads format and size of a %s", async (format) => {
    const bytes = await write(photo(60, 40), format);

    expect(await inspectPicture(bytes)).toEqual({ format, width: 60, height: 40, frames: 1 });
  });

  it.each(["avif", "tiff"] as const)("counts the orientation of a %s in", async (format) => {
    const bytes = await write(photo(60, 40).withMetadata({ orientation: 6 }), format);

    expect(await inspectPicture(bytes)).toEqual({ format, width: 40, height: 60, frames: 1 });
  });

  it.each([
    ["gif", async () => (await film()).gif().toBuffer(), 3],
    ["webp", async () => (await film()).webp().toBuffer(), 3],
    ["tiff", async () => (await film()).tiff().toBuffer(), 3],
    ["png", animatedPng, 2],
    ["avif", () => avifSequence(24), 24],
  ] as const)("counts the frames of a %s", async (format, make, count) => {
    expect(await inspectPicture(await make())).toEqual({
      format,
      width: 20,
      height: 20,
      frames: count,
    });
  });

  it("refuses a GIF of 40 bytes that claims 10000 x 10000", async () => {
    const side = "\x10\x27";
    const head = `GIF89a${side}${side}\x80\0\0\0\0\0\xff\xff\xff`;
    const gif = Buffer.from(`${head},\0\0\0\0${side}${side}\0\x02\x02D\x01\0;`, "latin1");

    expect(await codeOf(inspectPicture(gif))).toBe("picture_pixels");
  });

  it("takes a file for what is coded in it, whatever its brand says", async () => {
    const bytes = await photo(60, 40).avif({ effort: 0 }).toBuffer();
    bytes.write("mif1", 8, "latin1");

    expect(await inspectPicture(bytes)).toMatchObject({ format: "avif", width: 60 });
  });

  it("takes no HEIC, and says that it is one", async () => {
    const heic = box("ftyp", Buffer.from("heic\0\0\0\0mif1heic", "latin1"));
    const bytes = Buffer.concat([heic, box("meta", Buffer.alloc(60))]);

    await expect(inspectPicture(bytes)).rejects.toMatchObject({
      code: "picture_type",
      facts: { found: "heic" },
    });
  });

  it.each(["<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "%PDF-1.7"])(
    "leaves other decoders closed: %s",
    async (text) => {
      expect(await codeOf(inspectPicture(Buffer.from(text)))).toBe("picture_type");
    },
  );
});

describe("prepare", () => {
  it.each([
    ["gif", "png", 0],
    ["tiff", "png", 0],
    ["avif", "jpeg", 4],
  ] as const)("makes of a %s a %s, and says what it was", async (format, wanted, loss) => {
    const bytes = await write(photo(60, 40), format);

    const { bytes: made, digest: _, ...prepared } = await prepareForService(bytes, roomy);

    expect(prepared).toEqual({
      format: wanted,
      width: 60,
      height: 40,
      original: { format, width: 60, height: 40, frames: 1 },
      fitted: "converted",
      isCutOut: false,
    });
    expect((await sharp(made).metadata()).format).toBe(wanted);
    expect(await distance(made, bytes)).toBeLessThanOrEqual(loss);
  });

  it.each(["gif", "tiff"] as const)(
    "makes a JPEG of a %s that does not fit as a PNG",
    async (format) => {
      const bytes = await write(photo(400, 300), format);

      const prepared = await prepareForService(bytes, { ...roomy, maxBytes: 40_000 });

      expect(prepared).toMatchObject({ format: "jpeg", width: 400 });
    },
  );

  it.each([
    ["gif", "png"],
    ["avif", "webp"],
    ["tiff", "png"],
  ] as const)("keeps the transparency of a %s in a %s", async (format, wanted) => {
    const data = await photo(60, 40).ensureAlpha().raw().toBuffer();
    for (let i = 0; i < data.length; i += 4) if (i % 240 < 120) data[i + 3] = 0;
    const bytes = await write(sharp(data, { raw: { width: 60, height: 40, channels: 4 } }), format);

    const prepared = await prepareForService(bytes, roomy);

    const { isOpaque, channels } = await sharp(prepared.bytes).stats();
    expect([prepared.format, prepared.fitted]).toEqual([wanted, "converted"]);
    expect([isOpaque, channels[3]?.min, channels[3]?.max]).toEqual([false, 0, 255]);
  });

  it("makes a JPEG of a PNG that is too large and has nothing to see through", async () => {
    const bytes = await photo(200, 150).ensureAlpha(1).png().toBuffer();

    const prepared = await prepareForService(bytes, { ...roomy, maxBytes: 40_000 });

    expect(prepared).toMatchObject({ format: "jpeg", width: 200, fitted: "recompressed" });
  });

  it.each(formats)(
    "leaves no place and no name of people in what it makes of a %s",
    async (format) => {
      const tagged = photo(60, 40).withExif(secret).withXmp(xmp).withIccProfile("p3");
      const bytes = await write(tagged, format);

      const outputs = [
        await prepareForService(bytes, roomy),
        await prepareForService(bytes, { ...roomy, maxPixels: 1_000 }),
        await fitPicture(bytes, { ...place, format: "jpeg" }),
        await fitPicture(bytes, { ...place, format: "png" }),
      ];

      for (const { bytes: made } of outputs) {
        const { exif, xmp: words, iptc } = await sharp(made).metadata();
        expect(made.includes("CANARY")).toBe(false);
        expect([exif, words, iptc]).toEqual([undefined, undefined, undefined]);
      }
    },
  );

  it.each(["jpeg", "png", "webp", "avif", "tiff"] as const)(
    "keeps the colour profile of a %s",
    async (format) => {
      const bytes = await write(photo(60, 40).withIccProfile("p3"), format);

      const prepared = await prepareForService(bytes, { ...roomy, maxPixels: 1_000 });

      const { icc } = await sharp(bytes).metadata();
      expect(icc).toBeDefined();
      expect((await sharp(prepared.bytes).metadata()).icc).toEqual(icc);
      const small = await sharp(bytes).keepIccProfile().resize(prepared.width).png().toBuffer();
      expect(await distance(prepared.bytes, small)).toBeLessThan(5);
    },
  );

  it.each(["jpeg", "png", "webp", "tiff"] as const)("turns a %s upright", async (format) => {
    const bytes = await write(photo(60, 40).withMetadata({ orientation: 6 }), format);

    const prepared = await prepareForService(bytes, roomy);

    const meta = await sharp(prepared.bytes).metadata();
    expect([meta.width, meta.height, meta.orientation]).toEqual([40, 60, undefined]);
    expect(await distance(prepared.bytes, bytes)).toBeLessThan(4);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("turns orientation %d as viewers do", async (orientation) => {
    const bytes = await photo(60, 40)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation })
      .toBuffer();

    const prepared = await prepareForService(bytes, roomy);

    expect(await distance(prepared.bytes, bytes)).toBeLessThan(4);
  });

  it.each([
    ["gif", async () => (await film()).gif().toBuffer()],
    ["webp", async () => (await film()).webp().toBuffer()],
    ["tiff", async () => (await film()).tiff().toBuffer()],
    ["avif", () => avifSequence(3)],
  ] as const)("takes the first frame of a %s", async (format, make) => {
    const bytes = await make();
    const first = format === "avif" ? photo(20, 20) : (await film()).extract(square);

    const prepared = await prepareForService(bytes, roomy);

    expect(prepared.original).toMatchObject({ format });
    expect(prepared.original.frames).toBe(3);
    expect((await sharp(prepared.bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
    expect(await distance(prepared.bytes, await first.png().toBuffer())).toBeLessThan(12);
  });

  it("cuts the animation out of a PNG and leaves the picture as it is", async () => {
    const bytes = await animatedPng();

    const prepared = await prepareForService(bytes, roomy);

    expect(prepared.bytes).toEqual(await photo(20, 20).png().toBuffer());
    expect(prepared).toMatchObject({ fitted: "unchanged", original: { frames: 2 } });
  });

  it("turns ink colours into light", async () => {
    const bytes = await photo(60, 40).toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();

    const prepared = await prepareForService(bytes, roomy);

    expect((await sharp(prepared.bytes).metadata()).space).toBe("srgb");
    expect(await distance(prepared.bytes, bytes)).toBeLessThan(6);
  });

  it.each([
    ["png", "jpeg"],
    ["tiff", "png"],
  ] as const)("brings a %s of 16 bits down to 8, in a %s", async (format, wanted) => {
    const deep = photo(60, 40).toColourspace("rgb16");
    const bytes = await write(deep, format);
    expect((await sharp(bytes).metadata()).depth).toBe("ushort");

    const prepared = await prepareForService(bytes, { ...roomy, maxBytes: 8_000 });

    expect(await sharp(prepared.bytes).metadata()).toMatchObject({
      depth: "uchar",
      format: wanted,
    });
    expect(await distance(prepared.bytes, bytes)).toBeLessThan(6);
  });

  it("keeps a grey picture grey", async () => {
    const bytes = await photo(60, 40).greyscale().tiff().toBuffer();

    const prepared = await prepareForService(bytes, roomy);

    expect(await distance(prepared.bytes, bytes)).toBeLessThan(4);
  });

  it("refuses a TIFF that ends early", async () => {
    const bytes = await photo(60, 40).tiff({ compression: "none" }).toBuffer();
    // The directory follows the pixels: the middle of the file is removed and both ends are joined.
    const directory = bytes.readUInt32LE(4);
    const half = Buffer.concat([bytes.subarray(0, 8), bytes.subarray(directory)]);
    half.writeUInt32LE(8, 4);

    expect(await codeOf(prepareForService(half, roomy))).toMatch(
      /^picture_(unreadable|truncated)$/,
    );
  });
});

describe("fitPicture", () => {
  it.each([
    ["gif", "png"],
    ["tiff", "png"],
    ["avif", "jpeg"],
  ] as const)("fits a %s into its place, as a %s", async (format, wanted) => {
    const bytes = await write(photo(160, 90), format);

    const fitted = await fitPicture(bytes, { ...place, width: 80, height: 45 });

    expect(fitted).toMatchObject({ format: wanted, width: 80, height: 45, fitted: "resized" });
  });

  it("keeps what shows through a GIF", async () => {
    const bytes = await photo(160, 90).ensureAlpha(0).gif().toBuffer();

    expect((await fitPicture(bytes, { ...place, width: 80, height: 45 })).format).toBe("png");
  });
});

describe("openPicture", () => {
  it.each(formats)("gives the pixels of a %s, upright and with alpha", async (format) => {
    const orientation = format === "gif" ? 1 : 6;
    const bytes = await write(photo(60, 40).withMetadata({ orientation }), format);

    const picture = await openPicture(bytes);
    const drawn = await picture.draw((pipeline) => pipeline.resize(10));

    expect([picture.width, picture.height]).toEqual(orientation === 6 ? [40, 60] : [60, 40]);
    expect(drawn).toMatchObject({ width: 10, height: orientation === 6 ? 15 : 7, channels: 4 });
    expect(drawn.data).toHaveLength(drawn.width * drawn.height * 4);
  });

  it("gives 8 bits of a picture of 16, and light of ink", async () => {
    const deep = await photo(60, 40).toColourspace("rgb16").png().toBuffer();
    const ink = await photo(60, 40).toColourspace("cmyk").jpeg().toBuffer();

    for (const bytes of [deep, ink]) {
      const drawn = await (await openPicture(bytes)).draw((pipeline) => pipeline);
      expect(drawn.data).toHaveLength(60 * 40 * 4);
    }
  });

  it("refuses damaged pixels as prepare does", async () => {
    const png = await photo(60, 40).png().toBuffer();
    png.fill(0xaa, png.length / 2, png.length / 2 + 50);
    const picture = await openPicture(png);

    expect(await codeOf(picture.draw((pipeline) => pipeline))).toBe("picture_unreadable");
  });
});
