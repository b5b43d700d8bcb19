import { dimensionsOf } from "../dimensions.ts";
import { refuse } from "./refusals.ts";

const maxInputPixels = 50_000_000;

/** The bytes a file starts with, and where they stand. */
const magics: readonly [magic: string, at: number][] = [
  ["\x89PNG\r\n\x1a\n", 0],
  ["\xff\xd8\xff", 0],
  ["WEBP", 8],
];

/** Pixels of the picture as its header declares them. */
export function checkDimensions(bytes: Uint8Array): { width: number; height: number } {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (!magics.some(([magic, at]) => start.startsWith(magic, at))) throw refuse("invalid_file_type");
  const { width, height } = dimensionsOf(bytes) ?? { width: 0, height: 0 };
  if (!(width > 0 && height > 0)) throw refuse("invalid_dimensions");
  if (width * height > maxInputPixels) throw refuse("resolution_too_high");
  return { width, height };
}
