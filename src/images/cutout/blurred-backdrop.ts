import { loadSharp } from "../sharp.ts";
import { type PictureDimensions, scaledBy } from "../size.ts";
import { createStretchedGround, type Ground } from "./ground.ts";
import { readOneChannel, renderSamples } from "./planes.ts";

/** A picture that still contains what was behind its subject. */
export interface UncutPicture {
  readonly rgb: Buffer;
  readonly alpha: Buffer;
}

const usualStrength = 40;

/** Standard deviation at full strength, as a share of the longer side. */
const fullSigma = 0.05;

/** The blur is computed on a smaller picture, where it has this many pixels; enlarged, it looks the same. */
const computedSigma = 4;
const computedSide = { least: 128, most: 800 } as const;

/**
 * How far each pass looks, as a multiple of the blur's own reach, from the farthest to the nearest, so that the whole subject
 * is filled.
 */
const reachFactors = [64, 16, 4, 1] as const;

/** Weight of a farther pass against a nearer one: so little that it decides only where the nearer one sees nothing. */
const farWeight = 0.004;

/**
 * The picture's own background, blurred as if the subject had never been there: the subject's colours have no weight,
 * and every pixel is divided by the weight of its neighbourhood, so that no glow of the subject is left around it. Of the
 * subject it is the other way round.
 */
export async function blurBackdrop(
  { rgb, alpha }: UncutPicture,
  size: PictureDimensions,
  { strength = usualStrength, of }: { readonly strength?: number; readonly of?: "subject" } = {},
): Promise<Ground> {
  const { width, height } = size;
  const long = Math.max(width, height);
  const sigma = (fullSigma * long * Math.min(100, Math.max(1, strength))) / 100;
  const side = Math.min(
    long,
    computedSide.most,
    Math.max(computedSide.least, (long * computedSigma) / sigma),
  );
  const scale = side / long;
  const small = scaledBy(size, scale);
  const sharp = await loadSharp();
  const raw = (of: PictureDimensions, channels: 1 | 3) => ({
    raw: { width: of.width, height: of.height, channels },
  });
  const smaller = { ...small, fit: "fill" } as const;
  const colors = await renderSamples(sharp(rgb, raw(size, 3)).resize(smaller), 3);
  const matte = await readOneChannel(sharp(alpha, raw(size, 1)).resize(smaller));
  const isOfSubject = of === "subject";
  const weights = isOfSubject
    ? Float32Array.from(matte, (value) => value / 255)
    : Float32Array.from(widen(matte, small), (value) => Math.max(0, 1 - value / opaqueEnough));
  const around = blurWeighted(colors, weights, { ...small, sigma: sigma * scale });
  const blurred = isOfSubject ? setApart(around) : around;
  return createStretchedGround(blurred, small, size);
}

/** The subject's colours reach this many pixels beyond its matte, because its edge was corrected there. */
const bleed = 2;

/** The matte with the greatest value within reach, across and then down. */
function widen(matte: Buffer, { width, height }: PictureDimensions): Buffer {
  const across = greatestWithin(matte, { lines: height, count: width, step: 1, jump: width });
  return greatestWithin(across, { lines: width, count: height, step: width, jump: 1 });
}

interface LineGrid {
  readonly lines: number;
  readonly count: number;
  /** From one value of a line to the next, and from one line to the next. */
  readonly step: number;
  readonly jump: number;
}

function greatestWithin(from: Buffer, { lines, count, step, jump }: LineGrid): Buffer {
  const to = Buffer.allocUnsafe(from.length);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < count; i++) {
      let most = 0;
      for (let near = Math.max(0, i - bleed); near <= Math.min(count - 1, i + bleed); near++) {
        most = Math.max(most, from[line * jump + near * step] ?? 0);
      }
      to[line * jump + i * step] = most;
    }
  }
  return to;
}

/** From this alpha on a pixel counts as the subject: under a soft edge the colours are the subject's alone. */
const opaqueEnough = 16;

interface BlurSize extends PictureDimensions {
  readonly sigma: number;
}

/** blur(colour x weight) / blur(weight), from the farthest pass to the nearest. */
function blurWeighted(
  colors: Buffer,
  weights: Float32Array,
  { width, height, sigma }: BlurSize,
): Buffer {
  const channels = [0, 1, 2].map((channel) =>
    weights.map((weight, i) => weight * (colors[i * 3 + channel] ?? 0)),
  );
  const known = weights.reduce((sum, value) => sum + value, 0);
  // Grey where nothing at all is known.
  const far = channels.map((channel) =>
    known < 1 ? 128 : channel.reduce((sum, value) => sum + value, 0) / known,
  );
  const filled = far.map((value) => new Float32Array(weights.length).fill(value));
  for (const times of reachFactors) {
    const reach = Math.min(sigma * times, Math.max(width, height));
    const size = { width, height, sigma: reach };
    const below = blur(weights, size);
    for (const [i, channel] of channels.entries()) {
      const above = blur(channel, size);
      const before = filled[i] ?? above;
      for (let at = 0; at < above.length; at++) {
        const sum = (above[at] ?? 0) + farWeight * (before[at] ?? 0);
        before[at] = sum / ((below[at] ?? 0) + farWeight);
      }
    }
  }
  const blurred = Buffer.allocUnsafe(colors.length);
  for (let i = 0; i < blurred.length; i++) {
    blurred[i] = Math.min(255, (filled[i % 3]?.[Math.floor(i / 3)] ?? 0) + 0.5);
  }
  return blurred;
}

/** Half as far from white, or from black if they are light, so that the subject stands out from its own colours. */
function setApart(colors: Buffer): Buffer {
  const sum = colors.reduce((all, sample) => all + sample, 0);
  const goal = sum / colors.length > 170 ? 0 : 255;
  return Buffer.from(colors.map((sample) => (sample + goal) / 2));
}

/** Three running means one after the other come close to a bell curve, at a cost that does not grow with its width. */
function blur(values: Float32Array, { width, height, sigma }: BlurSize): Float32Array {
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2));
  const [from, to] = [Float32Array.from(values), new Float32Array(values.length)];
  for (let pass = 0; pass < 3; pass++) {
    for (let y = 0; y < height; y++) {
      runningMean(from, to, { start: y * width, step: 1, count: width, radius });
    }
    for (let x = 0; x < width; x++) {
      runningMean(to, from, { start: x, step: width, count: height, radius });
    }
  }
  return from;
}

interface SampleLine {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly radius: number;
}

/** Values beyond the edge count like the outermost ones. */
function runningMean(
  from: Float32Array,
  to: Float32Array,
  { start, step, count, radius }: SampleLine,
) {
  const last = start + (count - 1) * step;
  const ahead = (radius + 1) * step;
  const behind = radius * step;
  const [before = 0, after = 0] = [from[start], from[last]];
  let sum = before * (radius + 1);
  for (let i = 1; i <= radius; i++) sum += from[Math.min(last, start + i * step)] ?? 0;
  for (let at = start; at <= last; at += step) {
    to[at] = sum / (2 * radius + 1);
    const entering = at + ahead > last ? after : (from[at + ahead] ?? 0);
    const leaving = at - behind < start ? before : (from[at - behind] ?? 0);
    sum += entering - leaving;
  }
}
