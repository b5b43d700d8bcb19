import type sharp from "sharp";
import type { Sharp as Pipeline } from "sharp";
import { maxPixels } from "./limits.ts";

export type Sharp = typeof sharp;

/**
 * For every file that is decoded: its header has been read by our own code, and libvips may read it differently. With a
 * milder `failOn`, a TIFF whose strips can't be decoded comes out black, and a PNG whose sums are wrong as it happens to.
 */
export const untrusted = { limitInputPixels: maxPixels, failOn: "error" } as const;

/** How a judged picture is opened: what libvips finds may not be larger than what was judged. */
export function opening({ width, height }: { readonly width: number; readonly height: number }) {
  return { ...untrusted, limitInputPixels: width * height };
}

/** What sharp takes. */
const maxExponent = 3;

/** Opens a judged picture whose colours matter: libvips takes no note of a PNG's gamma. */
export function openColored(
  sharp: Sharp,
  source: {
    readonly bytes: Buffer;
    readonly width: number;
    readonly height: number;
    readonly exponent?: number;
  },
): Pipeline {
  const pipeline = sharp(source.bytes, opening(source));
  const { exponent } = source;
  if (exponent === undefined) return pipeline;
  const within = (value: number) => Math.min(maxExponent, Math.max(1, value));
  // The first makes darker, the second lighter.
  return pipeline.gamma(within(exponent), within(1 / exponent));
}

/** The only decoders there are: SVG, PDF, ImageMagick's and the rest stay closed whatever a file claims to be. */
const loaders = [
  "VipsForeignLoadJpeg",
  "VipsForeignLoadPng",
  "VipsForeignLoadWebp",
  "VipsForeignLoadNsgif",
  "VipsForeignLoadTiff",
  "VipsForeignLoadHeif",
];

let opened: Promise<Sharp> | undefined;

/**
 * Opens libvips on first use: importing this room costs nothing, and the bot's own process never needs it.
 * Once only, because closing and reopening the decoders would disturb a picture that is being read.
 */
export function loadSharp(): Promise<Sharp> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  // Every picture is seen once: a cache would only hold memory.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
