import type sharp from "sharp";
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
