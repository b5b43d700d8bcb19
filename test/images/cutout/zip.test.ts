import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import JSZip from "jszip";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors.ts";
import { compose } from "../../../src/images/cutout/compose.ts";
import { unzipCutout } from "../../../src/images/cutout/zip.ts";
import { prepareForService } from "../../../src/images/fit/prepare.ts";
import { backwards, manyEntries } from "../bad-files.ts";
import { codeOf, cutoutZip, grey, noise, oval, photo, type ZipEntry, zipOf } from "../pictures.ts";

const side = 40;
const color = { name: "color.jpg", data: await photo(side, side).jpeg().toBuffer() };
const alpha = { name: "alpha.png", data: await grey(oval(side, side), side, side) };

const refused = async (zip: Buffer) => {
  const error = await compose(zip, { format: "png" }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: "cutout_damaged" });
  return (error as ServiceError).facts.reason;
};

describe("unzip", () => {
  it.each(["STORE", "DEFLATE"] as const)(
    "reads what another writer packed with %s",
    async (compression) => {
      const archive = new JSZip();
      archive.file("alpha.png", alpha.data).file("color.jpg", color.data);

      const parts = await unzipCutout(
        await archive.generateAsync({ type: "nodebuffer", compression }),
      );

      expect(parts).toEqual({ color: color.data, alpha: alpha.data });
    },
  );

  it("reads an archive with a comment behind it and bytes before its pieces", async () => {
    const archive = new JSZip();
    archive.file("alpha.png", alpha.data).file("color.jpg", color.data);
    const comment = "PK\x05 is no end";

    const parts = await unzipCutout(
      await archive.generateAsync({ type: "nodebuffer", comment, streamFiles: true }),
    );

    expect(parts.color).toEqual(color.data);
  });

  it.each([false, true])("reads ZIP64, deflated: %s", async (isDeflated) => {
    const wide = { isWide: true, isDeflated };

    const parts = await unzipCutout(zipOf({ ...color, ...wide }, { ...alpha, ...wide }));

    expect(parts).toEqual({ color: color.data, alpha: alpha.data });
  });

  it("stops a small archive that inflates beyond the limit, whatever its header says", async () => {
    const packed = deflateRawSync(Buffer.alloc(80e6));
    const bomb = (declaredBytes: number) =>
      zipOf(
        { name: "color.jpg", data: Buffer.alloc(0), packed, isDeflated: true, declaredBytes },
        alpha,
      );

    expect(await refused(bomb(10))).toContain("color.jpg is larger than it declares");
    expect(await refused(bomb(1e6))).toContain("color.jpg is larger than it declares");
    expect(await refused(bomb(80e6))).toContain("at most 67.1 MB");
    expect(packed.length).toBeLessThan(400_000);
  });
});

