import { pictureErrors } from "../picture-errors.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import { scaledBy } from "../size.ts";
import type { SquareOptions, SquarePicture } from "../types.ts";
import { openCutout } from "./cutout.ts";
import { type CutoutSubject, openSubject } from "./subject.ts";

type SquareSettings = Omit<SquareOptions, "signal">;

/** Empty space around subject and rim, as a share of the side. */
const airShare = 1 / 40;

/** The files are small, so that full effort costs little. */
const full = { compressionLevel: 9, adaptiveFiltering: true } as const;

/** More effort takes ten times as long and saves nothing. */
const dithered = { palette: true, dither: 1, effort: 3, compressionLevel: 9 } as const;

/** All colours, then 256, then as few as the quality needs. Other numbers can't be requested: sharp rounds up to 16 or 256. */
const encodings = [
  full,
  { ...dithered, quality: 100 },
  { ...dithered, quality: 80 },
  { ...dithered, quality: 60 },
  { ...dithered, quality: 40 },
  { ...dithered, colours: 16 },
] as const;

/** The subject in the middle of a square PNG; fewer colours until it is small enough. */
export async function composeSquare(
  cutout: Buffer,
  options: SquareSettings,
): Promise<SquarePicture> {
  const subject = await openSubject(await openCutout(cutout), options.foreground);
  const sharp = await loadSharp();
  const { side, maxBytes } = options;
  const rgba = await drawSquare(sharp, subject, options);
  const raw = { width: side, height: side, channels: 4 } as const;
  let smallest = Infinity;
  for (const encoding of encodings) {
    const bytes = await sharp(rgba, { raw }).png(encoding).toBuffer();
    if (bytes.length <= maxBytes)
      return { bytes, side, fitted: encoding === full ? "asked" : "colors" };
    smallest = Math.min(smallest, bytes.length);
  }
  throw pictureErrors.tooLarge(smallest, maxBytes);
}

/** Straight RGBA of `side` x `side`; a small subject is enlarged. */
async function drawSquare(
  sharp: Sharp,
  subject: CutoutSubject,
  { side, rim = 0 }: SquareSettings,
): Promise<Buffer> {
  const room = Math.max(1, side - 2 * (Math.ceil(side * airShare) + Math.ceil(rim)));
  const scale = room / Math.max(subject.width, subject.height);
  const { width, height } = scaledBy(subject, scale);
  const raw = { width: subject.width, height: subject.height, channels: 4 } as const;
  const left = Math.floor((side - width) / 2);
  const top = Math.floor((side - height) / 2);
  const drawn = await sharp(subject.data, { raw })
    .resize(width, height, { fit: "fill" })
    .extend({
      left,
      top,
      right: side - width - left,
      bottom: side - height - top,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .raw()
    .toBuffer();
  return rim > 0 ? layOnRim(drawn, side, rim) : drawn;
}

/** No rim may be drawn around a matte's haze, so alpha below the first value counts as 0, and above the second as 1. */
const hazeEnds = 64;
const subjectBegins = 160;

/** Lays straight RGBA onto a white rim of `width` pixels around it, with an edge as soft as the subject's own. */
function layOnRim(rgba: Buffer, side: number, width: number): Buffer {
  const rim = dilate(rgba, side, width);
  const laid = Buffer.alloc(rgba.length);
  for (let pixel = 0; pixel < rim.length; pixel++) {
    const at = pixel * 4;
    const on = rgba[at + 3] ?? 0;
    const under = ((255 - on) * (rim[pixel] ?? 0)) / 255;
    const both = on + under;
    if (both < 0.5) continue;
    for (let channel = at; channel < at + 3; channel++) {
      laid[channel] = ((rgba[channel] ?? 0) * on + 255 * under) / both + 0.5;
    }
    laid[at + 3] = both + 0.5;
  }
  return laid;
}

/** Every pixel takes the greatest alpha within reach; the outermost pixel of the disc counts by how much of it is in. */
function dilate(rgba: Buffer, side: number, width: number): Float32Array {
  const disc = createDisc(width);
  const subject = Float32Array.from({ length: side * side }, (_, at) => {
    const share = ((rgba[at * 4 + 3] ?? 0) - hazeEnds) / (subjectBegins - hazeEnds);
    return 255 * Math.min(1, Math.max(0, share));
  });
  const rim = new Float32Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const here = y * side + x;
      const on = subject[here] ?? 0;
      if (on === 0) continue;
      // A pixel that is solid on all four sides reaches no farther than the edge around it. The subject does not touch
      // the square's edges, so that none of the four lies beyond them.
      const around = [here, here - 1, here + 1, here - side, here + side];
      if (around.every((one) => subject[one] === 255)) {
        rim[here] = 255;
        continue;
      }
      for (const { across, down, share } of disc) {
        const column = x + across;
        const row = y + down;
        if (column < 0 || row < 0 || column >= side || row >= side) continue;
        const at = row * side + column;
        const reached = on * share;
        if (reached > (rim[at] ?? 0)) rim[at] = reached;
      }
    }
  }
  return rim;
}

function createDisc(radius: number) {
  const reach = Math.ceil(radius);
  const steps = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  return steps
    .flatMap((down) => steps.map((across) => ({ across, down })))
    .map((step) => ({ ...step, share: radius + 0.5 - Math.hypot(step.across, step.down) }))
    .filter(({ share }) => share > 0)
    .map((step) => ({ ...step, share: Math.min(1, step.share) }));
}
