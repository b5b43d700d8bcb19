import type { Size } from "../../background/index.ts";
import { InputError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";
import { type CutoutOptions, maxPngPixels } from "./cutout-options.ts";
import type { PictureSource } from "./picture-source.ts";

/** Megapixels that a result has at most (facts: sizes). */
const maxMegapixels: Readonly<Record<Size, number>> = {
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  auto: 25,
  "50MP": 50,
};

/** Refuses what only the picture itself can tell to be impossible. @throws InputError `png_too_large` */
export function requirePossible(
  { format, size = "auto", crop }: CutoutOptions,
  sent: Prepared,
): void {
  const pixels = sent.width * sent.height;
  const share = Math.sqrt(Math.min(1, (maxMegapixels[size] * 1e6) / pixels));
  // How much is left of a cropped picture is unknown before; where it is too much, it becomes a WebP in the end.
  if (format !== "png" || crop === true || pixels * share ** 2 <= maxPngPixels) return;
  const [width, height] = [Math.round(sent.width * share), Math.round(sent.height * share)];
  throw new InputError(`PNG of ${width} x ${height} pixels`, {
    code: "png_too_large",
    facts: { width, height, maxPixels: maxPngPixels },
  });
}

/** Whether the picture has more pixels than its result; for a picture at an address, whether it may have. */
export function isReduced(
  { size = "auto" }: CutoutOptions,
  sent: Pick<Prepared, "width" | "height"> | undefined,
): boolean {
  const most = maxMegapixels[size];
  if (sent === undefined) return most < maxMegapixels.auto;
  return (sent.width * sent.height) / 1e6 > most * 1.05;
}

/** The same options in full size. */
export function fullSizeOptions(options: CutoutOptions, source: PictureSource): CutoutOptions {
  const { format, size: before = "auto", ...rest } = options;
  const isLarge = maxMegapixels[before] >= maxMegapixels.auto;
  const size = isLarge || "link" in source ? "50MP" : "auto";
  // A PNG of that many pixels might be refused.
  return { ...rest, size, ...(format !== undefined && format !== "png" && { format }) };
}