describe("compose refuses", () => {
  const other = async (w: number, h: number) => ({
    name: "alpha.png",
    data: await grey(oval(w, h), w, h),
  });
  const png = (pipeline: Sharp) => pipeline.png().toBuffer();
  const alphaOf = async (data: Promise<Buffer>): Promise<ZipEntry> => ({
    name: "alpha.png",
    data: await data,
  });
  // An archive inside the archive: a reader that scans for entries sees its picture, though the directory does not name
  // it.
  const twin = other(9, 9).then((entry) => ({ name: "note.txt", data: zipOf(entry) }));
  const shortened = { ...color, data: color.data.subarray(0, -300) };

  it.each<[what: string, reason: string, entries: readonly (ZipEntry | Promise<ZipEntry>)[]]>([
    ["a missing alpha", "alpha.png is missing", [color]],
    ["a missing colour", "color.jpg is missing", [alpha]],
    ["an empty archive", "color.jpg is missing", []],
    ["other names", "color.jpg is missing", [{ ...color, name: "Color.JPG" }, alpha]],
    ["names in a folder", "color.jpg is missing", [{ ...color, name: "../color.jpg" }, alpha]],
    [
      "swapped names",
      "not what its name says",
      [
        { ...color, name: "alpha.png" },
        { ...alpha, name: "color.jpg" },
      ],
    ],
    ["an entry twice", "an entry twice", [color, alpha, alpha]],
    ["a second alpha behind a small one", "a second alpha.png", [twin, color, alpha]],
    ["a wrong checksum", "checksum", [{ ...color, crc: 1 }, alpha]],
    [
      "a wrong checksum of a deflated entry",
      "checksum",
      [{ ...color, crc: 1, isDeflated: true }, alpha],
    ],
    [
      "content longer than declared",
      "larger than it declares",
      [{ ...color, declaredBytes: 10 }, alpha],
    ],
    [
      "content shorter than declared",
      "size it declares",
      [{ ...color, isDeflated: true, declaredBytes: 1e6 }, alpha],
    ],
    [
      "deflated content that is none",
      "can't be unpacked",
      [{ ...color, isDeflated: true, packed: noise(500) }, alpha],
    ],
    ["an entry of no bytes", "color.jpg is empty", [{ ...color, data: Buffer.alloc(0) }, alpha]],
    ["sizes that differ", "color.jpg is 40 x 40, alpha.png 41 x 40", [color, other(41, 40)]],
    ["a cut JPEG", "color.jpg is cut off", [shortened, alpha]],
    ["a cut PNG", "alpha.png is cut off", [color, { ...alpha, data: alpha.data.subarray(0, -20) }]],
    ["16-bit alpha", "16 bits", [color, alphaOf(png(sharp(alpha.data).toColourspace("grey16")))]],
    ["alpha in colours", "not grey", [color, alphaOf(png(photo(side, side)))]],
    [
      "alpha in a palette",
      "not grey",
      [color, alphaOf(sharp(alpha.data).png({ palette: true }).toBuffer())],
    ],
    [
      "alpha that is transparent",
      "transparent itself",
      [color, alphaOf(png(photo(side, side).ensureAlpha(0.5)))],
    ],
    [
      "alpha with damaged pixels",
      "can't be decoded",
      [
        color,
        alphaOf(grey(noise(side * side), side, side).then((data) => data.fill(0x55, 400, 460))),
      ],
    ],
  ])("%s", async (_, reason, entries) => {
    expect(await refused(zipOf(...(await Promise.all(entries))))).toContain(reason);
  });

  it("thousands of entries, without reading them", async () => {
    const many = Array.from({ length: 2_000 }, (_, i) => ({ name: `${i}`, data: Buffer.alloc(1) }));

    expect(await refused(zipOf(color, alpha, ...many))).toContain("2002 entries");
  });

  it("hundreds of thousands of entries behind a count of two, without reading them", async () => {
    expect(await refused(manyEntries(zipOf(color, alpha), 100_000))).toContain(
      "its directory is broken",
    );
  });

  it("a ZIP64 end with a field of negative length, which jszip would read for ever", async () => {
    const hostile = backwards(zipOf({ ...color, isWide: true }, alpha));

    expect(await refused(hostile)).toContain("its directory is broken");
  });

  it("pictures that claim more than 50 megapixels", async () => {
    const data = Buffer.from(alpha.data);
    data.writeUInt32BE(16_383, 16);
    data.writeUInt32BE(16_383, 20);

    expect(await refused(zipOf(color, { name: "alpha.png", data }))).toContain("268.4 megapixels");
  });

  it("a ZIP cut anywhere", async () => {
    const whole = zipOf(color, alpha);
    for (let end = 0; end < whole.length; end += 97) {
      expect(await codeOf(unzipCutout(whole.subarray(0, end)))).toBe("cutout_damaged");
    }
  });
});

describe("hostile bytes", () => {
  const seed = 20_260_101;

  /** Overwrites, cuts out and repeats pieces of a valid file. */
  const damage = (valid: Buffer) =>
    fc
      .array(
        fc.tuple(
          fc.nat(valid.length - 1),
          fc.uint8Array({ minLength: 1, maxLength: 6 }),
          fc.nat(2),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((edits) =>
        edits.reduce<Buffer>((bytes, [at, piece, kind]) => {
          const place = Math.min(at, bytes.length);
          if (kind === 1) return bytes.subarray(0, place);
          const end = kind === 0 ? place + piece.length : place;
          return Buffer.concat([bytes.subarray(0, place), piece, bytes.subarray(end)]);
        }, valid),
      );

  it(`ends every damaged ZIP as a picture or as cutout_damaged (seed ${seed})`, async () => {
    const deflated = zipOf({ ...color, isDeflated: true }, { ...alpha, isDeflated: true });
    const valid = fc.oneof(damage(zipOf(color, alpha)), damage(deflated));
    await fc.assert(
      fc.asyncProperty(valid, async (zip) => {
        const code = await codeOf(compose(zip, { format: "png" }));
        if (typeof code === "string") expect(code).toBe("cutout_damaged");
        else expect(code).toHaveProperty("resolved.width", side);
      }),
      { seed, numRuns: 100 },
    );
  });

  it.each(["jpeg", "png", "webp"] as const)(
    `ends every damaged %s as a picture or as a refusal (seed ${seed})`,
    async (format) => {
      const valid = await photo(side, side)
        [format]()
        .withExif({ IFD0: { Artist: "x" } })
        .toBuffer();
      const codes = /^picture_(empty|type|animated|truncated|unreadable|pixels|side)$/;
      await fc.assert(
        fc.asyncProperty(damage(valid), async (bytes) => {
          const code = await codeOf(prepareForService(bytes, { maxBytes: 12e6, maxPixels: 50e6 }));
          if (typeof code === "string") expect(code).toMatch(codes);
          else expect(code).toHaveProperty("resolved.bytes");
        }),
        { seed, numRuns: 50 },
      );
    },
  );
});

it("composes what the fixture writer makes, so that the refusals above have one cause each", async () => {
  expect((await compose(await cutoutZip(side, side), { format: "png" })).width).toBe(side);
});
