import type { Metadata } from "sharp";
import type { CheckedPicture } from "../files/check-picture.ts";
import { type Sharp, sharpOptionsFor } from "../sharp.ts";

/** A fiftieth of the pixels: rounded corners are more, antialiased edges less. */
const clearEnough = 1 / 50;
/** A pixel of this alpha or less can be seen through. */
const halfClear = 128;
/** A frame of this share of the shorter side, and at least these pixels, does not count. */
const rim = { share: 1 / 50, pixels: 2 } as const;
/** As many samples as it takes to tell; a large picture is looked at in steps. */
const maxSide = 512;

/**
 * Whether a picture has no background to remove: at least a fiftieth of it can be seen through, not counting a narrow rim.
 * An alpha channel that hides nothing, or a few clear pixels at an edge, are not enough.
 */
export async function isAlreadyCutOut(
  sharp: Sharp,
  source: CheckedPicture,
  { hasAlpha }: Pick<Metadata, "hasAlpha">,
): Promise<boolean> {
  if (!hasAlpha) return false;
  const { data, info } = await sharp(source.bytes, { ...sharpOptionsFor(source), ignoreIcc: true })
    .resize(maxSide, maxSide, { fit: "inside", withoutEnlargement: true, kernel: "nearest" })
    .extractChannel("alpha")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const frame = Math.max(rim.pixels, Math.round(Math.min(width, height) * rim.share));
  const [across, down] = [width - 2 * frame, height - 2 * frame];
  if (across < 1 || down < 1) return false;
  let clear = 0;
  for (let y = frame; y < height - frame; y++) {
    for (let x = frame; x < width - frame; x++) {
      if ((data[y * width + x] ?? 0) <= halfClear) clear++;
    }
  }
  return clear >= across * down * clearEnough;
}
