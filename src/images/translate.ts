import { refusal } from "./refusal.ts";
import type { InputFormat } from "./types.ts";

/** libvips speaks of a damaged file in its own words only. */
export function translate(error: unknown, format: InputFormat, bytes: number): unknown {
  if (!(error instanceof Error) || "kind" in error) return error;
  // What an AVIF's brand stood in front of, libheif has no decoder for.
  if (/unsupported codec/i.test(error.message)) return refusal.type("heic");
  if (/premature end|unexpected end|truncated/i.test(error.message))
    return refusal.truncated(format, bytes);
  return refusal.unreadable(format, error);
}
