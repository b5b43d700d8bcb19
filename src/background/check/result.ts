import type { PictureSize } from "../picture.ts";
import { refusal } from "../refusal.ts";
import type { RemoveBackgroundRequest, Size } from "../types.ts";
import { isTransparent } from "./backdrop.ts";

/** Most megapixels of a result by its size (facts, sizes). */
const most = {
  auto: 25,
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  "50MP": 50,
} as const satisfies Record<Size, number>;

const mostOfPng = 10;

/** Whether the format can hold what was asked for. */
export function checkResult(
  { format, size = "auto", bgColor }: RemoveBackgroundRequest,
  input: PictureSize | undefined,
): void {
  if (format === "jpg" && bgColor !== undefined && isTransparent(bgColor)) {
    throw refusal("jpg_transparent", "a transparent background for a JPG");
  }
  if (format !== "png" || input === undefined) return;
  const { width, height } = shrunk(input, most[size]);
  if (width * height <= mostOfPng * 1e6) return;
  const facts = { maxPixels: mostOfPng * 1e6, width, height };
  throw refusal("png_too_large", `a PNG of ${width} x ${height} is over 10 megapixels`, facts);
}

function shrunk({ width, height }: PictureSize, megapixels: number): PictureSize {
  const factor = Math.min(1, Math.sqrt((megapixels * 1e6) / (width * height)));
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}
