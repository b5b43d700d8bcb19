import type { PictureSize } from "../picture-kind.ts";
import { cutoutRefusal } from "../refusal.ts";
import type { RemoveBackgroundRequest } from "../types.ts";
import { shortenForLog } from "./source.ts";

interface ParsedLength {
  readonly value: number;
  readonly unit: "px" | "%";
}

const maxMargin = { px: 500, "%": 50 } as const;

/** Checks how region, margin, scale and position are written, and whether the region fits the picture. */
export function checkPlacement(
  { roi, crop, cropMargin, scale, position }: RemoveBackgroundRequest,
  size: PictureSize | undefined,
): void {
  if (roi) checkRegion(roi, size);
  if (crop === true && cropMargin && !isMargin(cropMargin)) {
    throw cutoutRefusal("invalid_crop_margin", `crop_margin ${shortenForLog(cropMargin)}`);
  }
  if (scale && !isScale(scale))
    throw cutoutRefusal("invalid_scale", `scale ${shortenForLog(scale)}`);
  if (position && !isPosition(position)) {
    throw cutoutRefusal("invalid_position", `position ${shortenForLog(position)}`);
  }
}

/** Left, top, right, bottom. */
function checkRegion(roi: string, size: PictureSize | undefined): void {
  const [left, top, right, bottom, ...more] = wordsOf(roi).map(readLength);
  if (!left || !top || !right || !bottom || more.length > 0) {
    throw cutoutRefusal("invalid_roi", `roi ${shortenForLog(roi)}`);
  }
  const isInside =
    [left, right].every((edge) => isWithin(edge, size?.width)) &&
    [top, bottom].every((edge) => isWithin(edge, size?.height));
  if (!isInside)
    throw cutoutRefusal(
      "roi_exceeds_bounds",
      `roi ${shortenForLog(roi)} of ${shortenForLog(size)}`,
    );
  if (isBefore(left, right, size?.width) && isBefore(top, bottom, size?.height)) return;
  throw cutoutRefusal("roi_region_empty", `roi ${shortenForLog(roi)} of ${shortenForLog(size)}`);
}

function isWithin({ value, unit }: ParsedLength, side = Number.POSITIVE_INFINITY): boolean {
  return value >= 0 && value <= (unit === "%" ? 100 : side);
}

/** If the units differ and the length of the side is unknown, only the service can check it, so it passes here. */
function isBefore(from: ParsedLength, to: ParsedLength, side: number | undefined): boolean {
  if (from.unit === to.unit) return from.value < to.value;
  return side === undefined || toPixels(from, side) < toPixels(to, side);
}

function toPixels({ value, unit }: ParsedLength, side: number): number {
  return unit === "%" ? (value / 100) * side : value;
}

function isMargin(text: string): boolean {
  const lengths = wordsOf(text).map((word) =>
    word === "0" ? readLength("0px") : readLength(word),
  );
  return (
    [1, 2, 4].includes(lengths.length) &&
    lengths.every((one) => one && one.value >= 0 && one.value <= maxMargin[one.unit])
  );
}

function isScale(text: string): boolean {
  const scale = percentOf(text.trim());
  return text.trim() === "original" || (scale !== undefined && scale >= 10 && scale <= 100);
}

function isPosition(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 1 && /^(?:original|center)$/.test(words[0] ?? "")) return true;
  return (
    (words.length === 1 || words.length === 2) &&
    words.map(percentOf).every((share) => share !== undefined && share >= 0 && share <= 100)
  );
}

function percentOf(word: string): number | undefined {
  const length = readLength(word);
  return length?.unit === "%" ? length.value : undefined;
}

function readLength(word: string): ParsedLength | undefined {
  const [, value, unit] = /^(-?\d{1,7}(?:\.\d{1,7})?)(px|%)$/.exec(word) ?? [];
  return value === undefined
    ? undefined
    : { value: Number(value), unit: unit as ParsedLength["unit"] };
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
