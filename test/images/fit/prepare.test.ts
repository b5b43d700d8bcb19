import { createHash } from "node:crypto";
import sharp, { type ExifDir } from "sharp";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { inspectPicture, prepareForService } from "../../../src/images/fit/prepare.ts";
import { codeOf, noise, photo } from "../pictures.ts";

const roomy = { maxBytes: 12e6, maxPixels: 50e6 };
const secret = { IFD0: { Artist: "CANARY-ARTIST" } satisfies ExifDir };
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>CANARY-XMP</a></x:xmpmeta>`;
const formats = ["jpeg", "png", "webp"] as const;

/** Raw pixels as a viewer shows them that respects the orientation. */
const seen = (bytes: Buffer) => sharp(bytes).autoOrient().removeAlpha().raw().toBuffer();

/** The same file, whose header claims another size. */
function claim(png: Buffer, width: number, height: number): Buffer {
  const lie = Buffer.from(png);
  lie.writeUInt32BE(width, 16);
  lie.writeUInt32BE(height, 20);
  return lie;
}

describe("inspect", () => {
  it.each(formats)("reads format and size of a %s", async (format) => {
    const bytes = await photo(60, 40)[format]().toBuffer();

    expect(await inspectPicture(bytes)).toEqual({ format, width: 60, height: 40, frames: 1 });
  });

  it.each(formats)("counts the orientation of a %s in", async (format) => {
    const bytes = await photo(60, 40)[format]().withMetadata({ orientation: 6 }).toBuffer();

    expect(await inspectPicture(bytes)).toEqual({ format, width: 40, height: 60, frames: 1 });
  });

  it("reads the sizes of lossless and transparent WebP", async () => {
    const lossless = await photo(61, 43).webp({ lossless: true }).toBuffer();
    const alpha = await photo(61, 43).ensureAlpha(0.5).webp().toBuffer();

    expect([(await inspectPicture(lossless)).width, (await inspectPicture(alpha)).height]).toEqual([
      61, 43,
    ]);
  });

  it.each(formats)("distinguishes a %s that is cut anywhere from a whole one", async (format) => {
    const bytes = await photo(50, 50)[format]().toBuffer();
    const starts = [40, 0.3, 0.6, 0.9].map((at) => (at > 1 ? at : Math.floor(bytes.length * at)));

    for (const end of starts) {
      expect(await codeOf(inspectPicture(bytes.subarray(0, end)))).toBe("picture_truncated");
    }
  });

  it("refuses 0 bytes", async () => {
    expect(await codeOf(inspectPicture(Buffer.alloc(0)))).toBe("picture_empty");
  });

  it("names what it found instead of a picture", async () => {
    const refused = inspectPicture(Buffer.from("%PDF-1.7"));

    await expect(refused).rejects.toMatchObject({ code: "picture_type", facts: { found: "pdf" } });
  });

  it("refuses a small file that claims 16383 x 16383 at once, with both numbers among its facts", async () => {
    const bomb = claim(await photo(64, 64).png().toBuffer(), 16_383, 16_383);

    await expect(inspectPicture(bomb)).rejects.toMatchObject({
      code: "picture_pixels",
      facts: { width: 16_383, height: 16_383, maxPixels: 75_000_000 },
    });
  });
});

describe("prepare", () => {
  it.each(formats)("gives the very same bytes of a %s that needs nothing", async (format) => {
    const bytes = await photo(60, 40)[format]().withIccProfile("p3").toBuffer();

    const prepared = await prepareForService(bytes, roomy);

    expect(prepared.bytes).toBe(bytes);
    expect(prepared.fitted).toBe("unchanged");
  });

  it.each(formats)(
    "cuts EXIF and XMP out of a %s, pixels and colour profile untouched",
    async (format) => {
      const bytes = await photo(60, 40)
        [format]()
        .withIccProfile("p3")
        .withExif(secret)
        .withXmp(xmp)
        .toBuffer();
      expect(bytes.includes("CANARY")).toBe(true);

      const { bytes: clean, fitted } = await prepareForService(bytes, roomy);

      const meta = await sharp(clean).metadata();
      expect(clean.includes("CANARY")).toBe(false);
      expect([meta.exif, meta.xmp, fitted]).toEqual([undefined, undefined, "unchanged"]);
      expect(meta.icc).toEqual((await sharp(bytes).metadata()).icc);
      expect((await seen(clean)).equals(await seen(bytes))).toBe(true);
      expect(await inspectPicture(clean)).toEqual(await inspectPicture(bytes));
    },
  );

  it("distinguishes the very same file from every other, whatever becomes of it", async () => {
    const bytes = await photo(60, 40).jpeg().toBuffer();
    const other = await photo(60, 40).jpeg({ quality: 50 }).toBuffer();
    const limits = { maxBytes: 1_000_000, maxPixels: 1_000_000 };
    const [first, shrunk, different] = await Promise.all([
      prepareForService(bytes, limits),
      prepareForService(bytes, { ...limits, maxPixels: 1_000 }),
      prepareForService(other, limits),
    ]);

    expect(first.digest).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(shrunk.digest).toBe(first.digest);
    expect(different.digest).not.toBe(first.digest);
  });

  it("clears the flags of what it cut out of a WebP", async () => {
    const bytes = await photo(60, 40).webp().withExif(secret).withXmp(xmp).toBuffer();

    const { bytes: clean } = await prepareForService(bytes, roomy);

    // The flags of EXIF (8) and XMP (4): https://developers.google.com/speed/webp/docs/riff_container
    expect([(bytes[20] ?? 0) & 12, (clean[20] ?? 0) & 12]).toEqual([12, 0]);
    expect(clean.readUInt32LE(4)).toBe(clean.length - 8);
  });

  it("cuts IPTC, comments and whatever hangs behind a JPEG out", async () => {
    const bytes = await photo(60, 40).jpeg().toBuffer();
    const segment = (marker: number, text: string) => {
      const head = Buffer.from([0xff, marker, 0, text.length + 2]);
      return Buffer.concat([head, Buffer.from(text, "latin1")]);
    };
    const dirty = Buffer.concat([
      bytes.subarray(0, 2),
      segment(0xed, "Photoshop 3.0\0CANARY"),
      segment(0xfe, "CANARY"),
      segment(0xe2, "MPF\0CANARY"),
      bytes.subarray(2),
      Buffer.from("CANARY film"),
    ]);

    const { bytes: clean } = await prepareForService(dirty, roomy);

    expect(clean).toEqual(bytes);
  });

  it.each(formats)("turns a %s upright and drops the tag", async (format) => {
    const bytes = await photo(60, 40)[format]().withMetadata({ orientation: 8 }).toBuffer();

    const prepared = await prepareForService(bytes, roomy);

    const meta = await sharp(prepared.bytes).metadata();
    expect([meta.width, meta.height, meta.orientation]).toEqual([40, 60, undefined]);
    expect(prepared).toMatchObject({ width: 40, height: 60, fitted: "turned" });
    const [got, wanted] = [await seen(prepared.bytes), await seen(bytes)];
    const error = got.reduce((sum, value, i) => sum + Math.abs(value - (wanted[i] ?? 0)), 0);
    expect(error / got.length).toBeLessThan(4);
  });

  it("turns a PNG upright without a loss", async () => {
    const bytes = await photo(60, 40).png().withMetadata({ orientation: 6 }).toBuffer();

    const prepared = await prepareForService(bytes, roomy);

    expect(prepared.format).toBe("png");
    expect((await seen(prepared.bytes)).equals(await seen(bytes))).toBe(true);
  });

  it("names a limit only where it was the reason", async () => {
    const turned = await photo(300, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const inked = await photo(60, 40).toColourspace("cmyk").jpeg().toBuffer();
    const heavy = await photo(300, 200).jpeg({ quality: 100 }).toBuffer();
    const drawn = await photo(300, 200).png().toBuffer();
    const tight = { ...roomy, maxBytes: 30_000 };
    const done = (bytes: Buffer, limits = roomy) =>
      prepareForService(bytes, limits).then(({ fitted }) => fitted);

    expect(await done(turned)).toBe("turned");
    expect(await done(inked)).toBe("rewritten");
    expect(await done(heavy, { ...roomy, maxBytes: heavy.length - 1 })).toBe("recompressed");
    expect(await done(drawn, tight)).toBe("recompressed");
    expect(await done(turned, { ...roomy, maxPixels: 1000 })).toBe("resized");
  });

  it("keeps a wide colour profile when it encodes again", async () => {
    const bytes = await photo(300, 200).jpeg({ quality: 100 }).withIccProfile("p3").toBuffer();

    const prepared = await prepareForService(bytes, { ...roomy, maxBytes: bytes.length / 2 });

    expect((await sharp(prepared.bytes).metadata()).icc).toEqual(
      (await sharp(bytes).metadata()).icc,
    );
    expect(prepared.fitted).toBe("recompressed");
  });

  it.each([1.2, 2, 4, 10, 40])("fits noise into a %dth of its bytes", async (part) => {
    const raw = { width: 400, height: 300, channels: 3 } as const;
    const bytes = await sharp(noise(400 * 300 * 3), { raw })
      .jpeg({ quality: 98 })
      .toBuffer();

    const prepared = await prepareForService(bytes, {
      ...roomy,
      maxBytes: Math.floor(bytes.length / part),
    });

    const meta = await sharp(prepared.bytes).metadata();
    expect(prepared.bytes.length).toBeLessThanOrEqual(bytes.length / part);
    expect([meta.width, meta.height]).toEqual([prepared.width, prepared.height]);
  });

  it("keeps transparency when it makes a PNG smaller", async () => {
    const bytes = await photo(300, 200).ensureAlpha(0.5).png().toBuffer();

    const prepared = await prepareForService(bytes, { ...roomy, maxBytes: 20_000 });

    expect((await sharp(prepared.bytes).metadata()).hasAlpha).toBe(true);
    expect(prepared.format).toBe("webp");
  });

  it("never passes the pixel limit, not even by rounding", async () => {
    const bytes = await photo(331, 197).jpeg().toBuffer();

    const prepared = await prepareForService(bytes, { ...roomy, maxPixels: 10_000 });

    expect(prepared.width * prepared.height).toBeLessThanOrEqual(10_000);
    expect(prepared.width / prepared.height).toBeCloseTo(331 / 197, 1);
    expect(prepared.fitted).toBe("resized");
  });

  it("says how far a picture is from a limit that nothing meets", async () => {
    const bytes = await photo(60, 40).jpeg().toBuffer();

    const refused = prepareForService(bytes, { ...roomy, maxBytes: 50 });

    await expect(refused).rejects.toBeInstanceOf(InputError);
    await expect(refused).rejects.toMatchObject({ code: "picture_too_large" });
  });

  it("refuses a PNG whose pixels are damaged although its chunks are whole", async () => {
    const bytes = await photo(200, 200).png().toBuffer();
    bytes.fill(0xaa, bytes.length / 2, bytes.length / 2 + 50);

    expect(await codeOf(prepareForService(bytes, roomy))).toBe("picture_unreadable");
  });
});
