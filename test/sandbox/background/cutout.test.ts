import { describe, expect, it } from "vitest";
import {
  type Cutout,
  correctEdges,
  crop,
  foreground,
  onBackdrop,
  withMargin,
} from "../../../src/sandbox/background/cutout.ts";

/** 4 x 3, red, with an opaque block of 2 x 1 at (1, 1). */
const small: Cutout = {
  width: 4,
  height: 3,
  color: new Uint8Array(36).map((_, i) => (i % 3 === 0 ? 200 : 0)),
  alpha: Uint8Array.from([0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0]),
};

describe("foreground", () => {
  it("is the smallest box round what is visible", () => {
    expect(foreground(small)).toEqual({ left: 1, top: 1, width: 2, height: 1 });
  });

  it("is absent when nothing is", () => {
    expect(foreground({ ...small, alpha: new Uint8Array(12) })).toBeUndefined();
  });
});

describe("withMargin", () => {
  const box = { left: 100, top: 50, width: 200, height: 80 };

  it("takes shares of the subject, top right bottom left", () => {
    const margin = [{ share: 0.1 }, { px: 7 }, { share: 0.2 }, { px: 3 }] as const;

    expect(withMargin(box, margin)).toEqual({ left: 97, top: 42, width: 210, height: 104 });
  });

  it("stops at half the subject", () => {
    const wide = { px: 400 };

    expect(withMargin(box, [wide, wide, wide, wide])).toEqual({
      left: 0,
      top: 10,
      width: 400,
      height: 160,
    });
  });
});

describe("crop", () => {
  it("leaves what lies beyond the picture clear", () => {
    const cropped = crop(small, { left: 2, top: -1, width: 3, height: 3 });

    expect([...cropped.alpha]).toEqual([0, 0, 0, 0, 0, 0, 255, 0, 0]);
    expect([...cropped.color.subarray(18, 21)]).toEqual([200, 0, 0]);
    expect([...cropped.color.subarray(24)]).toEqual([0, 0, 0]);
  });
});

describe("onBackdrop", () => {
  it("mixes soft edges with the colour behind", () => {
    const soft = { ...small, alpha: small.alpha.map((value) => (value === 255 ? 51 : 0)) };
    const laid = onBackdrop(soft, { color: Uint8Array.of(0, 0, 255), alpha: 255 });

    expect([...laid.alpha]).toEqual(Array(12).fill(255));
    expect([...laid.color.subarray(15, 18)]).toEqual([40, 0, 204]);
    expect([...laid.color.subarray(0, 3)]).toEqual([0, 0, 255]);
  });

  it("stays clear on a clear colour", () => {
    const laid = onBackdrop(small, { color: Uint8Array.of(9, 9, 9), alpha: 0 });

    expect(laid.alpha).toEqual(small.alpha);
  });
});

describe("correctEdges", () => {
  it("gives a soft pixel the colour of the subject beside it", () => {
    const color = small.color.slice();
    color.set([0, 250, 0], 21);
    const alpha = small.alpha.slice();
    alpha[7] = 51;
    const { color: corrected } = correctEdges({ ...small, color, alpha });

    expect([...corrected.subarray(21, 24)]).toEqual([160, 50, 0]);
  });
});
