import type { SharpOptions } from "sharp";
import { type Sharp, sharpOptionsFor } from "../sharp.ts";
import type { CheckedPicture } from "./picture-structure.ts";

/** Reads every row at the smallest size the decoder offers, so that nothing is spent on a broken file. */
export async function proveReadable(
  sharp: Sharp,
  source: CheckedPicture,
  options: Pick<SharpOptions, "failOn"> = {},
): Promise<void> {
  await sharp(source.bytes, { ...sharpOptionsFor(source), ignoreIcc: true, ...options })
    .resize(64, 64, { fit: "fill" })
    .raw()
    .toBuffer();
}
