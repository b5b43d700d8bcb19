import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { composeThumbnail, findUnwritable } from "../../../src/images/draw/thumbnail.ts";
import { codeOf, cutoutZip, photo } from "../pictures.ts";

const zip = await cutoutZip(300, 400);
const blue = { kind: "color", color: "#1122cc" } as const;
const usual = { width: 640, height: 360, backdrop: blue, maxBytes: 2_000_000 } as const;
type Options = Parameters<typeof composeThumbnail>[1];
const make = (options: Partial<Options> = {}) => composeThumbnail(zip, { ...usual, ...options });

async function open(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(at, at + 3)] as [number, number, number];
  };
  /** Counts pixels of nearly that colour in the left part of the picture. */
  const count = (color: readonly number[], right = 1) => {
    let found = 0;
    for (let i = 0; i < data.length; i += 3) {
      if ((i / 3) % info.width > info.width * right) continue;
      if (color.every((sample, c) => Math.abs((data[i + c] ?? 0) - sample) < 24)) found++;
    }
    return found;
  };
  return { info, pixel, count };
}

const isNear = (a: readonly number[], b: readonly number[]) =>
  a.every((sample, i) => Math.abs(sample - (b[i] ?? 0)) < 12);

describe("thumbnail", () => {
  it("is a JPEG of exactly the measures, with the subject on its side and the backdrop elsewhere", async () => {
    const { bytes, width, height, missing } = await make({ width: 1280, height: 720 });
    const { info, pixel } = await open(bytes);

    expect([info.format, info.width, info.height]).toEqual(["raw", 1280, 720]);
    expect((await sharp(bytes).metadata()).format).toBe("jpeg");
    expect([width, height, missing]).toEqual([1280, 720, []]);
    expect(isNear(pixel(0.1, 0.5), [0x11, 0x22, 0xcc])).toBe(true);
    expect(isNear(pixel(0.7, 0.5), [0x11, 0x22, 0xcc])).toBe(false);
  });

  it("stands the subject where it is wanted", async () => {
    const { pixel } = await open((await make({ subject: "left" })).bytes);

    expect(isNear(pixel(0.3, 0.5), [0x11, 0x22, 0xcc])).toBe(false);
    expect(isNear(pixel(0.9, 0.5), [0x11, 0x22, 0xcc])).toBe(true);
  });

  it("writes the title beside it, light on dark and dark on light", async () => {
    const title = { text: "Big words" };
    const white = { kind: "color", color: "#ffffff" } as const;
    const onBlue = await open((await make({ title })).bytes);
    const onWhite = await open((await make({ title, backdrop: white })).bytes);

    expect(onBlue.count([255, 255, 255], 0.5)).toBeGreaterThan(1_250);
    expect(onWhite.count([0, 0, 0], 0.5)).toBeGreaterThan(1_250);
  });

  it("writes in the colour that was asked, with a rim where that is hard to read", async () => {
    const title = { text: "Low contrast", color: "#2233dd" };
    const { count } = await open((await make({ title })).bytes);

    expect(count([0x22, 0x33, 0xdd], 0.5)).toBeGreaterThan(750);
    expect(count([255, 255, 255], 0.5)).toBeGreaterThan(125);
  });

  it("reports what can't be written and leaves it out", async () => {
    const { bytes, missing } = await make({ title: { text: "ქარ" } });
    const bare = await make();

    expect(missing).toEqual(["ქ", "ა", "რ"]);
    expect(await findUnwritable({ title: "ქ 한국" })).toEqual({ missing: ["ქ"] });
    expect(bytes.equals(bare.bytes)).toBe(true);
  });

  it.each(["한국어 제목", "สวัสดี", "مرحبا بالعالم", "שלום עולם", "नमस्ते दुनिया", "🎉🔥"])(
    "writes %s",
    async (text) => {
      const { bytes, missing } = await make({ title: { text } });
      const { count } = await open(bytes);

      expect(missing).toEqual([]);
      expect(count([255, 255, 255], 0.5)).toBeGreaterThan(750);
    },
  );

  it.each(["Zażółć gęślą jaźń", "ภาษาไทย ทดสอบ ก็ได้", "Family 👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥"])(
    "writes lines whose shadow is taller than the picture: %s",
    async (text) => {
      const options = { ...usual, width: 1280, height: 720, title: { text } };
      const { bytes, missing } = await composeThumbnail(await cutoutZip(240, 160), options);
      const { count } = await open(bytes);

      expect(missing).toEqual([]);
      expect(count([255, 255, 255], 0.6)).toBeGreaterThan(20_000);
    },
  );

  it("keeps a trimmed picture that was transparent before away from the edges", async () => {
    const data = Buffer.alloc(200 * 300 * 4, Buffer.from([255, 0, 0, 255]));
    data[3] = 0;
    const raw = { width: 200, height: 300, channels: 4 } as const;
    const trimmed = await sharp(data, { raw }).png().toBuffer();
    const at = async (isTrimmed: boolean) => {
      const { bytes } = await composeThumbnail(trimmed, { ...usual, isTrimmed });
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const row = (y: number) => data.subarray(y * info.width * 3, (y + 1) * info.width * 3);
      const hasRed = (pixels: Buffer) =>
        pixels.some((sample, i) => i % 3 === 0 && sample > 200 && (pixels[i + 1] ?? 255) < 60);
      return [hasRed(row(0)), hasRed(row(info.height - 1))];
    };

    expect(await at(false)).toContain(true);
    expect(await at(true)).toEqual([false, false]);
  });

  it("never takes people's text for markup", async () => {
    const marked = await make({ title: { text: '<span size="1">x</span> & <i>' } });
    const { count } = await open(marked.bytes);

    expect(marked.missing).toEqual([]);
    expect(count([255, 255, 255], 0.5)).toBeGreaterThan(750);
  });

  it("draws a shadow round the subject when asked", async () => {
    const plain = await open((await make()).bytes);
    const shaded = await open((await make({ shadow: { opacity: 0.8 } })).bytes);

    expect(shaded.count([0x11, 0x22, 0xcc])).toBeLessThan(plain.count([0x11, 0x22, 0xcc]) - 500);
  });

  it("covers itself with a picture", async () => {
    const bytes = await photo(400, 400).jpeg().toBuffer();
    const { count } = await open(
      (await make({ backdrop: { kind: "picture", bytes }, title: { text: "On a photo" } })).bytes,
    );

    expect(count([255, 255, 255], 0.5)).toBeGreaterThan(750);
  });

  it("takes a transparent picture as well", async () => {
    const webp = await sharp(await photo(80, 80).png().toBuffer())
      .ensureAlpha(0.5)
      .webp()
      .toBuffer();

    expect((await composeThumbnail(webp, usual)).width).toBe(640);
  });

  it("keeps under the bytes that are allowed", async () => {
    const bytes = await photo(640, 360).jpeg().toBuffer();
    const backdrop = { kind: "picture", bytes } as const;
    const roomy = await make({ backdrop });
    const tight = await make({ backdrop, maxBytes: 20_000 });

    expect(roomy.bytes.length).toBeGreaterThan(40_000);
    expect(tight.bytes.length).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ["picture_too_large", () => make({ maxBytes: 500 })],
    ["picture_background", () => make({ backdrop: { kind: "color", color: "red" } })],
    ["picture_background", () => make({ title: { text: "x", color: "#12" } })],
    ["picture_opaque", async () => composeThumbnail(await photo(40, 40).png().toBuffer(), usual)],
    ["cutout_damaged", () => composeThumbnail(zip.subarray(0, 2_000), usual)],
  ])("refuses with %s", async (code, work) => {
    expect(await codeOf(work())).toBe(code);
  });
});
