import { refusal } from "../refusal.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { Square, SquareOptions } from "../types.ts";
import { openCutout } from "./cutout.ts";
import { rimmed } from "./rim.ts";
import { openSubject, type Subject } from "./subject.ts";

type Options = Omit<SquareOptions, "signal">;

/** Air round subject and rim, as a share of the side. */
const airShare = 1 / 40;

/** Small files, so that they may be written with all effort. */
const full = { compressionLevel: 9, adaptiveFiltering: true } as const;

/** 256 colours, then as few as such a quality takes; sharp rounds a number of colours up to 16 or 256. */
const palettes = [
  { quality: 100 },
  { quality: 80 },
  { quality: 60 },
  { quality: 40 },
  { colours: 16 },
] as const;
/** More effort takes ten times as long and saves nothing. */
const dithered = { palette: true, dither: 1, effort: 3, compressionLevel: 9 } as const;

/** The subject in the middle of a square PNG; fewer colours until it is small enough. */
export async function square(bytes: Buffer, options: Options): Promise<Square> {
  const subject = await openSubject(await openCutout(bytes), options.foreground);
  const sharp = await loadSharp();
  const { side, maxBytes } = options;
  const rgba = await drawSquare(sharp, subject, options);
  const pipeline = () => sharp(rgba, { raw: { width: side, height: side, channels: 4 } });
  const png = await pipeline().png(full).toBuffer();
  if (png.length <= maxBytes) return { bytes: png, side, fitted: "asked" };
  let smallest = png.length;
  for (const palette of palettes) {
    const reduced = await pipeline()
      .png({ ...dithered, ...palette })
      .toBuffer();
    if (reduced.length <= maxBytes) return { bytes: reduced, side, fitted: "colors" };
    smallest = Math.min(smallest, reduced.length);
  }
  throw refusal.tooLarge(smallest, maxBytes);
}

/** Straight RGBA of `side` x `side`; a small subject is enlarged. */
async function drawSquare(
  sharp: Sharp,
  subject: Subject,
  { side, rim = 0 }: Options,
): Promise<Buffer> {
  const room = Math.max(1, side - 2 * (Math.ceil(side * airShare) + Math.ceil(rim)));
  const scale = room / Math.max(subject.width, subject.height);
  const width = Math.max(1, Math.round(subject.width * scale));
  const height = Math.max(1, Math.round(subject.height * scale));
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
  return rim > 0 ? rimmed(drawn, side, rim) : drawn;
}
