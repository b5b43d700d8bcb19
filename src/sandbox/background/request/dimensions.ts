import { dimensionsOf } from "../../dimensions.ts";
import { refuse } from "../refusals.ts";

const maxInputPixels = 50_000_000;

/** The bytes a file starts with and where they stand; the service takes the first three. */
const magics: readonly [type: string, magic: string, at: number][] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/webp", "WEBP", 8],
  ["image/gif", "GIF8", 0],
  ["image/bmp", "BM", 0],
  ["image/tiff", "II*\0", 0],
  ["image/tiff", "MM\0*", 0],
  ["image/avif", "ftypavif", 4],
  ["image/heic", "ftyphei", 4],
  ["application/pdf", "%PDF", 0],
];

const taken = ["image/png", "image/jpeg", "image/webp"];

/** Pixels of the picture as its header declares them. */
export function checkDimensions(bytes: Uint8Array): { width: number; height: number } {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const type = magics.find(([, magic, at]) => start.startsWith(magic, at))?.[0];
  if (type === undefined || !taken.includes(type)) {
    const received = type ?? "something unknown";
    throw refuse("invalid_file_type", `Expected ${taken.join(", ")}; received ${received}.`);
  }
  const { width, height } = dimensionsOf(bytes) ?? { width: 0, height: 0 };
  if (!(width > 0 && height > 0)) throw refuse("invalid_dimensions");
  if (width * height > maxInputPixels) throw refuse("resolution_too_high");
  return { width, height };
}
