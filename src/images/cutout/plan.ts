import { maxPngPixels } from "../limits.ts";
import { refusal } from "../refusal.ts";
import type { Size } from "../size.ts";
import type { Composed, ComposeOptions } from "../types.ts";
import type { Attempt } from "./encode.ts";

/** One try, and what it gives up. */
export type Plan = Attempt & { readonly fitted: Composed["fitted"] };

/** `least` is the lowest quality worth having before pixels go. */
const quality = {
  webp: { usual: 80, lowered: 60, least: 40 },
  jpg: { usual: 90, lowered: 75, least: 50 },
} as const;

/** What a lower quality can save: a WebP keeps its alpha whatever the quality of its colours. */
const savedByQuality = { webp: 1.25, jpg: 2 } as const;

/** What was asked, or for `auto` the best that can be: a picture with a backdrop has no need of transparency. */
export function firstPlan(
  { width, height }: Size,
  {
    format,
    backdrop,
    maxPixels = Infinity,
  }: Pick<ComposeOptions, "format" | "backdrop" | "maxPixels">,
): Plan {
  const isPngSized = width * height <= maxPngPixels;
  if (format === "png" && !isPngSized) throw refusal.png(width, height, maxPngPixels);
  const isAuto = format === "auto";
  if (format === "png" || (isAuto && !backdrop && isPngSized)) {
    return { format: "png", quality: 100, scale: 1, fitted: "asked" };
  }
  const written = format === "jpg" || (isAuto && backdrop) ? "jpg" : "webp";
  const fitted = isAuto && !backdrop ? "webp" : "asked";
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  return { format: written, quality: quality[written].usual, scale, fitted };
}

/** Gives up the least first: PNG for WebP, then quality, then pixels. `over` is size by limit, or not a number. */
export function nextPlan(plan: Plan, over: number): Plan {
  if (plan.format === "png") {
    return { format: "webp", quality: quality.webp.usual, scale: 1, fitted: "webp" };
  }
  const { usual, lowered, least } = quality[plan.format];
  const isFull = plan.scale === 1;
  if (!Number.isFinite(over)) return { ...plan, quality: plan.quality - 15, fitted: "quality" };
  if (isFull && plan.quality === usual && over <= savedByQuality[plan.format]) {
    return { ...plan, quality: over < 1.08 ? lowered : least, fitted: "quality" };
  }
  const scale = plan.scale * Math.sqrt(1 / over) * 0.93;
  return { ...plan, quality: lowered, scale, fitted: "smaller" };
}
