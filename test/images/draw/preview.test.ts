import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawPreview } from "../../../src/images/draw/preview.ts";

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } }).png();

/** Green in its middle, the part that phones show, and red around it. */
const banner = await plain(640, 360, "#ff0000")
  .composite([{ input: await plain(386, 106, "#00ff00").toBuffer(), left: 127, top: 127 }])
  .toBuffer();

async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
  const isRed = (x: number, y: number) => (at(x, y)[0] ?? 0) > 180 && (at(x, y)[1] ?? 0) < 80;
  const isGreen = (x: number, y: number) => (at(x, y)[1] ?? 0) > 180 && (at(x, y)[0] ?? 0) < 80;
  return { ...info, isRed, isGreen };
}

describe("the preview of a banner", () => {
  it("shows all of it on a television, a strip on a computer, and only the middle on a phone", async () => {
    const place = { kind: "banner", labels: ["TV", "Computer", "Phone"] } as const;

    const { bytes } = await drawPreview(banner, { place });
    const { width, isRed, isGreen } = await pixels(bytes);

    expect(width).toBe(1280);
    // A corner and the middle of what each device shows, below a label of 60 pixels.
    expect([isRed(40, 100), isGreen(424, 309)]).toEqual([true, true]);
    expect([isRed(40, 720), isGreen(640, 720)]).toEqual([true, true]);
    expect([isGreen(34, 1006), isGreen(396, 1006)]).toEqual([true, true]);
  });

  it("takes labels in other scripts, labels without a letter, and empty ones", async () => {
    const place = { kind: "banner", labels: ["テレビ, Télé", "😀", ""] } as const;

    await expect(drawPreview(banner, { place })).resolves.toBeDefined();
  });
});

describe("the preview of a watermark", () => {
  it("shows it small in the lower right corner of a video, whatever its shape", async () => {
    const mark = await plain(600, 300, "#00ff00").toBuffer();

    const { bytes } = await drawPreview(mark, { place: { kind: "watermark" } });
    const { width, height, isGreen } = await pixels(bytes);

    expect([width, height]).toEqual([1280, 720]);
    expect([isGreen(1212, 638), isGreen(1100, 638), isGreen(1212, 500)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
