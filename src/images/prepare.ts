import type { Sharp as Pipeline } from "sharp";
import { dissect, upright } from "./anatomy.ts";
import { aim, type Effort, lower, maxEncodes, quality } from "./lower.ts";
import { refusal } from "./refusal.ts";
import { loadSharp, type Sharp, untrusted } from "./sharp.ts";
import { translate } from "./translate.ts";
import type { Picture, Prepared } from "./types.ts";
import { proveReadable, strip } from "./untouched.ts";

interface Limits {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

const detailedBytesPerPixel = 0.5;

/** The picture as people see it: upright, by its header alone. */
export function inspect(bytes: Buffer): Picture {
  const source = dissect(bytes);
  return { format: source.format, ...upright(source), frames: 1 };
}

/** Does the least that makes the picture fit, in this order: nothing, cut metadata out, encode again, fewer pixels. */
export async function prepare(bytes: Buffer, limits: Limits): Promise<Prepared> {
  const source = dissect(bytes);
  const size = upright(source);
  const stripped = strip(bytes, source);
  const fits = stripped.length <= limits.maxBytes && size.width * size.height <= limits.maxPixels;
  const sharp = await loadSharp();
  try {
    if (!fits || source.orientation !== 1) return await encodeAgain(sharp, bytes, limits);
    await proveReadable(sharp, bytes);
  } catch (error) {
    throw translate(error, source.format, bytes.length);
  }
  return {
    bytes: stripped,
    format: source.format,
    ...size,
    original: inspect(bytes),
    fitted: "unchanged",
  };
}

async function encodeAgain(sharp: Sharp, bytes: Buffer, limits: Limits): Promise<Prepared> {
  const source = dissect(bytes);
  const { width, height } = upright(source);
  const { hasAlpha } = await sharp(bytes, untrusted).metadata();
  const isDetailed = bytes.length / (width * height) > detailedBytesPerPixel;
  let attempt: Effort = {
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
      const original = inspect(bytes);
      return { bytes: encoded, format: hasAlpha ? "webp" : "jpeg", ...size, original, fitted };
    }
    if (encodes === maxEncodes) throw refusal.tooLarge(encoded.length, limits.maxBytes);
    attempt = lower(attempt, encoded.length / (limits.maxBytes * aim), encodes);
  }
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
