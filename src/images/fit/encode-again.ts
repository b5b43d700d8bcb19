import type { Metadata, Sharp as Pipeline } from "sharp";
import { type Source, upright } from "../files/anatomy.ts";
import { embedProfile } from "../files/embed-profile.ts";
import { openColored, type Sharp } from "../sharp.ts";
import type { Size } from "../size.ts";
import type { SentFormat } from "../types.ts";
import { keepsProfile } from "./decoding.ts";

/** A picture and the decoder that opens it. */
export interface Opened {
  readonly sharp: Sharp;
  readonly source: Source;
  readonly metadata: Metadata;
}

/** Samples in the picture's own colours, upright. */
export interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

interface Target {
  readonly format: SentFormat;
  /** Quality, 1 to 100; a PNG has none. */
  readonly q: number;
  readonly size: Size;
  /** What was decoded before, in place of the file. */
  readonly pixels: Pixels | undefined;
}

/**
 * Pixels of a picture that is made smaller for a JPEG, kept while qualities are tried: to decode and to shrink them
 * costs many times the encoding. A WebP needs the memory for itself.
 */
export async function shrunk(
  opened: Opened,
  { format, size }: Pick<Target, "format" | "size">,
): Promise<Pixels | undefined> {
  const isSmaller = size.width < upright(opened.source).width;
  if (format !== "jpeg" || !isSmaller) return undefined;
  const { data, info } = await open(opened, { format, size })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Writes the picture upright in a size, without anything but its pixels and its colour profile. */
export async function encode(opened: Opened, target: Target): Promise<Buffer> {
  const { sharp, metadata } = opened;
  const { format, q, size, pixels } = target;
  if (!pixels) return write(open(opened, target), format, q).toBuffer();
  const { data, ...raw } = pixels;
  const pipeline = resized(sharp(data, { raw }), raw, size);
  const bytes = await write(pipeline, format, q).toBuffer();
  if (!metadata.icc || !keepsProfile(metadata)) return bytes;
  return embedProfile(bytes, format === "jpeg" ? "jpg" : format, metadata.icc);
}

function open(
  { sharp, source, metadata }: Opened,
  { format, size }: Pick<Target, "format" | "size">,
): Pipeline {
  const pipeline = openColored(sharp, source);
  // Costs 40 % more at 40 megapixels and holds all of them, in whatever way it is done.
  if (source.orientation !== 1) pipeline.autoOrient();
  if (format === "jpeg" && metadata.hasAlpha) pipeline.removeAlpha();
  // Colours that lose their profile are turned into sRGB, which needs none.
  if (keepsProfile(metadata)) pipeline.keepIccProfile();
  return resized(pipeline, upright(source), size);
}

function resized(pipeline: Pipeline, from: Size, { width, height }: Size): Pipeline {
  if (from.width === width && from.height === height) return pipeline;
  return pipeline.resize(width, height, { fit: "fill" });
}

function write(pipeline: Pipeline, format: SentFormat, q: number): Pipeline {
  switch (format) {
    case "jpeg":
      return pipeline.jpeg({ quality: q, chromaSubsampling: "4:2:0", optimiseCoding: false });
    case "webp":
      return pipeline.webp({ quality: q, effort: 2, alphaQuality: 90 });
    case "png":
      return pipeline.png({ compressionLevel: 6 });
  }
}
