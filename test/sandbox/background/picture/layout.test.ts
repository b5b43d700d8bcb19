import { describe, expect, it } from "vitest";
import { layOutSubject } from "../../../../src/sandbox/background/picture/layout.ts";

const none = { px: 0 };
const found = { left: 100, top: 50, width: 200, height: 80 };
const picture = { width: 1000, height: 400 };
const plain = {
  crop: false,
  margin: [none, none, none, none],
  scale: undefined,
  position: undefined,
  shadow: undefined,
  maxPixels: 50e6,
} as const;

describe("layOutSubject", () => {
  it("leaves everything where it is when nothing is asked", () => {
    expect(layOutSubject(found, picture, plain)).toEqual({ ...picture, subject: found });
  });

  it("takes margins of the subject, top right bottom left, beyond the picture too", () => {
    const margin = [{ share: 0.1 }, { px: 7 }, { share: 0.2 }, { px: 3 }] as const;

    expect(layOutSubject(found, picture, { ...plain, crop: true, margin })).toEqual({
      width: 210,
      height: 104,
      subject: { ...found, left: 3, top: 8 },
    });
  });

  it("stops margins at half the subject and at 500 px", () => {
    const wide = { px: 900 };
    const margin = [wide, wide, wide, wide] as const;
    const large = { left: 0, top: 0, width: 3000, height: 800 };

    expect(layOutSubject(large, large, { ...plain, crop: true, margin })).toMatchObject({
      width: 4000,
      height: 1600,
    });
  });

  it("shrinks a canvas that a margin made too large, and the subject with it", () => {
    const half = { share: 0.5 };
    const margin = [half, half, half, half] as const;
    const maxPixels = (400 * 160) / 4;

    expect(layOutSubject(found, picture, { ...plain, crop: true, margin, maxPixels })).toEqual({
      width: 200,
      height: 80,
      subject: { left: 50, top: 20, width: 100, height: 40 },
    });
  });

  it("keeps a scaled subject's middle where it was, as far as the canvas goes", () => {
    const asked = { ...plain, scale: 1 };

    expect(layOutSubject(found, picture, asked).subject).toEqual({
      left: 0,
      top: 0,
      width: 1000,
      height: 400,
    });
    expect(layOutSubject(found, picture, { ...asked, scale: 0.8 }).subject).toEqual({
      left: 0,
      top: 0,
      width: 800,
      height: 320,
    });
  });

  it("never makes a subject vanish", () => {
    const line = { left: 0, top: 0, width: 1000, height: 1 };

    expect(layOutSubject(line, picture, { ...plain, scale: 0.1 }).subject).toMatchObject({
      width: 100,
      height: 1,
    });
  });
});
