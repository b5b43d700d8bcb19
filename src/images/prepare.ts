import type { Sharp as Pipeline } from "sharp";
import { type Anatomy, dissect, upright } from "./anatomy.ts";
import { stripJpeg } from "./jpeg.ts";
import { stripPng } from "./png.ts";
import { refusal } from "./refusal.ts";
import { loadSharp, type Sharp, untrusted } from "./sharp.ts";
import { translate } from "./translate.ts";
import type { InputFormat, Picture, Prepared } from "./types.ts";
import { stripWebp } from "./webp.ts";

interface Limits {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

type Source = Anatomy & { readonly format: InputFormat };

/** First quality, and the one for sources so detailed that the first would come out too large. */
const quality = { usual: 90, detailed: 85, shrunk: 80, least: 40 } as const;
const detailedBytesPerPixel = 0.5;
/** Aim a little below the limit, because the prediction errs by a few percent. */
const aim = 0.967;
/** Bytes of a JPEG fall by a factor e with so many steps of quality; measured on photos. */
const qualityPerE = 22;
const maxEncodes = 3;
const lastStep = 5;
const nearlyFits = 1.15;

/** The picture as people see it: upright, by its header alone. */
export function inspect(bytes: Buffer): Picture {
  const source = dissect(bytes);
  return { format: source.format, ...upright(source) };
}

/** Does the least that makes the picture fit, in this order: nothing, cut metadata out, encode again, fewer pixels. */
export async function prepare(bytes: Buffer, limits: Limits): Promise<Prepared> {
  const source = dissect(bytes);
  const size = upright(source);
  const stripped = source.extras.length > 0 ? strip(bytes, source) : bytes;
  const fits = stripped.length <= limits.maxBytes && size.width * size.height <= limits.maxPixels;
  const sharp = await loadSharp();
  try {
    if (!fits || source.orientation !== 1) return await encodeAgain(sharp, bytes, limits);
    await proveReadable(sharp, bytes);
  } catch (error) {
    throw translate(error, source.format, bytes.length);
  }
  return { bytes: stripped, format: source.format, ...size, fitted: "unchanged" };
}

function strip(bytes: Buffer, { format, extras }: Source): Buffer {
  if (format === "jpeg") return stripJpeg(bytes, extras);
  return format === "png" ? stripPng(bytes) : stripWebp(bytes);
}

/** Reads every row at the smallest size the decoder offers, so that no credit is spent on a broken file. */
async function proveReadable(sharp: Sharp, bytes: Buffer): Promise<void> {
  await sharp(bytes, { ...untrusted, ignoreIcc: true })
    .resize(64, 64, { fit: "fill" })
    .raw()
    .toBuffer();
}

async function encodeAgain(sharp: Sharp, bytes: Buffer, limits: Limits): Promise<Prepared> {
  const source = dissect(bytes);
  const { width, height } = upright(source);
  const { hasAlpha } = await sharp(bytes, untrusted).metadata();
  const isDetailed = bytes.length / (width * height) > detailedBytesPerPixel;
  let attempt: Attempt = {
    q: isDetailed ? quality.detailed : quality.usual,
    scale: Math.min(1, Math.sqrt(limits.maxPixels / (width * height))),
  };
  for (let encodes = 1; ; encodes++) {
    const { q, scale } = attempt;
    const size = scaled(width, height, scale);
    const pipeline = sharp(bytes, untrusted).autoOrient();
    if (scale < 1) pipeline.resize(size.width, size.height, { fit: "fill" });
    const encoded = await encode(pipeline.keepIccProfile(), hasAlpha, q);
    if (encoded.length <= limits.maxBytes) {
      const fitted = scale < 1 ? "resized" : "recompressed";
      return { bytes: encoded, format: hasAlpha ? "webp" : "jpeg", ...size, fitted };
    }
    if (encodes === maxEncodes) throw refusal.tooLarge(encoded.length, limits.maxBytes);
    attempt = next(attempt, encoded.length / (limits.maxBytes * aim), encodes);
  }
}

interface Attempt {
  readonly q: number;
  readonly scale: number;
}

/** Quality is corrected by what came out; pixels go only when no quality worth having is left. */
function next({ q, scale }: Attempt, over: number, encodes: number): Attempt {
  // The last attempt has to fit: bytes shrink a little slower than predicted in noisy pictures.
  const isLast = encodes === maxEncodes - 1;
  const corrected = Math.floor(q - qualityPerE * Math.log(over)) - (isLast ? lastStep : 0);
  if (corrected >= quality.least && !(isLast && over > nearlyFits)) return { q: corrected, scale };
  const margin = isLast ? 0.8 : 0.9;
  return { q: Math.min(q, quality.shrunk), scale: scale * Math.sqrt(1 / over) * margin };
}

/** JPEG can't hold transparency, so a picture that has some becomes a WebP. */
function encode(pipeline: Pipeline, hasAlpha: boolean, q: number): Promise<Buffer> {
  if (hasAlpha) return pipeline.webp({ quality: q, effort: 2, alphaQuality: 90 }).toBuffer();
  return pipeline
    .jpeg({ quality: q, chromaSubsampling: "4:2:0", optimiseCoding: false })
    .toBuffer();
}

/** Rounds down, so that the product never passes the limit again. */
function scaled(width: number, height: number, scale: number) {
  if (scale >= 1) return { width, height };
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
}
