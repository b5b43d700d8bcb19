import { type GifPlan, gifOf } from "./gif-writer.ts";
import { type PictureKind, read, refused } from "./kind.ts";
import { ramp, stepped } from "./png-kinds.ts";
import { colored, colors, greyShade, height, valuesOf, width } from "./scene.ts";

const palette = Array.from({ length: 256 }, (_, i) =>
  ramp(i / 255).map((v) => Math.round(v * 255)),
).flat();
const indexes = valuesOf(1, greyShade).map((value) => Math.round(value * 255));
const frame = { left: 0, top: 0, width, height, indexes } as const;
const plain = {
  version: "89a",
  width,
  height,
  palette,
  frames: [frame],
} as const satisfies GifPlan;
const seen = { pixels: stepped(8, ramp) } as const;

const clearIndex = 200;
const half = indexes.map((index, i) => (i % width < width / 2 ? clearIndex : Math.min(index, 199)));
const clear = {
  pixels: Buffer.from(
    half.flatMap((index) =>
      index === clearIndex ? [0, 0, 0, 0] : [...palette.slice(index * 3, index * 3 + 3), 255],
    ),
  ),
};

/** A frame that covers only the lower right quarter. No frame covers the rest, which shows as black. */
const [left, top] = [width / 2, height / 2];
const quarter = indexes.filter((_, i) => i % width >= left && Math.floor(i / width) >= top);
const quarterSeen = {
  pixels: Buffer.from(
    indexes.flatMap((index, i) =>
      i % width >= left && Math.floor(i / width) >= top
        ? palette.slice(index * 3, index * 3 + 3)
        : [0, 0, 0],
    ),
  ),
};

const other = { ...frame, indexes: indexes.map((index) => 255 - index) };

export const gifKinds: readonly PictureKind[] = [
  read("GIF, 89a", () => gifOf(plain), seen),
  read("GIF, 87a", () => gifOf({ ...plain, version: "87a" }), seen),
  read(
    "GIF, interlaced",
    () => gifOf({ ...plain, frames: [{ ...frame, isInterlaced: true }] }),
    seen,
  ),
  read(
    "GIF, colours of its frame",
    () => gifOf({ version: "89a", width, height, frames: [{ ...frame, palette }] }),
    seen,
  ),
  read("GIF, comment", () => gifOf({ ...plain, comment: "CANARY" }), seen),
  read(
    "GIF, clear in parts",
    () => gifOf({ ...plain, frames: [{ ...frame, indexes: half, clear: clearIndex }] }),
    clear,
  ),
  read(
    "GIF, frame smaller than its screen",
    () => gifOf({ ...plain, frames: [{ left, top, width: left, height: top, indexes: quarter }] }),
    quarterSeen,
  ),
  ...[0, 1, 2, 3].map((disposal) =>
    read(
      `GIF, animated, disposal ${disposal}`,
      () => gifOf({ ...plain, frames: [{ ...frame, disposal }, other] }),
      seen,
    ),
  ),
  read("GIF, as our encoder writes it", () => colored().gif().toBuffer(), {
    pixels: colors,
    within: 8,
  }),
  read(
    "GIF, bytes behind its end",
    () => Buffer.concat([gifOf(plain), Buffer.from("CANARY")]),
    seen,
  ),
  refused("GIF, half of it", () => gifOf(plain).subarray(0, 1_200), "picture_truncated"),
];
