import type { UnsupportedFeature } from "../picture-errors.ts";
import type { PictureDimensions } from "../size.ts";

/** Part of a file, from `start` up to but not including `end`. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** What a file says about itself, read without decoding a pixel; its size is that before the orientation is applied. */
export interface PictureStructure extends PictureDimensions {
  /** 1 to 8 as in EXIF; 1 is upright. */
  readonly orientation: number;
  /** 1 for a still picture. */
  readonly frames: number;
  /** Passes over the whole picture, if there is more than one, and the bytes that the decoder holds meanwhile. */
  readonly scans?: number;
  readonly heldBytes?: number;
  /**
   * Bytes of the samples as they are stored, if decoders need them in that form: of the whole picture, and of its largest part.
   */
  readonly rawBytes?: number;
  readonly partBytes?: number;
  /** For a WebP: whether its pixels are coded without loss. */
  readonly isLossless?: boolean;
  /** The exponent that turns a PNG's samples into sRGB, if its gamma says that they are not sRGB. */
  readonly exponent?: number;
  /** False when the file ends before its own last part. */
  readonly isComplete: boolean;
  /** Whether only few programs show it correctly, so that it is always encoded again. */
  readonly isRare?: boolean;
  readonly unsupported?: UnsupportedFeature;
  /** Parts that pixels and colours do not need: EXIF, XMP, IPTC, comments, whatever follows the picture. */
  readonly extras: readonly ByteSpan[];
}

/** The size as people see it: with orientations 5 to 8 the picture is stored on its side. */
export function uprightSize({
  width,
  height,
  orientation,
}: Pick<PictureStructure, "width" | "height" | "orientation">): PictureDimensions {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
