import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { compose } from "../../../src/images/cutout/compose.ts";
import { composeSquare } from "../../../src/images/cutout/square.ts";
import { findSubjectBox } from "../../../src/images/cutout/subject.ts";
import { composeThumbnail } from "../../../src/images/draw/thumbnail.ts";
import type { PictureBox } from "../../../src/images/index.ts";
import { grey, zipOf } from "../pictures.ts";
import { alpha, color, plane, scene, subject } from "../scenes.ts";

const visible: PictureBox = {
  left: subject.left,
  top: subject.top,
  width: subject.right - subject.left + 1,
  height: subject.bottom - subject.top + 1,
};

/** A haze at the far left that our own search would count as part of the subject. */
const hazy = plane((x, y) => Math.max(alpha[y * scene.width + x] ?? 0, x < 10 && y > 100 ? 12 : 0));
const hazyZip = zipOf(
  { name: "color.jpg", data: color },
  { name: "alpha.png", data: await grey(hazy, scene.width, scene.height) },
);

describe("findSubjectBox", () => {
  it("finds what is visible where no box was stated", () => {
    expect(findSubjectBox(alpha, scene)).toEqual(visible);
  });

  it.each([
    ["exactly", visible],
    ["without its faint edge", { left: 52, top: 32, width: 46, height: 46 }],
    ["with a pixel of air", { left: 49, top: 29, width: 52, height: 52 }],
  ])("keeps the stated box when that holds the subject %s", (_, foreground) => {
    expect(findSubjectBox(alpha, scene, foreground)).toEqual(foreground);
  });

  it.each([
    ["cuts into it", { left: 60, top: 30, width: 40, height: 50 }],
    ["lies elsewhere", { left: 0, top: 0, width: 20, height: 20 }],
    ["reaches beyond the picture", { left: 50, top: 30, width: 200, height: 50 }],
    ["holds it in far more than it takes", { left: 0, top: 0, width: 160, height: 120 }],
    [
      "is in the pixels of a picture half again as large",
      { left: 75, top: 45, width: 75, height: 75 },
    ],
  ])("is found when the stated box %s", (_, foreground) => {
    expect(findSubjectBox(alpha, scene, foreground)).toEqual(visible);
  });

  it("leaves a haze out that the service does not count", () => {
    expect(findSubjectBox(hazy, scene)).toMatchObject({ left: 0 });
    expect(findSubjectBox(hazy, scene, visible)).toEqual(visible);
  });

  it("is undefined when nothing is visible, whatever box was stated", () => {
    expect(findSubjectBox(Buffer.alloc(alpha.length), scene, visible)).toBeUndefined();
  });
});

describe("a stated foreground", () => {
  it("is what a crop leaves", async () => {
    const options = { format: "png", crop: { margin: 0 } } as const;

    const found = await compose(hazyZip, options);
    const composed = await compose(hazyZip, { ...options, foreground: visible });

    expect([found.width, found.height]).toEqual([100, 90]);
    expect([composed.width, composed.height]).toEqual([50, 50]);
  });

  it("is what a sticker shows large, in its middle", async () => {
    const rows = async (foreground?: PictureBox) => {
      const made = await composeSquare(hazyZip, {
        side: 100,
        maxBytes: 1e6,
        ...(foreground && { foreground }),
      });
      const { data } = await sharp(made.bytes)
        .extractChannel(3)
        .raw()
        .toBuffer({ resolveWithObject: true });
      return [...Array(100).keys()].filter((y) => (data[y * 100 + 50] ?? 0) > 200).length;
    };

    expect(await rows(visible)).toBeGreaterThan(75);
    expect(await rows()).toBeLessThan(65);
  });

  it("is what stands in the middle of a thumbnail", async () => {
    const usual = { width: 320, height: 180, maxBytes: 1e6, subject: "center" } as const;
    const backdrop = { kind: "color", color: "#ffffff" } as const;

    const { bytes } = await composeThumbnail(hazyZip, { ...usual, backdrop, foreground: visible });
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const red = [...Array(info.width).keys()].filter((x) => {
      const at = (90 * info.width + x) * 3;
      return (data[at] ?? 0) > 180 && (data[at + 2] ?? 255) < 120;
    });

    expect((red[0] ?? 0) + (red.at(-1) ?? 0)).toBeGreaterThan(310);
    expect((red[0] ?? 0) + (red.at(-1) ?? 0)).toBeLessThan(330);
  });
});
