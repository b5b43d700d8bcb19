import { describe, expect, it } from "vitest";
import {
  type CutPicture,
  clearOutside,
  correctEdges,
  crop,
  foreground,
} from "../../../../src/sandbox/background/picture/cutout.ts";
import { layOn } from "../../../../src/sandbox/background/picture/make-cutout.ts";

/** 4 × 3 pixels, red, with an opaque block of 2 × 1 at (1, 1). */
const make = (): CutPicture => ({
  width: 4,
  height: 3,
  color: new Uint8Array(36).map((_, i) => (i % 3 === 0 ? 200 : 0)),
  alpha: Uint8Array.from([0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0]),
});

describe("foreground", () => {
  it("is the smallest box round what is visible", () => {
    expect(foreground(make())).toEqual({ left: 1, top: 1, width: 2, height: 1 });
  });

  it("is absent when nothing is", () => {
    expect(foreground({ ...make(), alpha: new Uint8Array(12) })).toBeUndefined();
  });
});

describe("clearOutside", () => {
  const whole = () => ({ ...make(), alpha: new Uint8Array(12).fill(255) });

  it("keeps to the region, given in pixels of the picture before it was shrunk", () => {
    const cutout = whole();
    const region = [{ px: 2 }, { share: 1 / 3 }, { px: 6 }, { px: 6 }] as const;
    clearOutside(cutout, region, { width: 8, height: 6 });

    expect([...cutout.alpha]).toEqual([0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0]);
  });

  it("clears nothing when the region is the picture", () => {
    const cutout = whole();
    const region = [{ share: 0 }, { share: 0 }, { share: 1 }, { share: 1 }] as const;
    clearOutside(cutout, region, cutout);

    expect(cutout.alpha).toEqual(whole().alpha);
  });
});

describe("crop", () => {
  it("leaves what lies beyond the picture clear", () => {
    const cropped = crop(make(), { left: 2, top: -1, width: 3, height: 3 });

    expect([...cropped.alpha]).toEqual([0, 0, 0, 0, 0, 0, 255, 0, 0]);
    expect([...cropped.color.subarray(18, 21)]).toEqual([200, 0, 0]);
    expect([...cropped.color.subarray(24)]).toEqual([0, 0, 0]);
  });
});

describe("layOn", () => {
  it("mixes soft edges with the colour behind", () => {
    const laid = { ...make(), alpha: make().alpha.map((value) => (value === 255 ? 51 : 0)) };
    layOn(laid, { color: Uint8Array.of(0, 0, 255), alpha: 255 });

    expect([...laid.alpha]).toEqual(Array(12).fill(255));
    expect([...laid.color.subarray(15, 18)]).toEqual([40, 0, 204]);
    expect([...laid.color.subarray(0, 3)]).toEqual([0, 0, 255]);
  });

  it("stays clear on a clear colour", () => {
    const laid = make();
    layOn(laid, { color: Uint8Array.of(9, 9, 9), alpha: 0 });

    expect(laid.alpha).toEqual(make().alpha);
  });

  it("is half as clear on a colour of half opacity", () => {
    const laid = make();
    layOn(laid, { color: Uint8Array.of(9, 9, 9), alpha: 128 });

    expect([laid.alpha[0], laid.alpha[5], laid.color[0]]).toEqual([128, 255, 9]);
  });
});

describe("correctEdges", () => {
  it("gives a soft pixel the colour of the subject beside it", () => {
    const cutout = make();
    cutout.color.set([0, 250, 0], 21);
    cutout.alpha[7] = 51;
    correctEdges(cutout);

    expect([...cutout.color.subarray(21, 24)]).toEqual([160, 50, 0]);
  });

  it("looks further where the matte was enlarged more", () => {
    const [width, height] = [1280, 1];
    const alpha = new Uint8Array(width).fill(255, 0, 10);
    alpha[21] = 51;
    const color = new Uint8Array(width * 3).fill(255, 0, 30);
    correctEdges({ width, height, color, alpha });

    expect([...color.subarray(63, 66)]).toEqual([204, 204, 204]);
  });
});
