import { maxComposedPngPixels, maxPixels } from "../limits.ts";
import { asDamagedCutout, pictureErrors } from "../picture-errors.ts";
import { loadSharp } from "../sharp.ts";
import { asBuffer, type PictureDimensions } from "../size.ts";
import type {
  ComposedCutout,
  ComposeOptions,
  CropMargins,
  CutoutBackdrop,
  PictureBox,
  SubjectShadow,
} from "../types.ts";
import { checkColors, openBackdrop } from "./backdrop.ts";
import type { UncutPicture } from "./blurred-backdrop.ts";
import { type CutoutPlanes, openCutout } from "./cutout.ts";
import {
  createCutoutWriter,
  createSamplesWriter,
  type EncodeAttempt,
  type EncodedPicture,
  type PictureWriter,
} from "./encode.ts";
import { layOnShadow, layOver } from "./lay-over.ts";
import { openAlpha, openColors } from "./planes.ts";
import { drawShadow, measureShadowReach } from "./shadow.ts";
import { cropCutout, findSubjectBox, growBox } from "./subject.ts";

type ComposeSettings = Omit<ComposeOptions, "signal">;

const maxAttempts = 7;
const maxMargin = 500;

/** Composes a cut-out. */
export async function compose(
  bytes: Uint8Array,
  options: ComposeSettings,
): Promise<ComposedCutout> {
  const { backdrop } = options;
  if (backdrop) checkColors(backdrop);
  return asDamagedCutout(async () => {
    const cutout = await openCutout(asBuffer(bytes));
    const { width, height } = cutout;
    if (width * height > maxPixels) throw pictureErrors.pixels(width, height, maxPixels);
    const source = await createSource(cutout, options);
    return writeFitting(source, firstPlan(source, options), options);
  });
}

async function writeFitting(
  source: PictureWriter,
  first: FitPlan,
  { maxBytes = Infinity, givesUp }: Pick<ComposeOptions, "maxBytes" | "givesUp">,
): Promise<ComposedCutout> {
  let plan = first;
  let smallest = Infinity;
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const encoded = await tryWrite(source, plan);
    const bytes = encoded?.bytes.length ?? Infinity;
    if (encoded && bytes <= maxBytes) {
      return { ...encoded, format: plan.format, fitted: plan.fitted };
    }
    smallest = Math.min(smallest, bytes);
    plan = nextPlan(plan, bytes / maxBytes, givesUp);
  }
  throw pictureErrors.tooLarge(smallest, maxBytes);
}

/** A cut-out without layers goes straight to the encoder; everything else is composed first. */
async function createSource(
  cutout: CutoutPlanes,
  options: ComposeSettings,
): Promise<PictureWriter> {
  const { backdrop, crop, shadow, format, foreground } = options;
  const needsBackground = backdrop?.kind === "blur" && backdrop.of !== "subject";
  if (needsBackground && !cutout.hasBackground) throw pictureErrors.noBackground();
  const isOpaque = backdrop !== undefined || format === "jpg";
  const layers = { backdrop, shadow, isOpaque };
  if (!crop && !shadow)
    return isOpaque ? composeLayers(cutout, layers) : createCutoutWriter(cutout);
  const alpha = await openAlpha(await loadSharp(), cutout);
  const subject = findSubjectBox(alpha, cutout, foreground);
  if (!subject && crop) throw pictureErrors.noSubject();
  const box = crop && subject && cropBox(subject, cutout, crop, shadow);
  // The decoded alpha goes along, so that it is not decoded again.
  const raw = { width: cutout.width, height: cutout.height, channels: 1 } as const;
  const cut = box ? cropCutout(cutout, alpha, box) : { ...cutout, alpha: { data: alpha, raw } };
  if (!shadow && !isOpaque) return createCutoutWriter(cut);
  const { left = 0, top = 0 } = box ?? {};
  return composeLayers(cut, {
    ...layers,
    subject: subject && { ...subject, left: subject.left - left, top: subject.top - top },
  });
}

/** The subject with its margin and room for the shadow, within the picture. */
function cropBox(
  subject: PictureBox,
  cutout: CutoutPlanes,
  { margin }: NonNullable<ComposeOptions["crop"]>,
  shadow: SubjectShadow | undefined,
): PictureBox {
  const { left, top, right, bottom } = shadow ? measureShadowReach(shadow, subject) : noReach;
  const { width, height } = subject;
  const by = {
    left: left + marginPixels(margin, "left", width),
    top: top + marginPixels(margin, "top", height),
    right: right + marginPixels(margin, "right", width),
    bottom: bottom + marginPixels(margin, "bottom", height),
  };
  return growBox(subject, by, cutout);
}

function marginPixels(
  margin: number | CropMargins,
  side: keyof CropMargins,
  length: number,
): number {
  const { value, unit } = typeof margin === "number" ? { value: margin, unit: "px" } : margin[side];
  const pixels = unit === "px" ? Math.min(maxMargin, value) : (Math.min(50, value) / 100) * length;
  return Math.round(Math.max(0, pixels));
}

