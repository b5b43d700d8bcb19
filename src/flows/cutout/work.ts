import type { Made } from "./make.ts";
import type { CutoutSource } from "./source.ts";
import { type Given, type Ground, mostMegapixels, type Wishes } from "./wishes.ts";

/** How a cut-out is laid out; all of it is composed here and costs nothing. */
export interface Look {
  /** Transparent when absent. */
  readonly ground?: Ground;
  readonly crop?: true;
  readonly shadow?: true;
  /** The best one when absent. */
  readonly format?: "png" | "webp";
}

/** One result with all that its buttons need. */
export interface Work {
  readonly source: CutoutSource;
  /** The picture as it was given, and how it was cut out. */
  readonly given: Given;
  readonly wishes: Wishes;
  readonly look: Look;
  /** The picture has more pixels than the result. */
  readonly isSmall?: true;
}

const white = { kind: "color", color: "#ffffff" } as const;

export function isWhite(ground: Ground | undefined): boolean {
  return ground?.kind === "color" && ground.color === white.color;
}

export const onWhite: Ground = white;

/** How the result looks as the wishes made it. What the service itself composed can't be had again here. */
export function lookOf({ ground, format }: Wishes): Look {
  const isOurs = ground !== undefined && ground.kind !== "transparent";
  const behind = isOurs ? ground : format === "jpg" ? white : undefined;
  return {
    ...(behind !== undefined && { ground: behind }),
    ...(format === "png" || format === "webp" ? { format } : {}),
  };
}

/** Whether the picture would come out larger than it did. An address tells nothing of its pixels. */
export function isSmaller({ size }: Wishes, { prepared }: Made): boolean {
  const most = mostMegapixels(size);
  if (prepared === undefined) return most < mostMegapixels("auto");
  return (prepared.width * prepared.height) / 1e6 > most * 1.05;
}

/** The same wishes for all of the pixels. */
export function fullWishes({ wishes, given }: Work): Wishes {
  const { format, size: before, ...rest } = wishes;
  const isLarge = mostMegapixels(before) >= mostMegapixels("auto");
  const size = isLarge || "link" in given ? "50MP" : "auto";
  // A PNG of that many pixels might be refused.
  return { ...rest, size, ...(format !== undefined && format !== "png" && { format }) };
}
