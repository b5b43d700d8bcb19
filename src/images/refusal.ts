import { InputError, ServiceError } from "../errors.ts";
import type { Size } from "./size.ts";
import type { InputFormat } from "./types.ts";

/** Why a file that is whole is not read. */
export interface Unsupported {
  readonly feature:
    | "bits"
    | "channels"
    | "signed"
    | "floating"
    | "complex"
    | "compression"
    | "colors"
    | "coding"
    | "lossless"
    | "hierarchical"
    | "height"
    | "tiles"
    | "film";
  /** Of `bits`, `channels`, `compression`, `colors` and `coding`: how many, or which. */
  readonly value?: string;
}

/** Every refusal of a picture. */
export const refusal = {
  empty: () => new InputError("the picture has no bytes", { code: "picture_empty" }),
  type: (found: string) =>
    new InputError(`not a taken picture type: ${found}`, {
      code: "picture_type",
      facts: { found },
    }),
  truncated: (found: string, bytes: number) =>
    new InputError(`${found} ends early after ${bytes} bytes`, {
      code: "picture_truncated",
      facts: { found, bytes },
    }),
  unreadable: (found: string, cause?: unknown) =>
    new InputError(`${found} can't be decoded`, {
      code: "picture_unreadable",
      facts: { found },
      cause,
    }),
  unsupported: (found: string, { feature, value = "" }: Unsupported) =>
    new InputError(`${found} of an unsupported kind: ${feature} ${value}`.trim(), {
      code: "picture_unsupported",
      facts: { found: formatNames[found] ?? found, feature, value },
    }),
  pixels: (width: number, height: number, maxPixels: number) =>
    new InputError(`${width}x${height} pixels`, {
      code: "picture_pixels",
      facts: { width, height, maxPixels },
    }),
  side: (width: number, height: number, most: number) =>
    new InputError(`${width}x${height} pixels`, {
      code: "picture_side",
      facts: { width, height, maxSide: most },
    }),
  tooLarge: (bytes: number, maxBytes: number) =>
    new InputError(`${bytes} bytes, ${maxBytes} allowed`, {
      code: "picture_too_large",
      facts: { bytes, maxBytes },
    }),
  tooSmall: (picture: Size, min: Size) =>
    new InputError(`${picture.width}x${picture.height} pixels, ${min.width}x${min.height} needed`, {
      code: "picture_too_small",
      facts: smallFacts(picture, min),
    }),
  shape: (picture: Size, min: Size, place: Size) =>
    new InputError(
      `${picture.width}x${picture.height} pixels leave too little at ${place.width}:${place.height}`,
      {
        code: "picture_shape",
        facts: {
          ...smallFacts(picture, min),
          placeWidth: place.width,
          placeHeight: place.height,
        },
      },
    ),
  png: (width: number, height: number, maxPngPixels: number) =>
    new InputError(`PNG asked for ${width}x${height}`, {
      code: "png_too_large",
      facts: { width, height, maxPixels: maxPngPixels },
    }),
  background: (background: string) =>
    new InputError("background is not #rrggbb", {
      code: "picture_background",
      facts: { background: background.slice(0, 20) },
    }),
  noBackground: () =>
    new InputError("no background left to blur", { code: "picture_no_background" }),
  opaque: () => new InputError("a cut-out without a transparent pixel", { code: "picture_opaque" }),
  noSubject: () => new InputError("nothing visible in the cut-out", { code: "picture_no_subject" }),
} as const;

function smallFacts({ width, height }: Size, min: Size) {
  return { width, height, minWidth: min.width, minHeight: min.height };
}

/** What the service sent can't be composed. The cut-out itself may have been charged. */
export function damaged(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(`cut-out: ${reason}`, {
    code: "cutout_damaged",
    outcome: "part",
    facts: { reason },
    cause,
  });
}

/** Where a decoder fails at what the service sent, that is damaged; a refusal of ours is told as it is. */
export async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || "kind" in error) throw error;
    throw damaged("a picture in it can't be decoded", error);
  }
}

const formatNames: Readonly<Record<string, string>> = {
  jpeg: "JPEG",
  png: "PNG",
  avif: "AVIF",
  tiff: "TIFF",
};

/** libvips speaks of a damaged file in its own words only. */
export function translate(error: unknown, format: InputFormat, bytes: number): unknown {
  if (!(error instanceof Error) || "kind" in error) return error;
  // What an AVIF's brand stood in front of, libheif has no decoder for.
  if (/unsupported codec/i.test(error.message)) return refusal.type("heic");
  if (/premature end|unexpected end|truncated/i.test(error.message))
    return refusal.truncated(format, bytes);
  return refusal.unreadable(format, error);
}
