import { describe, expect, it } from "vitest";
import type { RawPixels } from "../../../../src/images/index.ts";
import {
  createMatting,
  type SegmentNetwork,
} from "../../../../src/sandbox/background/picture/matte.ts";

const picture: RawPixels = {
  data: new Uint8Array(40 * 30 * 3).fill(120),
  width: 40,
  height: 30,
  channels: 3,
};

/** A network that returns the same value everywhere and records its inputs. */
function flat(value: number): { readonly segment: SegmentNetwork; readonly seen: Float32Array[] } {
  const seen: Float32Array[] = [];
  const segment = async (planes: Float32Array): Promise<Float32Array> => {
    seen.push(planes);
    return new Float32Array(320 * 320).fill(value);
  };
  return { segment, seen };
}

describe("createMatting", () => {
  it.each([
    [0.5, Math.round((255 * (128 / 255 - 0.08)) / 0.84)],
    [0.93, 255],
  ])("stretches a map of %f to %i", async (value, alpha) => {
    const matte = await createMatting(flat(value).segment)(picture, Uint8Array.of(1));

    expect(matte).toHaveLength(40 * 30);
    expect(new Set(matte)).toEqual(new Set([alpha]));
  });

  it("knows no foreground when the map stays under a half", async () => {
    const matting = createMatting(flat(0.499).segment);

    await expect(matting(picture, Uint8Array.of(1))).rejects.toMatchObject({
      complaints: [{ code: "unknown_foreground" }],
    });
  });

  it("divides by the brightest value and applies the network's mean and deviation", async () => {
    const { segment, seen } = flat(1);
    await createMatting(segment)(picture, Uint8Array.of(1));
    const area = 320 * 320;
    const [red, green, blue] = [0, area, 2 * area].map((at) => seen[0]?.[at]);

    expect(seen[0]).toHaveLength(3 * area);
    expect([red, green, blue]).toEqual([
      expect.closeTo((1 - 0.485) / 0.229, 4),
      expect.closeTo((1 - 0.456) / 0.224, 4),
      expect.closeTo((1 - 0.406) / 0.225, 4),
    ]);
  });

  it("runs once for the same bytes in several sizes, and again for others", async () => {
    const { segment, seen } = flat(1);
    const matting = createMatting(segment);
    const small = {
      ...picture,
      data: picture.data.subarray(0, 20 * 15 * 3),
      width: 20,
      height: 15,
    };
    await matting(picture, Uint8Array.of(1));
    const again = await matting(small, Uint8Array.of(1));
    await matting(picture, Uint8Array.of(2));

    expect(again).toHaveLength(20 * 15);
    expect(seen).toHaveLength(2);
  });
});
