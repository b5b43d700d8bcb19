import type { Sharp as Pipeline } from "sharp";
import { translate } from "../refusal.ts";
import { loadSharp, openColored, opening } from "../sharp.ts";
import { dissect, type Source, upright } from "./anatomy.ts";

/** Samples with straight alpha, 8 bits each, sRGB. */
export interface Drawn {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 4;
}

/** A picture that is about to be drawn somewhere. */
export interface OpenPicture {
  readonly source: Source;
  /** As people see it. */
  readonly width: number;
  readonly height: number;
  /** Whether something may show through, by its header. */
  hasAlpha(): Promise<boolean>;
  /** Makes what has to be made of the upright picture, such as a resize, and gives its pixels. */
  draw(make: (pipeline: Pipeline) => Pipeline): Promise<Drawn>;
}

/**
 * Opens a picture of any format that is taken in, the first frame of an animation; nothing is decoded before `draw`,
 * which decodes at a smaller size where `make` begins with a resize and the format allows it.
 * Throws the InputErrors of `Images.inspect`; `draw` those of damaged pixels.
 */
export async function openPicture(bytes: Buffer): Promise<OpenPicture> {
  const source = await dissect(bytes);
  const sharp = await loadSharp();
  return {
    source,
    ...upright(source),
    async hasAlpha() {
      try {
        return (await sharp(source.bytes, opening(source)).metadata()).hasAlpha;
      } catch (error) {
        throw translate(error, source.format, bytes.length);
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
        throw translate(error, source.format, bytes.length);
      }
    },
  };
}
