import { describe, expect, it } from "vitest";
import { flattenOnto } from "../../src/images/flatten.ts";
import { seed, seeded } from "../support/random.ts";

const color = [255, 136, 7] as const;

function expected(rgb: Buffer, alpha: Buffer): number[] {
  return [...rgb].map((sample, at) => {
    const on = (alpha[Math.floor(at / 3)] ?? 0) / 255;
    return Math.round(sample * on + (color[at % 3] ?? 0) * (1 - on));
  });
}

describe("flattenOnto", () => {
  it.each([1, 3, 4, 5, 16, 1003])(`lays %i pixels onto the colour (seed ${seed})`, (pixels) => {
    const random = seeded(seed + pixels);
    const rgb = Buffer.from(Array.from({ length: pixels * 3 }, () => random() * 256));
    const alpha = Buffer.from(
      Array.from(
        { length: pixels },
        () => [0, 0, 0, 255, 255, random() * 256][Math.floor(random() * 6)] ?? 0,
      ),
    );
    const wanted = expected(rgb, alpha);

    flattenOnto(rgb, alpha, color);

    expect([...rgb]).toEqual(wanted);
  });

  it("does the same where the memory is not aligned", () => {
    const room = Buffer.alloc(64, 90);
    const rgb = room.subarray(1, 1 + 24);
    const alpha = Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]);
    const wanted = expected(rgb, alpha);

    flattenOnto(rgb, alpha, color);

    expect([...rgb]).toEqual(wanted);
  });

  it("leaves the four neighbours of a whole block alone", () => {
    const rgb = Buffer.alloc(24, 50);
    const alpha = Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]);

    flattenOnto(rgb, alpha, color);

    expect([...rgb.subarray(12)]).toEqual(Array(12).fill(50));
  });
});
