import type { PictureDimensions } from "../size.ts";

/** The picture below the subject, read row by row, so that a plain colour takes no memory. */
export interface Ground {
  /** RGB samples of one row; valid until the next is read. */
  row(y: number): Uint8Array;
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** So many steps between two colours are finer than 8-bit colours can show. */
const steps = 4096;

export function createPlainGround(color: Rgb, { width }: PictureDimensions): Ground {
  const row = Buffer.alloc(width * 3, Uint8Array.from(color));
  return { row: () => row };
}

export function createSamplesGround(rgb: Buffer, { width }: PictureDimensions): Ground {
  return { row: (y) => rgb.subarray(y * width * 3, (y + 1) * width * 3) };
}

/** Enlarges a picture without edges, such as a blurred one: linear interpolation is good enough. */
export function createStretchedGround(
  rgb: Buffer,
  from: PictureDimensions,
  { width, height }: PictureDimensions,
): Ground {
  const columns = findTaps(from.width, width);
  const rows = findTaps(from.height, height);
  const line = new Float32Array(from.width * 3);
  const row = Buffer.alloc(width * 3);
  return {
    row(y) {
      const share = rows.shares[y] ?? 0;
      const upper = (rows.firsts[y] ?? 0) * line.length;
      const lower = upper + (from.height > 1 ? line.length : 0);
      for (let i = 0; i < line.length; i++) {
        const sample = rgb[upper + i] ?? 0;
        // Adding a half rounds the value when the row is written.
        line[i] = sample + ((rgb[lower + i] ?? 0) - sample) * share + 0.5;
      }
      const next = from.width > 1 ? 3 : 0;
      for (let x = 0, at = 0; x < width; x++) {
        const part = columns.shares[x] ?? 0;
        const first = (columns.firsts[x] ?? 0) * 3;
        for (let i = first; i < first + 3; i++) {
          const sample = line[i] ?? 0;
          row[at++] = sample + ((line[i + next] ?? 0) - sample) * part;
        }
      }
      return row;
    },
  };
}

/** For each pixel of the longer line the first of its two neighbours on the shorter, and the share of the second. */
function findTaps(from: number, to: number) {
  const firsts = new Int32Array(to);
  const shares = new Float32Array(to);
  for (let i = 0; i < to; i++) {
    const at = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    firsts[i] = Math.max(0, Math.min(from - 2, Math.floor(at)));
    shares[i] = at - (firsts[i] ?? 0);
  }
  return { firsts, shares };
}

/** Degrees clockwise, 0 from left to right; both colours are reached exactly, in opposite corners or edges. */
export function createGradientGround(
  from: Rgb,
  to: Rgb,
  angle: number,
  size: PictureDimensions,
): Ground {
  const { width, height } = size;
  const radians = (angle * Math.PI) / 180;
  // In floating point the sine of 180° and the cosine of 90° are not exactly 0.
  const [across = 0, down = 0] = [Math.cos(radians), Math.sin(radians)].map((value) =>
    Math.abs(value) < 1e-9 ? 0 : value,
  );
  // From the centre of the first pixel along the gradient to that of the last.
  const length = Math.abs(across) * (width - 1) + Math.abs(down) * (height - 1) || 1;
  const palette = blendTable(from, to);
  const row = Buffer.alloc(width * 3);
  const step = (across / length) * steps;
  let last = Number.NaN;
  return {
    row(y) {
      const start = 0.5 + (down * (y - (height - 1) / 2) - (across * (width - 1)) / 2) / length;
      // In a gradient from left to right all rows are equal.
      if (start === last) return row;
      last = start;
      for (let x = 0, at = 0; x < width; x++, at += 3) {
        // Adding a half rounds.
        const index = Math.trunc(start * steps + 0.5 + step * x) * 3;
        row[at] = palette[index] ?? 0;
        row[at + 1] = palette[index + 1] ?? 0;
        row[at + 2] = palette[index + 2] ?? 0;
      }
      return row;
    },
  };
}

function blendTable(from: Rgb, to: Rgb): Uint8Array {
  const table = new Uint8Array((steps + 1) * 3);
  for (let i = 0; i < table.length; i++) {
    const [a = 0, b = 0] = [from[i % 3], to[i % 3]];
    table[i] = Math.round(a + ((b - a) * Math.floor(i / 3)) / steps);
  }
  return table;
}
