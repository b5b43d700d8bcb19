import type { Sharp as Pipeline } from "sharp";
import { toPictureError } from "../picture-errors.ts";
import { loadSharp, openColored, sharpOptionsFor } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import { type CheckedPicture, checkPicture } from "./check-picture.ts";
import { uprightSize } from "./picture-structure.ts";

/** Samples with straight alpha, 8 bits each, sRGB. */
interface DrawnPicture extends PictureDimensions {
  readonly data: Buffer;
  readonly channels: 4;
}

/** A picture that is about to be drawn somewhere, in the size in which people see it. */
export interface OpenPicture extends PictureDimensions {
  readonly source: CheckedPicture;
  /** Whether it may have transparency, by its header. */
  hasAlpha(): Promise<boolean>;
  /** Applies `make`, such as a resize, to the upright picture and returns its pixels. */
  draw(make: (pipeline: Pipeline) => Pipeline): Promise<DrawnPicture>;
}

/**
 * Opens a picture of any format that can be read; of an animation, the first frame. Nothing is decoded before `draw`, which
 * decodes at a smaller size if `make` begins with a resize and the format allows it. Throws the InputErrors of
 * `Images.inspect`; `draw` throws those of damaged pixels.
 */
export async function openPicture(bytes: Buffer): Promise<OpenPicture> {
  const source = await checkPicture(bytes);
  const sharp = await loadSharp();
  return {
    source,
    ...uprightSize(source),
    async hasAlpha() {
      try {
        return (await sharp(source.bytes, sharpOptionsFor(source)).metadata()).hasAlpha;
      } catch (error) {
        throw toPictureError(error, source.format, bytes.length);
      }
    },
    async draw(make) {
      const pipeline = openColored(sharp, source).autoOrient();
      try {
        const { data, info } = await make(pipeline)
          .toColourspace("srgb")
          .ensureAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        return { data, width: info.width, height: info.height, channels: 4 };
      } catch (error) {
        throw toPictureError(error, source.format, bytes.length);
      }
    },
  };
}
