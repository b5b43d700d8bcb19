import { InputError, ServiceError } from "../errors.ts";

/** Why a complete file is not read. */
export interface UnsupportedFeature {
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
  /** For `bits`, `channels`, `compression`, `colors` and `coding`: how many, or which. */
  readonly value?: string;
}

/** Errors for a picture that can't be used, as far as more than one place throws them. */
export const pictureErrors = {
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
  unsupported: (found: string, { feature, value = "" }: UnsupportedFeature) =>
    new InputError(`${found} of an unsupported kind: ${feature} ${value}`.trim(), {
      code: "picture_unsupported",
      facts: { found: formatNames[found] ?? found, feature, value },
    }),
  pixels: (width: number, height: number, maxPixels: number) =>
    new InputError(`${width}x${height} pixels`, {
      code: "picture_pixels",
      facts: { width, height, maxPixels },
    }),
  tooLarge: (bytes: number, maxBytes: number) =>
    new InputError(`${bytes} bytes, ${maxBytes} allowed`, {
      code: "picture_too_large",
      facts: { bytes, maxBytes },
    }),
  png: (width: number, height: number, maxPngPixels: number) =>
    new InputError(`PNG asked for ${width}x${height}`, {
      code: "png_too_large",
      facts: { width, height, maxPixels: maxPngPixels },
    }),
  background: (background: string) =>
    new InputError("background is not #rrggbb", {
      code: "picture_background",
      facts: { given: background.slice(0, 20) },
    }),
  noBackground: () =>
    new InputError("no background left to blur", { code: "picture_no_background" }),
  opaque: () => new InputError("a cut-out without a transparent pixel", { code: "picture_opaque" }),
  noSubject: () => new InputError("nothing visible in the cut-out", { code: "picture_no_subject" }),
} as const;

/** For an answer of remove.bg that can't be composed. The cut-out itself may have been charged. */
export function createDamagedError(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(`cut-out: ${reason}`, {
    code: "cutout_damaged",
    outcome: "part",
    facts: { reason },
    cause,
  });
}

/** Runs work on remove.bg's cut-out. If a decoder fails, the cut-out is damaged; our own errors pass unchanged. */
export async function asDamagedCutout<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || "kind" in error) throw error;
    throw createDamagedError("a picture in it can't be decoded", error);
  }
}

/** Codes that mean damage if the picture came from remove.bg. */
const damageCodes: ReadonlySet<string> = new Set([
  "picture_empty",
  "picture_type",
  "picture_truncated",
  "picture_unreadable",
]);

/** Whether an error says that a picture's bytes are damaged, or none. */
export function isDamagedPicture(error: unknown): error is InputError {
  return error instanceof InputError && damageCodes.has(error.code);
}

const formatNames: Readonly<Record<string, string>> = {
  jpeg: "JPEG",
  png: "PNG",
  avif: "AVIF",
  tiff: "TIFF",
};

/** Turns libvips's errors about a damaged file into ours; other errors stay as they are. */
export function toPictureError(error: unknown, format: string, bytes: number): unknown {
  if (!(error instanceof Error) || "kind" in error) return error;
  // The file's brand says AVIF, but libheif has no decoder for what is in it.
  if (/unsupported codec/i.test(error.message)) return pictureErrors.type("heic");
  if (/premature end|unexpected end|truncated/i.test(error.message))
    return pictureErrors.truncated(format, bytes);
  return pictureErrors.unreadable(format, error);
}
