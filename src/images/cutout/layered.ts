import { loadSharp } from "../sharp.ts";
import type { Backdrop, Shadow } from "../types.ts";
import { openBackdrop, type Scene } from "./backdrop.ts";
import type { Cutout } from "./cutout.ts";
import { type Source, samplesSource } from "./encode.ts";
import { layOnShadow, layOver } from "./over.ts";
import { openAlpha, openColors } from "./planes.ts";
import { drawShadow } from "./shadow.ts";
import type { Box } from "./subject.ts";

export interface Layers {
  /** White when absent and the picture is to be opaque. */
  readonly backdrop: Backdrop | undefined;
  readonly shadow: Shadow | undefined;
  readonly isOpaque: boolean;
  /** The box round what is visible; a shadow needs it. */
  readonly subject?: Box | undefined;
}

const white = { kind: "color", color: "#ffffff" } as const;

/** Lays subject, shadow and backdrop together, in sRGB, as they are seen. */
export async function layered(cutout: Cutout, layers: Layers): Promise<Source> {
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
