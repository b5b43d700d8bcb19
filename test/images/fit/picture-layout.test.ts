import { describe, expect, it } from "vitest";
import {
  type FitPlace,
  layOutInPlace,
  shrinkLayout,
} from "../../../src/images/fit/picture-layout.ts";
import { seed, seeded } from "../../support/random.ts";

const banner: FitPlace = {
  width: 2560,
  height: 1440,
  shape: "cover",
  minWidth: 2048,
  minHeight: 1152,
};
const size = (text: string) => {
  const [width = 0, height = 0] = text.split("x").map(Number);
  return { width, height };
};
const place = (shape: FitPlace["shape"], sizes: string, min?: string): FitPlace => {
  const least = min === undefined ? undefined : size(min);
  return {
    shape,
    ...size(sizes),
    ...(least && { minWidth: least.width, minHeight: least.height }),
  };
};

describe("layOutInPlace", () => {
  it.each([
    // The source, the file, and whether parts are cropped.
    ["2560x1440", "2560x1440", false],
    ["5120x2880", "2560x1440", false],
    ["2048x1152", "2048x1152", false],
    ["2050x1153", "2050x1153", false],
    ["4000x3000", "2560x1440", true],
    ["2100x1200", "2096x1179", true],
    ["3000x1152", "2048x1152", true],
  ])("gives a banner of %s the size %s", (source, file, isCropped) => {
    expect(layOutInPlace(size(source), banner)).toEqual({
      ...size(file),
      drawn: size(file),
      isCropped,
    });
  });

  it.each([
    ["cover", "400x800", "500x500", "400x400", "400x400"],
    ["contain", "4000x1000", "1280x720", "1280x720", "1280x320"],
    ["contain", "300x300", "1280x720", "533x300", "300x300"],
    ["contain", "1366x769", "1280x720", "1280x720", "1280x720"],
    ["contain", "1366x768", "2560x1440", "1366x768", "1366x768"],
    ["inside", "4000x1000", "1280x720", "1280x320", "1280x320"],
    ["inside", "300x400", "1280x720", "300x400", "300x400"],
  ] as const)("lays %s of %s in %s out as %s around %s", (shape, source, box, file, drawn) => {
    expect(layOutInPlace(size(source), place(shape, box))).toMatchObject({
      ...size(file),
      drawn: size(drawn),
    });
  });

  it.each([
    ["cover", "1920x1080", "2560x1440", "2048x1152"],
    ["cover", "1x1", "2560x1440", "2048x1152"],
    ["cover", "4000x1000", "2560x1440", "2048x1152"],
    ["cover", "1x1", "150x150", undefined],
    ["contain", "1x1", "150x150", undefined],
    ["inside", "1x1", "150x150", undefined],
    ["contain", "600x300", "1280x720", "640x360"],
    ["inside", "639x360", "1280x720", "640x360"],
  ] as const)("finds too little for %s of %s in %s", (shape, source, box, min) => {
    const least = min ?? "16x16";
    expect(() => layOutInPlace(size(source), place(shape, box, min))).toThrow(
      expect.objectContaining({
        code: "picture_too_small",
        facts: {
          ...size(source),
          minWidth: size(least).width,
          minHeight: size(least).height,
        },
      }),
    );
  });

  it.each([
    ["cover", "20000x10", "2560x1440", "2048x1152"],
    ["cover", "20000x10", "1280x720", undefined],
    ["contain", "20000x10", "1280x720", undefined],
    ["inside", "20000x10", "1280x720", undefined],
    ["cover", "10x20000", "150x150", undefined],
    ["inside", "4000x700", "1280x720", "640x360"],
    ["contain", "16000x100", "1280x720", "640x360"],
  ] as const)("finds the shape wrong for %s of %s in %s", (shape, source, box, min) => {
    expect(() => layOutInPlace(size(source), place(shape, box, min))).toThrow(
      expect.objectContaining({
        code: "picture_shape",
        facts: expect.objectContaining({
          ...size(source),
          placeWidth: size(box).width,
          placeHeight: size(box).height,
        }),
      }),
    );
  });

  it("never enlarges, keeps the ratio to a pixel and stays within place and minimum", () => {
    const random = seeded(seed);
    const side = (most: number) => 1 + Math.floor(random() ** 2 * most);
    let laidOut = 0;
    for (let i = 0; i < 3_000; i++) {
      const source = { width: side(6_000), height: side(6_000) };
      const box = { width: 20 + side(3_000), height: 20 + side(3_000) };
      const part = random();
      const shape = (["cover", "contain", "inside"] as const)[i % 3] ?? "cover";
      const min = {
        minWidth: Math.max(1, Math.floor(box.width * part)),
        minHeight: Math.max(1, Math.floor(box.height * part)),
      };
      const asked = { ...box, ...min, shape };
      const about = `seed ${seed}: ${JSON.stringify({ source, asked })}`;
      let layout: ReturnType<typeof layOutInPlace>;
      try {
        layout = layOutInPlace(source, asked);
      } catch (error) {
        expect(error, about).toHaveProperty(
          "code",
          expect.stringMatching(/^picture_(too_small|shape)$/),
        );
        continue;
      }
      laidOut += 1;
      for (const one of [layout, shrinkLayout(layout, random(), source, asked)]) {
        const { width, height, drawn } = one;
        expect(width <= box.width && height <= box.height, about).toBe(true);
        expect(width >= min.minWidth && height >= min.minHeight, about).toBe(true);
        expect(drawn.width <= width && drawn.height <= height, about).toBe(true);
        expect(drawn.width <= source.width && drawn.height <= source.height, about).toBe(true);
        const ratio = shape === "inside" ? source : box;
        const off = Math.min(
          Math.abs((width * ratio.height) / ratio.width - height),
          Math.abs((height * ratio.width) / ratio.height - width),
        );
        expect(off, about).toBeLessThanOrEqual(1);
      }
    }
    expect(laidOut).toBeGreaterThan(500);
  });
});
