import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { composeSquare } from "../../../src/images/cutout/square.ts";
import { codeOf, cutoutZip, grey, noise, oval, photo, zipOf } from "../pictures.ts";
import {
  away,
  color,
  pixelsOf,
  plane,
  scene,
  subjectColor,
  traces,
  transparent,
  zip,
} from "../scenes.ts";

const sticker = { side: 320, maxBytes: 512 * 1024 } as const;
const emoji = { side: 128, maxBytes: 256 * 1024 } as const;

/** The first and last column and row in which anything shows. */
async function extent(bytes: Buffer) {
  const { data, width, height } = await pixelsOf(bytes);
  const shown = [...Array(width * height).keys()].filter((i) => (data[i * 4 + 3] ?? 0) > 20);
  const [columns, rows] = [shown.map((i) => i % width), shown.map((i) => Math.floor(i / width))];
  const reach = (values: readonly number[]): [low: number, high: number] => {
    const sorted = values.toSorted((a, b) => a - b);
    return [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  };
  return { columns: reach(columns), rows: reach(rows) };
}

describe("square", () => {
  it.each([sticker, emoji])("makes a PNG of exactly the side: %o", async (options) => {
    const made = await composeSquare(zip, options);

    const { format, width, height, channels } = await sharp(made.bytes).metadata();
    expect({ format, width, height, channels }).toEqual({
      format: "png",
      width: options.side,
      height: options.side,
      channels: 4,
    });
    expect(made).toMatchObject({ side: options.side, fitted: "asked" });
    expect(made.bytes.length).toBeLessThanOrEqual(options.maxBytes);
  });

  it("centres the subject and leaves a little air", async () => {
    const { columns, rows } = await extent((await composeSquare(zip, sticker)).bytes);

    for (const [low, high] of [columns, rows]) {
      expect(low).toBeGreaterThanOrEqual(7);
      expect(low).toBeLessThan(16);
      expect(Math.abs(low - (319 - high))).toBeLessThanOrEqual(2);
    }
  });

  it("keeps the proportions of a long subject", async () => {
    const long = await grey(Buffer.from(oval(80, 40)), 80, 40);
    const stretched = await sharp(long)
      .resize(300, 60, { fit: "fill" })
      .toColourspace("b-w")
      .png()
      .toBuffer();
    const data = await photo(300, 60).jpeg().toBuffer();
    const source = zipOf({ name: "color.jpg", data }, { name: "alpha.png", data: stretched });

    const { columns, rows } = await extent((await composeSquare(source, sticker)).bytes);

    expect(columns[1] - columns[0]).toBeGreaterThan(280);
    expect((columns[1] - columns[0]) / (rows[1] - rows[0])).toBeGreaterThan(3.5);
    expect(Math.abs(rows[0] - (319 - rows[1]))).toBeLessThanOrEqual(2);
  });

  it("draws a white rim of the width asked round the subject", async () => {
    const rim = 10;

    const hard = await grey(
      plane((x, y) => (away(x, y) === 0 ? 255 : 0)),
      scene.width,
      scene.height,
    );
    const source = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: hard });

    const { bytes } = await composeSquare(source, { ...sticker, rim });

    const { at } = await pixelsOf(bytes);
    const { columns } = await extent(bytes);
    const middle = Array.from({ length: 160 }, (_, x) => at(x, 160));
    const white = middle.filter(
      ([red = 0, green = 0, blue = 0, on = 0]) => on > 250 && Math.min(red, green, blue) > 250,
    );
    expect(Math.abs(white.length - rim)).toBeLessThanOrEqual(3);
    expect(columns[0]).toBeGreaterThanOrEqual(7);
    const [red = 0, , blue = 0, on] = at(160, 160);
    expect(Math.abs(red - subjectColor[0]) + Math.abs(blue - subjectColor[2])).toBeLessThan(20);
    expect(on).toBe(255);
  });

  it("draws no rim round a haze", async () => {
    const hazy = await grey(
      Buffer.alloc(scene.width * scene.height, 40),
      scene.width,
      scene.height,
    );
    const source = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: hazy });

    const { at } = await pixelsOf((await composeSquare(source, { ...sticker, rim: 8 })).bytes);

    expect(at(160, 20)[3]).toBe(0);
  });

  it("shows nothing of what was removed", async () => {
    for (const rim of [0, 6]) {
      for (const source of [zip, await transparent().png().toBuffer()]) {
        const { bytes } = await composeSquare(source, { ...emoji, rim });
        expect(traces(await pixelsOf(bytes))).toBe(0);
      }
    }
  });

  it("gives up colours before anything else, the fewer the less room there is", async () => {
    const source = await noisy();
    const full = await composeSquare(source, sticker);

    const sizes: number[] = [];
    for (const share of [0.9, 0.13]) {
      const maxBytes = Math.floor(full.bytes.length * share);
      const made = await composeSquare(source, { ...sticker, maxBytes });
      const { isPalette, width } = await sharp(made.bytes).metadata();
      expect(made.fitted).toBe("colors");
      expect(isPalette).toBe(true);
      expect(width).toBe(320);
      expect(made.bytes.length).toBeLessThanOrEqual(maxBytes);
      sizes.push(made.bytes.length);
    }
    expect(full.fitted).toBe("asked");
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.8);
  });

  it("says when not even few colours fit", async () => {
    const source = await noisy();

    expect(await codeOf(composeSquare(source, { ...sticker, maxBytes: 3_000 }))).toBe(
      "picture_too_large",
    );
  });

  it("refuses what has no subject", async () => {
    const empty = await grey(Buffer.alloc(scene.width * scene.height), scene.width, scene.height);
    const source = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: empty });

    expect(await codeOf(composeSquare(source, emoji))).toBe("picture_no_subject");
    expect(await codeOf(composeSquare(await photo(9, 9).png().toBuffer(), emoji))).toBe(
      "picture_opaque",
    );
  });

  it("enlarges a tiny subject", async () => {
    expect(await composeSquare(await cutoutZip(3, 2), { ...emoji, rim: 4 })).toMatchObject({
      side: 128,
    });
  });
});

async function noisy(): Promise<Buffer> {
  const raw = { width: 400, height: 400, channels: 3 } as const;
  const data = await sharp(noise(400 * 400 * 3), { raw })
    .jpeg({ quality: 95 })
    .toBuffer();
  const matte = await grey(oval(400, 400), 400, 400);
  return zipOf({ name: "color.jpg", data }, { name: "alpha.png", data: matte });
}
