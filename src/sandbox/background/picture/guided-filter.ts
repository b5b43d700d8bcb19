import type { RawPixels } from "../../../images/index.ts";

export interface GuidedFilterOptions {
  /** Each window reaches so far to every side, as a share of the longer side of the picture. */
  readonly reach: number;
  /** How much a window's brightness must vary for its edges to count; of a brightness from 0 to 1, squared. */
  readonly epsilon: number;
}

/** The linear functions are found on a picture of about this many pixels a side: its time and memory stay the same. */
const fittedSide = 640;

interface Plane {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Moves the edges of a matte to those of its picture, in place: in each window the opacity is taken for a linear function of the
 * brightness (He, Sun and Tang, Guided Image Filtering, 2010). The functions change slowly, so they are found on a smaller
 * picture, and then applied to every pixel's own brightness (He and Sun, Fast Guided Filter, 2015).
 */
export function filterMatte(
  matte: Uint8Array,
  picture: RawPixels,
  { reach, epsilon }: GuidedFilterOptions,
): void {
  const longer = Math.max(picture.width, picture.height);
  const step = Math.max(1, Math.round(longer / fittedSide));
  const radius = Math.max(1, Math.round((reach * longer) / step));
  const guide = averageBlocks(picture, step, (pixel) => brightnessAt(picture.data, pixel));
  const opacity = averageBlocks(picture, step, (pixel) => (matte[pixel] ?? 0) / 255);
  applyFunctions(matte, picture, { ...fitFunctions(guide, opacity, { radius, epsilon }), step });
}

/** 0 to 1: ITU-R BT.601. */
function brightnessAt(rgb: Uint8Array, pixel: number): number {
  const at = pixel * 3;
  return (77 * (rgb[at] ?? 0) + 150 * (rgb[at + 1] ?? 0) + 29 * (rgb[at + 2] ?? 0)) / 65_280;
}

/** The mean of each block of `step` by `step` pixels; those at the right and lower edges may be smaller. */
function averageBlocks(
  { width, height }: RawPixels,
  step: number,
  valueAt: (pixel: number) => number,
): Plane {
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  const values = new Float32Array(columns * rows);
  for (let y = 0, pixel = 0; y < height; y++) {
    const row = Math.floor(y / step) * columns;
    for (let x = 0, at = row, left = step; x < width; x++, pixel++) {
      values[at] = (values[at] ?? 0) + valueAt(pixel);
      left -= 1;
      if (left === 0) [at, left] = [at + 1, step];
    }
  }
  for (let y = 0, at = 0; y < rows; y++) {
    const tall = Math.min(step, height - y * step);
    for (let x = 0; x < columns; x++, at++) {
      values[at] = (values[at] ?? 0) / (tall * Math.min(step, width - x * step));
    }
  }
  return { values, width: columns, height: rows };
}

interface FittedFunctions {
  readonly slope: Plane;
  readonly offset: Plane;
  /** How much of the matte the functions explain, from 0 to 1: nothing where subject and background are equally bright. */
  readonly trust: Plane;
}

/** For each pixel of the smaller picture the mean of the functions of all windows that it lies in: opacity = slope * brightness + offset. */
function fitFunctions(
  guide: Plane,
  opacity: Plane,
  { radius, epsilon }: { readonly radius: number; readonly epsilon: number },
): FittedFunctions {
  const mean = (values: Float32Array) => averageWindows({ ...guide, values }, radius);
  const [i, p] = [guide.values, opacity.values];
  const [meanI, meanP] = [mean(i), mean(p)];
  const meanIP = mean(i.map((value, at) => value * (p[at] ?? 0)));
  const slopes = mean(i.map((value) => value * value));
  const trust = mean(p.map((value) => value * value));
  for (let at = 0; at < slopes.length; at++) {
    const [brightness = 0, share = 0] = [meanI[at], meanP[at]];
    const variance = (slopes[at] ?? 0) - brightness * brightness;
    const covariance = (meanIP[at] ?? 0) - brightness * share;
    const slope = covariance / (variance + epsilon);
    const spread = Math.max(0, (trust[at] ?? 0) - share * share) + epsilon;
    trust[at] = Math.min(1, (slope * covariance) / spread);
    slopes[at] = slope;
    meanP[at] = share - slope * brightness;
  }
  return {
    slope: { ...guide, values: mean(slopes) },
    offset: { ...guide, values: mean(meanP) },
    trust: { ...guide, values: mean(trust) },
  };
}

/** The mean of each pixel's window, which ends at the edges of the plane. Sums run along, so the radius costs nothing. */
function averageWindows({ values, width, height }: Plane, radius: number): Float32Array {
  const across = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    averageLine(values, across, { from: y * width, step: 1, count: width }, radius);
  }
  const means = new Float32Array(values.length);
  for (let x = 0; x < width; x++) {
    averageLine(across, means, { from: x, step: width, count: height }, radius);
  }
  return means;
}

function averageLine(
  from: Float32Array,
  to: Float32Array,
  line: { readonly from: number; readonly step: number; readonly count: number },
  radius: number,
): void {
  const { step, count } = line;
  const at = (index: number) => line.from + index * step;
  let sum = 0;
  for (let index = 0; index < Math.min(radius, count); index++) sum += from[at(index)] ?? 0;
  for (let index = 0; index < count; index++) {
    if (index + radius < count) sum += from[at(index + radius)] ?? 0;
    if (index - radius > 0) sum -= from[at(index - radius - 1)] ?? 0;
    const first = Math.max(0, index - radius);
    to[at(index)] = sum / (Math.min(count - 1, index + radius) - first + 1);
  }
}

/** Between the pixels of the smaller picture the functions are interpolated. What they don't explain stays as it was. */
function applyFunctions(
  matte: Uint8Array,
  { data, width, height }: RawPixels,
  { slope, offset, trust, step }: FittedFunctions & { readonly step: number },
): void {
  const columns = slope.width;
  const [slopes, offsets] = [new Float32Array(columns), new Float32Array(columns)];
  const trusts = new Float32Array(columns);
  for (let y = 0, pixel = 0; y < height; y++) {
    const { low, high, share } = neighbors(y, step, slope.height);
    for (let x = 0; x < columns; x++) {
      const [above, below] = [low * columns + x, high * columns + x];
      slopes[x] = mix(slope.values[above], slope.values[below], share);
      offsets[x] = mix(offset.values[above], offset.values[below], share);
      trusts[x] = mix(trust.values[above], trust.values[below], share);
    }
    for (let x = 0; x < width; x++, pixel++) {
      const at = Math.max(0, (x + 0.5) / step - 0.5);
      const left = Math.min(columns - 1, Math.floor(at));
      const right = Math.min(columns - 1, left + 1);
      const part = at - left;
      const opacity =
        mix(slopes[left], slopes[right], part) * brightnessAt(data, pixel) +
        mix(offsets[left], offsets[right], part);
      const before = matte[pixel] ?? 0;
      const after = 255 * Math.min(1, Math.max(0, opacity));
      matte[pixel] = Math.round(mix(before, after, mix(trusts[left], trusts[right], part)));
    }
  }
}

function neighbors(index: number, step: number, count: number) {
  const at = Math.max(0, (index + 0.5) / step - 0.5);
  const low = Math.min(count - 1, Math.floor(at));
  return { low, high: Math.min(count - 1, low + 1), share: Math.min(1, at - low) };
}

const mix = (one = 0, other = 0, share: number) => one + (other - one) * share;
