import { InputError, ServiceError } from "../errors.ts";
import { megabytes, megapixels } from "./limits.ts";
import type { Size } from "./size.ts";
import type { InputFormat } from "./types.ts";

const wanted = "Send a JPEG, PNG, WebP, GIF, AVIF or TIFF picture.";

/** Why a file that is whole is not read, in the words of its format. */
export interface Unsupported {
  readonly feature: keyof typeof features;
  readonly value?: string;
}

/** Every refusal of a picture, each with its own sentence; `facts` repeats the numbers for translations. */
export const refusal = {
  empty: () =>
    new InputError("the picture has no bytes", {
      code: "picture_empty",
      hint: `This file is empty (0 bytes). ${wanted}`,
    }),
  type: (found: string) =>
    new InputError(`not a taken picture type: ${found}`, {
      code: "picture_type",
      hint: ways[found] ?? `This file is ${names[found] ?? found}. ${wanted}`,
      facts: { found },
    }),
  truncated: (found: string, bytes: number) =>
    new InputError(`${found} ends early after ${bytes} bytes`, {
      code: "picture_truncated",
      hint: `This picture ends before it is complete (after ${megabytes(bytes)}). Upload it again.`,
      facts: { found, bytes },
    }),
  unreadable: (found: string, cause?: unknown) =>
    new InputError(`${found} can't be decoded`, {
      code: "picture_unreadable",
      hint: "This picture is damaged and can't be read. Open it in an editor, save it again and send that.",
      facts: { found },
      cause,
    }),
  unsupported: (found: string, { feature, value = "" }: Unsupported) =>
    new InputError(`${found} of an unsupported kind: ${feature} ${value}`.trim(), {
      code: "picture_unsupported",
      hint: `This ${formatNames[found] ?? found} ${features[feature].replace("$", value)}, which can't be read here. Open it in an editor and save it as a JPEG or PNG with 8 bits per channel.`,
      facts: { found: formatNames[found] ?? found, feature, value },
    }),
  pixels: (width: number, height: number, maxPixels: number) =>
    new InputError(`${width}x${height} pixels`, {
      code: "picture_pixels",
      hint: `This picture is ${width} x ${height} (${megapixels(width * height)}); at most ${megapixels(maxPixels)} are allowed. Make it smaller first.`,
      facts: { width, height, maxPixels },
    }),
  side: (width: number, height: number, most: number) =>
    new InputError(`${width}x${height} pixels`, {
      code: "picture_side",
      hint: `This picture is ${width} x ${height} pixels; neither side may have more than ${most}. Send a part of it.`,
      facts: { width, height, maxSide: most },
    }),
  tooLarge: (bytes: number, maxBytes: number) =>
    new InputError(`${bytes} bytes, ${maxBytes} allowed`, {
      code: "picture_too_large",
      hint: `This picture has ${megabytes(bytes)}; at most ${megabytes(maxBytes)} are allowed. Send a smaller one.`,
      facts: { bytes, maxBytes },
    }),
  tooSmall: (picture: Size, min: Size) =>
    new InputError(`${picture.width}x${picture.height} pixels, ${min.width}x${min.height} needed`, {
      code: "picture_too_small",
      hint: `This picture is ${picture.width} x ${picture.height}; at least ${min.width} x ${min.height} pixels are needed. Send a larger one.`,
      facts: smallFacts(picture, min),
    }),
  shape: (picture: Size, min: Size, place: Size) =>
    new InputError(
      `${picture.width}x${picture.height} pixels leave too little at ${place.width}:${place.height}`,
      {
        code: "picture_shape",
        hint: `This picture is ${picture.width} x ${picture.height}, too ${isLong(picture, place) ? "wide" : "tall"} for its place: less than ${min.width} x ${min.height} pixels would be left. Send one shaped like ${place.width} x ${place.height}.`,
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
      hint: `A PNG holds at most ${megapixels(maxPngPixels)} here and this result has ${megapixels(width * height)}. Choose WebP instead.`,
      facts: { width, height, maxPixels: maxPngPixels },
    }),
  background: (background: string) =>
    new InputError("background is not #rrggbb", {
      code: "picture_background",
      hint: "Write the background colour as # and six digits, for example #ffffff.",
      facts: { background: background.slice(0, 20) },
    }),
  noBackground: () =>
    new InputError("no background left to blur", {
      code: "picture_no_background",
      hint: "This picture no longer has its own background, so it can't be blurred. Cut the original out again, or choose another background.",
    }),
  opaque: () =>
    new InputError("a cut-out without a transparent pixel", {
      code: "picture_opaque",
      hint: "Nothing in this picture is transparent, so there is no cut-out in it. Remove its background first.",
    }),
  noSubject: () =>
    new InputError("nothing visible in the cut-out", {
      code: "picture_no_subject",
      hint: "Nothing is left in this cut-out. Try a picture whose subject stands out more from the background.",
    }),
} as const;

function smallFacts({ width, height }: Size, min: Size) {
  return { width, height, minWidth: min.width, minHeight: min.height };
}

function isLong(picture: Size, place: Size): boolean {
  return picture.width * place.height > picture.height * place.width;
}

/** What the service sent can't be composed. The cut-out itself may have been charged. */
export function damaged(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(`cut-out: ${reason}`, {
    code: "cutout_damaged",
    hint: `The image service sent a damaged result (${reason}). Try again.`,
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

/** What is refused for a reason of its own, and the way round it. */
const ways: Readonly<Record<string, string>> = {
  heic: "This file is a HEIC picture, and the decoder it needs (HEVC) is not installed here. Send it as a JPEG: phones convert it when you share it, or take pictures with the setting “Most compatible”.",
};

const formatNames: Readonly<Record<string, string>> = {
  jpeg: "JPEG",
  png: "PNG",
  avif: "AVIF",
  tiff: "TIFF",
};

const features = {
  bits: "has $ bits per channel",
  channels: "has $ channels",
  signed: "has signed numbers for its colors",
  floating: "has floating-point numbers for its colors",
  complex: "has complex numbers for its colors",
  compression: "is compressed with $",
  colors: "has $ colors",
  coding: "uses $ coding",
  lossless: "uses lossless coding",
  hierarchical: "uses hierarchical coding",
  height: "tells its height only behind its pixels",
  tiles: "has tiles with each color apart",
  film: "holds a film and no still picture",
} as const;

const names: Readonly<Record<string, string>> = {
  bmp: "a BMP picture",
  ico: "an icon file",
  jxl: "a JPEG XL picture",
  jp2: "a JPEG 2000 picture",
  psd: "a Photoshop file",
  svg: "an SVG drawing",
  pdf: "a PDF",
  html: "a web page",
  zip: "a ZIP archive",
  mp4: "a video",
  webm: "a video",
  text: "text",
  unknown: "not a picture we know",
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
