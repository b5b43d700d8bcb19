import { type Cutout, openCutout } from "./cutout.ts";
import { type Attempt, type Encoded, encode } from "./encode.ts";
import { maxPngPixels } from "./limits.ts";
import { damaged, refusal } from "./refusal.ts";
import type { Composed, ComposeOptions } from "./types.ts";

type Options = Omit<ComposeOptions, "signal">;
type Fitted = Composed["fitted"];
type Plan = Attempt & { readonly fitted: Fitted };

/** `least` is the lowest quality worth having before pixels go. */
const quality = {
  webp: { usual: 80, lowered: 60, least: 40 },
  jpg: { usual: 90, lowered: 75, least: 50 },
} as const;

/** What a lower quality can save: a WebP keeps its alpha whatever the quality of its colours. */
const savedByQuality = { webp: 1.25, jpg: 2 } as const;

const maxAttempts = 7;
const colorPattern = /^#[0-9a-f]{6}$/i;

/** Composes the service's ZIP; the same work in the worker and in the calling process. */
export async function compose(zip: Uint8Array, options: Options): Promise<Composed> {
  const { backdrop } = options;
  const background = backdrop?.kind === "color" ? backdrop.color : "#ffffff";
  if (!colorPattern.test(background)) throw refusal.background(background);
  const cutout = await open(zip);
  let plan = firstPlan(cutout, options);
  let smallest = Infinity;
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const encoded = await tryEncode(cutout, plan, background);
    const bytes = encoded?.bytes.length ?? Infinity;
    const maxBytes = options.maxBytes ?? Infinity;
    if (encoded && bytes <= maxBytes) {
      return { ...encoded, format: plan.format, fitted: plan.fitted };
    }
    smallest = Math.min(smallest, bytes);
    plan = nextPlan(plan, bytes / maxBytes);
  }
  throw refusal.tooLarge(smallest, options.maxBytes ?? 0);
}

async function open(zip: Uint8Array): Promise<Cutout> {
  try {
    return await openCutout(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength));
  } catch (error) {
    throw translate(error);
  }
}

function firstPlan({ width, height }: Cutout, { format }: Options): Plan {
  const isPngSized = width * height <= maxPngPixels;
  if (format === "png" && !isPngSized) throw refusal.png(width, height, maxPngPixels);
  if (format === "png" || (format === "auto" && isPngSized)) {
    return { format: "png", quality: 100, scale: 1, fitted: "asked" };
  }
  const written = format === "jpg" ? "jpg" : "webp";
  const fitted = format === "auto" ? "webp" : "asked";
  return { format: written, quality: quality[written].usual, scale: 1, fitted };
}

/** Gives up the least first: PNG for WebP, then quality, then pixels. `over` is size by limit, or not a number. */
function nextPlan(plan: Plan, over: number): Plan {
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

/**
 * libwebp gives up on some large detailed pictures, which a lower quality cures; then there is no result.
 * Everything else that libvips says is about a damaged entry.
 */
async function tryEncode(
  cutout: Cutout,
  plan: Plan,
  background: string,
): Promise<Encoded | undefined> {
  try {
    return await encode(cutout, plan, background);
  } catch (error) {
    const isEncoder =
      error instanceof Error && /webpsave|webp: unable to encode/i.test(error.message);
    if (isEncoder && plan.format === "webp" && plan.quality > 20) return undefined;
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || "kind" in error) return error;
  return damaged("a picture in it can't be decoded", error);
}
