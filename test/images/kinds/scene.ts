import sharp, { type Sharp } from "sharp";

/** The picture that every kind of file shows. Its colours reveal a rotation, a mirroring and swapped channels. */
export const width = 48;
export const height = 32;

/** The brightness of red, green or blue, from 0 to 1. */
export function shade(x: number, y: number, channel: number): number {
  const [across, down] = [x / (width - 1), y / (height - 1)];
  return [across, down, 1 - (across + down) / 2][channel] ?? 1;
}

/** Like `shade`, for grey. */
export function greyShade(x: number, y: number): number {
  return (2 * x + y) / (2 * width + height);
}

/** Values row by row, with the channels of a pixel side by side. */
export function valuesOf(
  channels: number,
  at: (x: number, y: number, channel: number) => number,
): readonly number[] {
  return Array.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels);
    return at(pixel % width, Math.floor(pixel / width), i % channels);
  });
}

export const bytesOf = (values: readonly number[]) =>
  Buffer.from(values.map((v) => Math.round(v * 255)));

/** The scene as people see it, in 8-bit sRGB with three channels. */
export const colors = bytesOf(valuesOf(3, shade));
export const greys = bytesOf(valuesOf(3, greyShade));
/** The scene in one bit: light where the grey is light. */
export const isLight = (x: number, y: number) => greyShade(x, y) >= 0.5;
export const bilevel = bytesOf(valuesOf(3, (x, y) => Number(isLight(x, y))));

export const raw = { width, height, channels: 3 } as const;

export function colored(): Sharp {
  return sharp(colors, { raw });
}

const isSolid = (x: number) => Number(x >= width / 2);

/** The left half is transparent. */
export const clearColors = bytesOf(valuesOf(4, (x, y, c) => (c < 3 ? shade(x, y, c) : isSolid(x))));
export const clearGreys = bytesOf(valuesOf(4, (x, y, c) => (c < 3 ? greyShade(x, y) : isSolid(x))));

export function clear(): Sharp {
  return sharp(clearColors, { raw: { ...raw, channels: 4 } });
}

export function grey(): Sharp {
  return sharp(greys, { raw }).toColourspace("b-w");
}

/** The scene as people see it if it is stored unchanged but shown in this orientation: EXIF 2.32, 4.6.4. */
export function turned(orientation: number) {
  const isOnSide = orientation >= 5;
  const [w, h] = isOnSide ? [height, width] : [width, height];
  const pixels = Buffer.alloc(colors.length);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [across, down] = isOnSide ? [y, x] : [x, y];
      const isRight = [2, 3, 7, 8].includes(orientation);
      const isDown = [3, 4, 6, 7].includes(orientation);
      const from =
        ((isDown ? height - 1 - down : down) * width + (isRight ? width - 1 - across : across)) * 3;
      colors.copy(pixels, (y * w + x) * 3, from, from + 3);
    }
  }
  return { pixels, width: w, height: h };
}
