import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { composeSheet, layOutSheet } from "../../../src/images/draw/sheet.ts";
import { seed } from "../../support/random.ts";
import { codeOf, photo } from "../pictures.ts";

const flat = (width: number, height: number, color: string) =>
  sharp({ create: { width, height, channels: 4, background: color } });
const red = await flat(300, 200, "#ff0000").png().toBuffer();
const clear = await flat(300, 200, "#00000000").webp().toBuffer();

async function open(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 4;
    return [...data.subarray(at, at + 4)];
  };
  return { info, pixel };
}

describe("sheet", () => {
  it("puts two side by side, the transparent one on a checkerboard", async () => {
    const { bytes } = await composeSheet([red, clear], { maxBytes: 100_000 });
    const { info, pixel } = await open(bytes);
    const board = Array.from({ length: 40 }, (_, i) => pixel(0.6 + i / 110, 0.5)[0] ?? 0);

    expect((await sharp(bytes).metadata()).format).toBe("webp");
    expect([info.width, info.height]).toEqual([608, 200]);
    expect(pixel(0.25, 0.5)[0]).toBeGreaterThan(245);
    expect(pixel(0.25, 0.5)[1]).toBeLessThan(20);
    expect(Math.max(...board)).toBeGreaterThan(245);
    expect(Math.min(...board)).toBeLessThan(232);
    expect(pixel(0.5, 0.5)[3]).toBe(0);
  });

  it("keeps to the side and the bytes that are allowed", async () => {
    const large = await photo(1_000, 800).jpeg().toBuffer();
    const { bytes } = await composeSheet([large, large, red], { side: 900, maxBytes: 20_000 });
    const { width = 0, height = 0 } = await sharp(bytes).metadata();

    expect(bytes.length).toBeLessThanOrEqual(20_000);
    expect(Math.max(width, height)).toBeLessThanOrEqual(900);
  });

  it.each([
    [
      "a thread and a point",
      async () => [
        await flat(20_000, 10, "#f00").png().toBuffer(),
        await flat(1, 1, "#0f0").png().toBuffer(),
      ],
    ],
    ["twelve", async () => Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? red : clear))],
    [
      "a GIF and a TIFF",
      async () => [
        await flat(30, 30, "#00f").gif().toBuffer(),
        await flat(30, 40, "#0ff").tiff().toBuffer(),
      ],
    ],
  ])("shows %s", async (_, make) => {
    const { bytes } = await composeSheet(await make(), { maxBytes: 200_000 });
    const { width = 0, height = 0 } = await sharp(bytes).metadata();

    expect(width).toBeGreaterThan(60);
    expect(height).toBeGreaterThan(30);
  });

  it("turns a picture upright", async () => {
    const lying = await photo(200, 100).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { bytes } = await composeSheet([lying, lying], { maxBytes: 100_000 });
    const { width = 0, height = 0 } = await sharp(bytes).metadata();

    expect([width, height]).toEqual([208, 200]);
  });

  it.each([
    ["picture_type", [red, Buffer.from("some words")], 100_000],
    ["picture_truncated", [red, red.subarray(0, -20)], 100_000],
    ["picture_too_large", [red, clear], 20],
  ])("refuses with %s", async (code, pictures, maxBytes) => {
    expect(await codeOf(composeSheet(pictures, { maxBytes }))).toBe(code);
  });
});

describe("layOutSheet", () => {
  it("lays any pictures out beside and below each other, within the side", () => {
    const size = fc.record({
      width: fc.integer({ min: 1, max: 20_000 }),
      height: fc.integer({ min: 1, max: 20_000 }),
    });
    fc.assert(
      fc.property(fc.array(size, { minLength: 2, maxLength: 12 }), (pictures) => {
        const { width, height, cells } = layOutSheet(pictures, 1_200);

        expect(cells).toHaveLength(pictures.length);
        expect(Math.max(width, height)).toBeLessThanOrEqual(1_200);
        for (const [i, cell] of cells.entries()) {
          expect(cell.left).toBeGreaterThanOrEqual(0);
          expect(cell.left + cell.width).toBeLessThanOrEqual(width);
          expect(cell.top + cell.height).toBeLessThanOrEqual(height);
          const next = cells[i + 1];
          if (next?.top === cell.top) expect(next.left).toBeGreaterThan(cell.left + cell.width);
          else if (next) expect(next.top).toBeGreaterThan(cell.top + cell.height);
        }
      }),
      { seed, numRuns: 80 },
    );
  });
});
