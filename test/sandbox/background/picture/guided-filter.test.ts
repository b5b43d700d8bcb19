import { describe, expect, it } from "vitest";
import { type RawPixels, resizePixels } from "../../../../src/images/index.ts";
import { filterMatte } from "../../../../src/sandbox/background/picture/guided-filter.ts";
import { seeded } from "../../../support/random.ts";

const options = { reach: 3 / 320, epsilon: 1e-4 };
/** Pixels of the longer side of a network's map. */
const mapSide = 320;

/** A dark subject with strands on a light ground, both with grain, and how opaque each pixel really is. */
function drawScene(
  width: number,
  height: number,
  ground = 210,
): { picture: RawPixels; truth: Uint8Array } {
  const random = seeded(7);
  const data = new Uint8Array(width * height * 3);
  const truth = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const distance = Math.hypot(
        (x - width / 2) / (0.3 * width),
        (y - height / 2) / (0.36 * height),
      );
      const isStrand = distance < 1.2 && (x + y) % 40 < 3;
      const inside = Math.min(1, Math.max(0, (1 - distance) / 0.02 + 0.5));
      const share = isStrand ? Math.max(inside, 0.9) : inside;
      truth[i] = Math.round(255 * share);
      const grain = 10 * (random() - 0.5);
      for (let c = 0; c < 3; c++) {
        data[i * 3 + c] = Math.round(share * (40 + grain) + (1 - share) * (ground + grain));
      }
    }
  }
  return { picture: { data, width, height, channels: 3 }, truth };
}

/** The matte as it comes back from a small map. */
async function soften(truth: Uint8Array, { width, height }: RawPixels): Promise<Uint8Array> {
  const small = {
    width: mapSide,
    height: Math.round((mapSide * height) / width),
    kernel: "mitchell",
  } as const;
  const map = await resizePixels({ data: truth, width, height, channels: 1 }, small);
  const whole = await resizePixels(map, { width, height, kernel: "cubic" });
  return whole.data;
}

/** The mean error where the matte, or the truth, is neither clear nor opaque. */
function errorInBand(matte: Uint8Array, soft: Uint8Array, truth: Uint8Array): number {
  const isBetween = (value = 0) => value > 10 && value < 245;
  let [sum, count] = [0, 0];
  for (const [i, value] of matte.entries()) {
    if (!isBetween(soft[i]) && !isBetween(truth[i])) continue;
    sum += Math.abs(value - (truth[i] ?? 0)) / 255;
    count += 1;
  }
  return sum / count;
}

describe("filterMatte", () => {
  it.each([
    ["found on the picture itself", 640, 240],
    ["found on a smaller one", 1280, 480],
  ])("brings a soft matte nearer to the truth, with functions %s", async (_, width, height) => {
    const { picture, truth } = drawScene(width, height);
    const soft = await soften(truth, picture);

    const filtered = Uint8Array.from(soft);
    filterMatte(filtered, picture, options);

    const before = errorInBand(soft, soft, truth);
    expect(errorInBand(filtered, soft, truth)).toBeLessThan(0.9 * before);
  });

  it("leaves a soft matte nearly as it is where subject and ground are equally bright", async () => {
    const { picture, truth } = drawScene(640, 240, 40);
    const soft = await soften(truth, picture);

    const filtered = Uint8Array.from(soft);
    filterMatte(filtered, picture, options);

    expect(errorInBand(filtered, soft, soft)).toBeLessThan(0.02);
  });

  it.each([0, 128, 255])("leaves a matte that is %i everywhere as it is", (value) => {
    const { picture } = drawScene(97, 61);
    const matte = new Uint8Array(97 * 61).fill(value);

    filterMatte(matte, picture, options);

    expect(new Set(matte)).toEqual(new Set([value]));
  });

  it.each([
    [1, 1],
    [1, 400],
    [2000, 3],
  ])("takes a picture of %i × %i", (width, height) => {
    const matte = new Uint8Array(width * height).fill(200);
    const data = new Uint8Array(width * height * 3).fill(90);

    filterMatte(matte, { data, width, height, channels: 3 }, options);

    expect(new Set(matte)).toEqual(new Set([200]));
  });
});
