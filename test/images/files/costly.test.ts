import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readTiff } from "../../../src/images/files/tiff.ts";
import { inspectPicture } from "../../../src/images/fit/prepare.ts";
import { chunk, claimedTiff, oneBitPng } from "../bad-files.ts";
import { photo } from "../pictures.ts";

/** An AVIF padded to this many bytes, as if its pixels took them. */
async function avifOf(bytes: number): Promise<Buffer> {
  const avif = await photo(400, 400).avif({ effort: 0 }).toBuffer();
  const box = Buffer.alloc(bytes - avif.length);
  box.writeUInt32BE(box.length, 0);
  box.write("free", 4, "latin1");
  return Buffer.concat([avif, box]);
}

/** A lossless WebP that claims this size: 14 bits for each side minus one. */
async function losslessWebp(width: number, height: number): Promise<Buffer> {
  const webp = await photo(40, 40).webp({ lossless: true }).toBuffer();
  const at = webp.indexOf("VP8L") + 9;
  const flags = webp.readUInt32LE(at) & 0xf0000000;
  webp.writeUInt32LE(((width - 1) | ((height - 1) << 14) | flags) >>> 0, at);
  return webp;
}

/** A PNG with four samples of 16 bits for each pixel. */
function deepPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt16BE(0x1006, 8);
  const end = chunk("IEND", Buffer.alloc(0));
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", Buffer.alloc(9)), end]);
}

describe("what costs too much by its header", () => {
  it.each([
    ["a PNG of one row", () => oneBitPng(75_000_000, 1), "picture_side"],
    ["a PNG of one column", () => oneBitPng(1, 75_000_000), "picture_side"],
    ["a PNG of deep samples", () => deepPng(8_000, 8_000), "picture_pixels"],
    [
      "a TIFF whose strip is not in it",
      () => claimedTiff({ width: 8_000, height: 8_000, stripBytes: 60_000_000 }),
      "picture_truncated",
    ],
    [
      "a TIFF whose strip has nothing in it",
      () => claimedTiff({ width: 8_000, height: 8_000, stripBytes: 0 }),
      "picture_truncated",
    ],
    [
      "a TIFF whose strip would be held whole",
      () => claimedTiff({ width: 8_000, height: 8_000, bits: 16, samples: 2 }),
      "picture_pixels",
    ],
    ["a TIFF of one row", () => claimedTiff({ width: 70_000_000, height: 1 }), "picture_side"],
    ["a lossless WebP", () => losslessWebp(5_000, 5_000), "picture_pixels"],
    ["an AVIF full of detail", () => avifOf(9_000_000), "picture_too_large"],
  ])("is refused before a pixel is decoded: %s", async (_, make, code) => {
    await expect(inspectPicture(await make())).rejects.toMatchObject({ code });
  });

  it.each([
    ["a panorama", () => oneBitPng(40_000, 1_200)],
    ["a long screenshot", () => oneBitPng(1_080, 60_000)],
    ["a scan of 24 megapixels in one strip", () => claimedTiff({ width: 6_000, height: 4_000 })],
    ["a lossless WebP of 20 megapixels", () => losslessWebp(5_000, 4_000)],
    ["an AVIF of 4 MB", () => avifOf(4_000_000)],
  ])("is what people have, and not refused: %s", async (_, make) => {
    await expect(inspectPicture(await make())).resolves.toMatchObject({ frames: 1 });
  });
});

describe("readTiff", () => {
  it.each([
    ["strips", { compression: "lzw" }],
    ["tiles", { compression: "deflate", tile: true, tileWidth: 64, tileHeight: 64 }],
  ] as const)("says what a file of %s holds", async (_, options) => {
    const bytes = await photo(200, 100).tiff(options).toBuffer();

    expect(readTiff(bytes)).toMatchObject({
      width: 200,
      height: 100,
      rawBytes: 60_000,
      isComplete: true,
    });
  });

  it("finds the part that is cut off", async () => {
    const bytes = await sharp(await photo(200, 100).tiff({ compression: "none" }).toBuffer())
      .tiff({ compression: "none" })
      .toBuffer();
    const start = bytes.readUInt32LE(4);
    const cut = Buffer.concat([bytes.subarray(0, 8), bytes.subarray(start)]);
    cut.writeUInt32LE(8, 4);

    expect(readTiff(cut)?.isComplete ?? false).toBe(false);
  });
});
