import { refusal } from "./refusal.ts";
import type { SentFormat } from "./types.ts";

/** libvips speaks of a damaged file in its own words only. */
export function translate(error: unknown, format: SentFormat, bytes: number): unknown {
  if (!(error instanceof Error) || "kind" in error) return error;
  if (/premature end|truncated/i.test(error.message)) return refusal.truncated(format, bytes);
  return refusal.unreadable(format, error);
}
