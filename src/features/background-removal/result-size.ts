import { maxPngResultPixels, maxResultMegapixels } from "../../background/index.ts";
import { InputError } from "../../errors.ts";
import type { ServiceReadyPicture } from "../../images/index.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { PictureSource } from "./picture-source.ts";

/**
 * Refuses a PNG that would be too large, which is known only once the picture is. @throws InputError `png_too_large`
 */
export function requirePngSize(
  { format, size = "auto", crop }: CutoutOptions,
  sent: ServiceReadyPicture,
): void {
  const pixels = sent.width * sent.height;
  const share = Math.sqrt(Math.min(1, (maxResultMegapixels[size] * 1e6) / pixels));
  // The size of a cropped picture is not known yet; if it is too large for a PNG, it becomes a WebP.
  if (format !== "png" || crop === true || pixels * share ** 2 <= maxPngResultPixels) return;
  const [width, height] = [Math.round(sent.width * share), Math.round(sent.height * share)];
  throw new InputError(`PNG of ${width} x ${height} pixels`, {
    code: "png_too_large",
    facts: { width, height, maxPixels: maxPngResultPixels },
  });
}

/** Whether the picture has more pixels than its result. For a picture at an address: whether it might. */
export function isReduced(
  { size = "auto" }: CutoutOptions,
  sent: Pick<ServiceReadyPicture, "width" | "height"> | undefined,
): boolean {
  const most = maxResultMegapixels[size];
  if (sent === undefined) return most < maxResultMegapixels.auto;
  return (sent.width * sent.height) / 1e6 > most * 1.05;
}

/** The same options for a result in full size. */
export function fullSizeOptions(options: CutoutOptions, source: PictureSource): CutoutOptions {
  const { format, size: before = "auto", ...rest } = options;
  const isLarge = maxResultMegapixels[before] >= maxResultMegapixels.auto;
  const size = isLarge || "link" in source ? "50MP" : "auto";
  // A PNG with that many pixels might be refused.
  return { ...rest, size, ...(format !== undefined && format !== "png" && { format }) };
}
