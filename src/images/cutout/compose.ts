import { maxPixels } from "../limits.ts";
import { orDamaged, refusal } from "../refusal.ts";
import { loadSharp } from "../sharp.ts";
import { asBuffer } from "../size.ts";
import type { Backdrop, Composed, ComposeOptions, Shadow } from "../types.ts";
import { checkColors, openBackdrop, type Scene } from "./backdrop.ts";
import { type Cutout, openCutout } from "./cutout.ts";
import { cutoutSource, type Encoded, type Source, samplesSource } from "./encode.ts";
import { layOnShadow, layOver } from "./over.ts";
import { firstPlan, nextPlan, type Plan } from "./plan.ts";
import { openAlpha, openColors } from "./planes.ts";
import { drawShadow, shadowReach } from "./shadow.ts";
import { type Box, cropTo, grow, subjectBox } from "./subject.ts";

type Options = Omit<ComposeOptions, "signal">;

const maxAttempts = 7;
const maxMargin = 500;

/** Composes a cut-out. */
export async function compose(bytes: Uint8Array, options: Options): Promise<Composed> {
  const { backdrop, maxBytes = Infinity } = options;
  if (backdrop) checkColors(backdrop);
  return orDamaged(async () => {
    const cutout = await openCutout(asBuffer(bytes));
    const { width, height } = cutout;
    if (width * height > maxPixels) throw refusal.pixels(width, height, maxPixels);
    const source = await sourceOf(cutout, options);
    return writeFitting(source, firstPlan(source, options), maxBytes);
  });
}

async function writeFitting(source: Source, first: Plan, maxBytes: number): Promise<Composed> {
  let plan = first;
  let smallest = Infinity;
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const encoded = await tryWrite(source, plan);
    const bytes = encoded?.bytes.length ?? Infinity;
    if (encoded && bytes <= maxBytes) {
      return { ...encoded, format: plan.format, fitted: plan.fitted };
    }
    smallest = Math.min(smallest, bytes);
    plan = nextPlan(plan, bytes / maxBytes);
  }
  throw refusal.tooLarge(smallest, maxBytes);
}

/** A cut-out that stays as it is goes straight to the encoder; all else is laid together first. */
async function sourceOf(cutout: Cutout, options: Options): Promise<Source> {
  const { backdrop, crop, shadow, format, foreground } = options;
  if (backdrop?.kind === "blur" && !cutout.hasBackground) throw refusal.noBackground();
  const isOpaque = backdrop !== undefined || format === "jpg";
  const layers = { backdrop, shadow, isOpaque };
  if (!crop && !shadow) return isOpaque ? layered(cutout, layers) : cutoutSource(cutout);
  const alpha = await openAlpha(await loadSharp(), cutout);
  const subject = subjectBox(alpha, cutout, foreground);
  if (!subject && crop) throw refusal.noSubject();
  const box = crop && subject && cropBox(subject, cutout, { margin: crop.margin, shadow });
  const cut = box ? cropTo(cutout, alpha, box) : withAlpha(cutout, alpha);
  if (!shadow && !isOpaque) return cutoutSource(cut);
  return layered(cut, { ...layers, subject: subject && box ? within(subject, box) : subject });
}

/** The margin, and room for the shadow, as far as the picture goes. */
function cropBox(
  subject: Box,
  cutout: Cutout,
  { margin, shadow }: { readonly margin: number; readonly shadow: Shadow | undefined },
): Box {
  const wanted = Math.round(Math.min(maxMargin, Math.max(0, margin)));
  const { left, top, right, bottom } = shadow ? shadowReach(shadow, subject) : noReach;
  const by = {
    left: left + wanted,
    top: top + wanted,
    right: right + wanted,
    bottom: bottom + wanted,
  };
  return grow(subject, by, cutout);
}

const noReach = { left: 0, top: 0, right: 0, bottom: 0 } as const;

function within(subject: Box, box: Box): Box {
  return { ...subject, left: subject.left - box.left, top: subject.top - box.top };
}

/** So that it is decoded once. */
function withAlpha(cutout: Cutout, data: Buffer): Cutout {
  const { width, height } = cutout;
  return { ...cutout, alpha: { data, raw: { width, height, channels: 1 } } };
}

/** libwebp gives up on some large detailed pictures, which a lower quality cures; then there is no result. */
async function tryWrite(source: Source, plan: Plan): Promise<Encoded | undefined> {
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
  readonly backdrop: Backdrop | undefined;
  readonly shadow: Shadow | undefined;
  readonly isOpaque: boolean;
  /** The box round what is visible; a shadow needs it. */
  readonly subject?: Box | undefined;
}

const white = { kind: "color", color: "#ffffff" } as const;

/** Lays subject, shadow and backdrop together, in sRGB, as they are seen. */
async function layered(cutout: Cutout, layers: Layers): Promise<Source> {
  const sharp = await loadSharp();
  const scene: Scene = {
    rgb: await openColors(sharp, cutout),
    alpha: await openAlpha(sharp, cutout),
  };
  const { width, height, isStandard } = cutout;
  const { subject, shadow, isOpaque, backdrop = white } = layers;
  const shade = shadow && subject && (await drawShadow(scene.alpha, cutout, { subject, shadow }));
  const layer = { ...scene, width, height };
  // Colours of another space have been turned into sRGB by now.
  const profile = isStandard ? cutout.profile : undefined;
  if (isOpaque) {
    layOver(layer, await openBackdrop(backdrop, cutout, scene), shade);
    return samplesSource({ rgb: scene.rgb, width, height }, profile);
  }
  layOnShadow(layer, shade ?? Buffer.alloc(scene.alpha.length));
  return samplesSource(layer, profile);
}
