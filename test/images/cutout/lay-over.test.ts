import { describe, expect, it } from "vitest";
import {
  createGradientGround,
  createPlainGround,
  createSamplesGround,
} from "../../../src/images/cutout/ground.ts";
import { layOnShadow, layOver } from "../../../src/images/cutout/lay-over.ts";
import { seed, seeded } from "../../support/random.ts";

const rounds = 50;

/** A small random scene: runs of fully opaque and fully transparent pixels, and every alpha in between. */
function scene(random: () => number) {
  const size = { width: 1 + Math.floor(random() * 24), height: 1 + Math.floor(random() * 12) };
  const pixels = size.width * size.height;
  let run = 0;
  let value = 0;
  const plane = () =>
    Buffer.from(
      Array.from({ length: pixels }, () => {
        if (run-- <= 0) {
          run = random() * 9;
          value = [0, 0, 255, 255, 1, 254, random() * 256][Math.floor(random() * 7)] ?? 0;
        }
        return value;
      }),
    );
  const colors = () => Buffer.from(Array.from({ length: pixels * 3 }, () => random() * 256));
  return { size, rgb: colors(), under: colors(), alpha: plane(), shade: plane() };
}

/** The textbook formula: the subject over the shadow over the background. */
function over(top: number, ground: number, on: number, dark: number): number {
  const shaded = ground * (1 - dark / 255);
  return top * (on / 255) + shaded * (1 - on / 255);
}

describe("layOver", () => {
  it.each(["with", "without"])(
    `composes as the formula has it, %s a shadow (seed ${seed})`,
    (how) => {
      const random = seeded(seed);
      for (let round = 0; round < rounds; round++) {
        const { size, rgb, under, alpha, shade } = scene(random);
        const dark = how === "with" ? shade : undefined;
        const wanted = [...rgb].map((sample, i) => {
          const pixel = Math.floor(i / 3);
          return over(sample, under[i] ?? 0, alpha[pixel] ?? 0, dark?.[pixel] ?? 0);
        });

        layOver({ rgb, alpha, ...size }, createSamplesGround(under, size), dark);

        const off = wanted.map((value, i) => Math.abs(value - (rgb[i] ?? 0)));
        expect(Math.max(...off)).toBeLessThanOrEqual(0.51);
      }
    },
  );

  it("lays a plain ground as exactly", () => {
    const size = { width: 3, height: 1 };
    const rgb = Buffer.from([10, 20, 30, 10, 20, 30, 10, 20, 30]);

    layOver(
      { rgb, alpha: Buffer.from([255, 0, 128]), ...size },
      createPlainGround([200, 100, 0], size),
    );

    expect([...rgb]).toEqual([10, 20, 30, 200, 100, 0, 105, 60, 15]);
  });
});

describe("layOnShadow", () => {
  it(`looks on any ground as if all three were laid together (seed ${seed})`, () => {
    const random = seeded(seed);
    for (let round = 0; round < rounds; round++) {
      const { rgb, under, alpha, shade, size } = scene(random);
      const [top, on] = [Buffer.from(rgb), Buffer.from(alpha)];

      layOnShadow({ rgb, alpha, ...size }, shade);

      for (const [i, ground] of under.entries()) {
        const pixel = Math.floor(i / 3);
        const wanted = over(top[i] ?? 0, ground, on[pixel] ?? 0, shade[pixel] ?? 0);
        const got = over(rgb[i] ?? 0, ground, alpha[pixel] ?? 0, 0);
        // Colour and alpha are each rounded to 8 bits.
        expect(Math.abs(wanted - got)).toBeLessThanOrEqual(1.01);
      }
    }
  });

  it("leaves no colour where neither is", () => {
    const rgb = Buffer.from([9, 9, 9]);
    const alpha = Buffer.from([0]);

    layOnShadow({ rgb, alpha, width: 1, height: 1 }, Buffer.from([0]));

    expect([...rgb, ...alpha]).toEqual([0, 0, 0, 0]);
  });
});

describe("createGradientGround", () => {
  const [from, to] = [[255, 0, 10] as const, [0, 200, 30] as const];
  const size = { width: 40, height: 25 };
  const pixel = (angle: number, [x, y]: readonly [x: number, y: number]) => [
    ...createGradientGround(from, to, angle, size)
      .row(y)
      .subarray(x * 3, x * 3 + 3),
  ];

  it.each([
    [0, [0, 12], [39, 3]],
    [90, [17, 0], [5, 24]],
    [180, [39, 0], [0, 24]],
    [270, [4, 24], [8, 0]],
    [-90, [4, 24], [8, 0]],
    [45, [0, 0], [39, 24]],
    [135, [39, 0], [0, 24]],
    [750, [0, 0], [39, 24]],
  ] as const)("reaches both colours at %i degrees", (angle, start, end) => {
    expect(pixel(angle, start)).toEqual(from);
    expect(pixel(angle, end)).toEqual(to);
  });

  it("goes evenly from one to the other", () => {
    const ground = createGradientGround([0, 0, 0], [255, 255, 255], 90, { width: 1, height: 256 });

    const values = Array.from({ length: 256 }, (_, y) => ground.row(y)[0] ?? 0);
    expect(Math.max(...values.map((value, y) => Math.abs(value - y)))).toBeLessThanOrEqual(1);
  });

  it("takes a single pixel", () => {
    expect(createGradientGround(from, to, 30, { width: 1, height: 1 }).row(0).length).toBe(3);
  });
});
