import { maxPngResultPixels, maxResultMegapixels } from "../../background/index.ts";
import { type BotError, InputError } from "../../errors.ts";
import type { ServiceReadyPicture } from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { PictureSource } from "./picture-source.ts";

/** All files of one message together (docs/services/discord.md#files), less some room for the message itself. */
export const maxMessageBytes = 25 * 1024 * 1024 - 128 * 1024;

/** A preview is only an aid, so it must not take the room of the results. */
export const maxPreviewBytes = 1024 * 1024;

/** More than an archive adds for each file in it: two headers, each with a name of up to 200 bytes, once more in UTF-8. */
export const zipEntryBytes = 1_000;

/** The most bytes of each result, so that all of them fit into one message. */
export function maxBytesForEach(ctx: Ctx, count: number): number {
  const share =
    Math.floor((maxMessageBytes - maxPreviewBytes) / Math.max(1, count)) - zipEntryBytes;
  return Math.min(ctx.attachmentLimit - 2 * zipEntryBytes, share);
}

/** The largest file that a message may have. */
export function maxFileBytes(ctx: Ctx): number {
  return Math.min(ctx.attachmentLimit, maxMessageBytes - maxPreviewBytes);
}

/** Whether a result would be too large, which was known before anything was paid for. */
export const isOversized = ({ code, outcome }: BotError): boolean =>
  (code === "result_too_large" || code === "png_too_large") && outcome === "nothing";

/**
 * Refuses a result that would be too large, before anything is paid for: a PNG with too many pixels, or a file that is
 * likely to have more than `maxBytes`. Not if somebody has chosen what is to be done about it.
 * @throws InputError `png_too_large`, `result_too_large`
 */
export function requireResultSize(
  options: CutoutOptions,
  sent: ServiceReadyPicture,
  maxBytes: number,
): void {
  const { format, size = "auto", crop, oversize } = options;
  // The size of a cropped picture is not known yet; if it is too large for a PNG, it becomes a WebP.
  if (crop === true || oversize !== undefined) return;
  const pixels = sent.width * sent.height;
  const share = Math.sqrt(Math.min(1, (maxResultMegapixels[size] * 1e6) / pixels));
  if (format === "png" && pixels * share ** 2 > maxPngResultPixels) {
    const [width, height] = [Math.round(sent.width * share), Math.round(sent.height * share)];
    throw new InputError(`PNG of ${width} x ${height} pixels`, {
      code: "png_too_large",
      facts: { width, height, maxPixels: maxPngResultPixels },
    });
  }
  const bytes = Math.round(pixels * share ** 2 * estimateBytesPerPixel(options, sent));
  if (bytes <= maxBytes) return;
  throw new InputError(`a result of about ${bytes} bytes`, {
    code: "result_too_large",
    facts: { bytes, maxBytes },
  });
}

/** How much larger the same picture would be as a JPEG. */
const asJpeg = { jpeg: 1, webp: 1.4, png: 0.25 } as const;

/**
 * A result's bytes for each byte of the picture as a JPEG, and the most that a pixel takes. Rough: the subject is taken
 * to fill half of the picture, and a ZIP has the whole picture as a JPEG.
 */
const perJpegByte = {
  png: { factor: 3, most: 1.5 },
  webp: { factor: 0.4, most: 0.5 },
  jpg: { factor: 0.9, most: 1 },
  zip: { factor: 1.05, most: 1.5 },
} as const;

function estimateBytesPerPixel(
  { format, ground, maskOnly }: CutoutOptions,
  sent: ServiceReadyPicture,
): number {
  // A mask is flat nearly everywhere.
  if (maskOnly === true) return 0;
  const hasGround = ground !== undefined && ground.kind !== "transparent";
  // A PNG that nobody asked for becomes a WebP when it is too large.
  const { factor, most } = perJpegByte[format ?? (hasGround ? "jpg" : "webp")];
  const detail = (sent.bytes.length * asJpeg[sent.format]) / (sent.width * sent.height);
  return Math.min(most, detail * factor);
}

/** Whether the picture has more pixels than its result. For a picture at an address: whether it might. */
export function isReduced(
  { size = "auto" }: CutoutOptions,
  sent: Pick<ServiceReadyPicture, "width" | "height"> | undefined,
): boolean {
  const most = maxResultMegapixels[size];
  if (sent === undefined) return most < maxResultMegapixels.auto;
  return (sent.width * sent.height) / 1e6 > most * 1.05;
}

/** The same options for a result in full size. */
export function fullSizeOptions(options: CutoutOptions, source: PictureSource): CutoutOptions {
  const { format, size: before = "auto", ...rest } = options;
  const isLarge = maxResultMegapixels[before] >= maxResultMegapixels.auto;
  const size = isLarge || "link" in source ? "50MP" : "auto";
  // A PNG with that many pixels might be refused.
  return { ...rest, size, ...(format !== undefined && format !== "png" && { format }) };
}
