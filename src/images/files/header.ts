import type { Metadata } from "sharp";
import { refusal } from "../refusal.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import { translate } from "../translate.ts";
import type { InputFormat, SentFormat } from "../types.ts";
import type { Source } from "./anatomy.ts";
import { asStill, countFrames, hasStill, isPlausible } from "./heif.ts";
import { readTiff, type TiffLayout } from "./tiff.ts";

type Converted = Exclude<InputFormat, SentFormat>;

/**
 * Formats that are never sent on as they are need no parts of their own: the decoder reads their header. Whether a file
 * is whole shows when its pixels are read.
 */
export async function readHeader(bytes: Buffer, found: Converted): Promise<Source> {
  const isHeif = found === "avif" || found === "heic";
  if (isHeif && !isPlausible(bytes)) throw refusal.unreadable(found);
  const layout = found === "tiff" ? readTiff(bytes) : undefined;
  if (found === "tiff") requireSense(layout, bytes);
  if (isHeif && !hasStill(bytes)) throw refusal.unsupported(found, { feature: "film" });
  const sharp = await loadSharp();
  if (found === "heic" && !decodesHevc(sharp)) throw refusal.type(found);
  const readable = isHeif ? asStill(bytes) : bytes;
  const metadata = await metadataOf(sharp, readable, found);
  const { width, height, pages = 1 } = metadata;
  return {
    format: found,
    bytes: readable,
    width,
    height,
    // The container's own turns are made by its decoder.
    orientation: isHeif ? 1 : (metadata.orientation ?? 1),
    frames: Math.max(pages, isHeif ? countFrames(bytes) : 1),
    ...(layout && { rawBytes: layout.rawBytes, partBytes: layout.partBytes }),
    isComplete: true,
    extras: [],
  };
}

/** A decoder makes room for what a TIFF claims before it looks for a byte of it. */
function requireSense(layout: TiffLayout | undefined, bytes: Buffer): void {
  if (layout === undefined) throw refusal.unreadable("tiff");
  const { unsupported, isComplete } = layout;
  // Some of them keep their pixels where nobody else looks for them.
  const isElsewhere = unsupported?.feature === "compression";
  if (!isComplete && !isElsewhere) throw refusal.truncated("tiff", bytes.length);
  if (unsupported) throw refusal.unsupported("tiff", unsupported);
}

/** Only the header, whatever size it tells: that is judged before anything is decoded. */
async function metadataOf(sharp: Sharp, bytes: Buffer, found: Converted): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw translate(error, found, bytes.length);
  }
}

/** The decoder of HEIC is patented and comes only with a libvips that the system brings. */
function decodesHevc(sharp: Sharp): boolean {
  return sharp.format.heif.input.fileSuffix?.includes(".heic") ?? false;
}
