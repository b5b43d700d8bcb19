import type { CutoutGround, CutoutSource } from "../cutout/index.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { PictureSource } from "./picture-source.ts";

// What the states of buttons hold, so it is small and JSON-shaped, and fields keep the names that are stored.

/** How pictures are to be cut out, and for whom. */
export interface CutoutOrder {
  readonly wishes: CutoutOptions;
  /** Who posted the pictures, when it was not the person who asked for this. */
  readonly postedBy?: string | undefined;
  /** The answer is for one person alone, who may want to show it to the others. */
  readonly isPrivate?: true;
}

/** Pictures to be cut out once more. */
export interface RepeatedCutout {
  readonly all: readonly PictureSource[];
  readonly order: CutoutOrder;
}

/** What is made of a cut-out here, at no cost. */
export interface CutoutLook {
  /** Transparent when absent. */
  readonly ground?: CutoutGround;
  readonly crop?: true;
  readonly shadow?: true;
  /** The best one when absent. */
  readonly format?: "png" | "webp";
}

/** One result with all that its buttons need. */
export interface CutoutWork {
  readonly source: CutoutSource;
  /** The picture as it was given, and how it was cut out. */
  readonly given: PictureSource;
  readonly wishes: CutoutOptions;
  readonly look: CutoutLook;
  /** The picture has more pixels than the result. */
  readonly isSmall?: true;
}

const white = { kind: "color", color: "#ffffff" } as const;

export function isWhite(ground: CutoutGround | undefined): boolean {
  return ground?.kind === "color" && ground.color === white.color;
}

export const onWhite: CutoutGround = white;

/** The look that the options gave the result. */
export function lookOf({ ground, format }: CutoutOptions): CutoutLook {
  const isOurs = ground !== undefined && ground.kind !== "transparent";
  const behind = isOurs ? ground : format === "jpg" ? white : undefined;
  return {
    ...(behind !== undefined && { ground: behind }),
    ...(format === "png" || format === "webp" ? { format } : {}),
  };
}
