import type { Metadata } from "sharp";
import { maxProfileBytes } from "../limits.ts";

/**
 * Whether colours may stay as they are. Ink colours are for print, and many viewers show them wrong; a profile of many
 * megabytes is ballast at best.
 */
export function keepsProfile({ space, icc }: Pick<Metadata, "space" | "icc">): boolean {
  return space !== "cmyk" && (icc?.length ?? 0) <= maxProfileBytes;
}