const noReach = { left: 0, top: 0, right: 0, bottom: 0 } as const;

/** Undefined if libwebp fails, as it does for some large detailed pictures; a lower quality helps then. */
async function tryWrite(source: PictureWriter, plan: FitPlan): Promise<EncodedPicture | undefined> {
  try {
    return await source.write(plan);
  } catch (error) {
    const isEncoder =
      error instanceof Error && /webpsave|webp: unable to encode/i.test(error.message);
    if (isEncoder && plan.format === "webp" && plan.quality > 20) return undefined;
    throw error;
  }
}

interface Layers {
  /** White when absent and the picture is to be opaque. */
  readonly backdrop: CutoutBackdrop | undefined;
  readonly shadow: SubjectShadow | undefined;
  readonly isOpaque: boolean;
  /** The box around what is visible; a shadow needs it. */
  readonly subject?: PictureBox | undefined;
}

const white = { kind: "color", color: "#ffffff" } as const;

/** Composes subject, shadow and backdrop in sRGB. */
async function composeLayers(cutout: CutoutPlanes, layers: Layers): Promise<PictureWriter> {
  const sharp = await loadSharp();
  const scene: UncutPicture = {
    rgb: await openColors(sharp, cutout),
    alpha: await openAlpha(sharp, cutout),
  };
  const { width, height, isStandard } = cutout;
  const { subject, shadow, isOpaque, backdrop = white } = layers;
  const shade = shadow && subject && (await drawShadow(scene.alpha, cutout, { subject, shadow }));
  const layer = { ...scene, width, height };
  // Colours of another space have been converted to sRGB by now.
  const profile = isStandard ? cutout.profile : undefined;
  if (isOpaque) {
    layOver(layer, await openBackdrop(backdrop, cutout, scene), shade);
    return createSamplesWriter({ rgb: scene.rgb, width, height }, profile);
  }
  layOnShadow(layer, shade ?? Buffer.alloc(scene.alpha.length));
  return createSamplesWriter(layer, profile);
}

/** One attempt, and what it gives up. */
type FitPlan = EncodeAttempt & { readonly fitted: ComposedCutout["fitted"] };

/** `least` is the lowest quality that is tried before pixels are given up. */
const quality = {
  webp: { usual: 80, lowered: 60, least: 40 },
  jpg: { usual: 90, lowered: 75, least: 50 },
} as const;

/** By how much a lower quality can shrink a file: a WebP's alpha stays the same whatever the quality of its colours. */
const savedByQuality = { webp: 1.25, jpg: 2 } as const;

/** The requested format, or for `auto` the best one: a picture with a backdrop needs no transparency. */
export function firstPlan(
  { width, height }: PictureDimensions,
  {
    format,
    backdrop,
    maxPixels = Infinity,
    givesUp,
  }: Pick<ComposeOptions, "format" | "backdrop" | "maxPixels" | "givesUp">,
): FitPlan {
  const isPngSized = width * height <= maxComposedPngPixels;
  if (format === "png" && !isPngSized && givesUp === "pixels") {
    const scale = Math.sqrt(maxComposedPngPixels / (width * height)) * 0.999;
    return { format, quality: 100, scale, fitted: "smaller" };
  }
  if (format === "png" && !isPngSized) throw pictureErrors.png(width, height, maxComposedPngPixels);
  const isAuto = format === "auto";
  if (format === "png" || (isAuto && !backdrop && isPngSized)) {
    return { format: "png", quality: 100, scale: 1, fitted: "asked" };
  }
  const written = format === "jpg" || (isAuto && backdrop) ? "jpg" : "webp";
  const fitted = isAuto && !backdrop ? "webp" : "asked";
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  return { format: written, quality: quality[written].usual, scale, fitted };
}

/**
 * Gives up as little as it can: PNG for WebP, then quality, then pixels. `over` is the size divided by the limit, not
 * finite where the encoder failed.
 */
export function nextPlan(
  plan: FitPlan,
  over: number,
  givesUp?: ComposeOptions["givesUp"],
): FitPlan {
  const scale = plan.scale * Math.sqrt(1 / over) * 0.93;
  if (givesUp === "pixels" && Number.isFinite(over)) return { ...plan, scale, fitted: "smaller" };
  if (plan.format === "png") {
    return { format: "webp", quality: quality.webp.usual, scale: 1, fitted: "webp" };
  }
  const { usual, lowered, least } = quality[plan.format];
  const isFull = plan.scale === 1;
  if (!Number.isFinite(over)) return { ...plan, quality: plan.quality - 15, fitted: "quality" };
  if (isFull && plan.quality === usual && over <= savedByQuality[plan.format]) {
    return { ...plan, quality: over < 1.08 ? lowered : least, fitted: "quality" };
  }
  return { ...plan, quality: lowered, scale, fitted: "smaller" };
}
