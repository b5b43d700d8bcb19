import sharp from "sharp";
import { grey, noise, zipOf } from "./pictures.ts";

export type Rgb = readonly [red: number, green: number, blue: number];

export const scene = { width: 160, height: 120 } as const;
/** The subject's outermost pixels. */
export const subject = { left: 50, top: 30, right: 99, bottom: 79 } as const;
export const subjectColor: Rgb = [220, 30, 40];
/** The hidden background's colour, which is used nowhere else. */
export const hidden: Rgb = [20, 60, 250];

/** 0 inside the subject, otherwise the distance to it. */
export function away(x: number, y: number): number {
  const { left, top, right, bottom } = subject;
  return Math.hypot(Math.max(0, left - x, x - right), Math.max(0, top - y, y - bottom));
}

export function plane(of: (x: number, y: number) => number): Buffer {
  return Buffer.from(
    Array.from({ length: scene.width * scene.height }, (_, i) =>
      of(i % scene.width, Math.floor(i / scene.width)),
    ),
  );
}

/** A square on transparency, whose edge of some pixels is inside of it. */
export const alpha = plane((x, y) => {
  const { left, top, right, bottom } = subject;
  const inside = Math.min(x - left, right - x, y - top, bottom - y);
  return Math.max(0, Math.min(255, (inside + 1) * 50));
});

const grain = noise(alpha.length);

/**
 * The subject, with grain in its green. Its colour extends two pixels beyond its edge, in front of the hidden
 * background.
 */
export const colors = Buffer.from(
  Array.from({ length: alpha.length }, (_, i) => {
    const isNear = away(i % scene.width, Math.floor(i / scene.width)) <= 2;
    const [red, green, blue] = subjectColor;
    return isNear ? [red, green + ((grain[i] ?? 0) >> 1), blue] : hidden;
  }).flat(),
);

const raw = { ...scene, channels: 3 } as const;
export const color = await sharp(colors, { raw })
  .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
  .withIccProfile("srgb")
  .toBuffer();
export const matte = await grey(alpha, scene.width, scene.height);
export const zip = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: matte });

/** The same as one picture; the background is still there where alpha is 0. */
export const rgba = Buffer.from(
  Array.from({ length: alpha.length }, (_, i) => [
    ...colors.subarray(i * 3, i * 3 + 3),
    alpha[i] ?? 0,
  ]).flat(),
);
export const transparent = () => sharp(rgba, { raw: { ...scene, channels: 4 } });

/** Decoded independently, ignoring the profile. */
export async function pixelsOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes, { ignoreIcc: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (y * info.width + x) * info.channels;
    return [...data.subarray(start, start + info.channels)];
  };
  return { data, at, width: info.width, height: info.height, channels: info.channels };
}

/** How many pixels still have some of the hidden background's blue. */
export function traces({ data, channels }: { readonly data: Buffer; readonly channels: number }) {
  let count = 0;
  for (let i = 0; i < data.length; i += channels) {
    const [red = 0, , blue = 0] = data.subarray(i, i + 3);
    if (blue > red + 60) count++;
  }
  return count;
}
