import type { RemoveBackgroundRequest } from "../../background/index.ts";
import { compact, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";
import { type CutoutGround, readGround } from "../cutout/index.ts";
import { given, type Present, plainAttachment } from "../options/index.ts";
import { readMargin, readPosition, readRegion, readScale, regionFor } from "./lengths.ts";
import type { RemovalOptions } from "./options.ts";
import { readAddress } from "./picture-source.ts";
import { presets } from "./presets.ts";
import { readOpacity, readShadow } from "./shadows.ts";

/**
 * How pictures are to be cut out: those fields of `readEach` that were asked for. The states of buttons hold it, so
 * that it is small and JSON-shaped.
 */
export type CutoutOptions = Present<ReturnType<typeof readEach>>;

/**
 * What the options ask for together, their preset included.
 * @throws InputError by the option that can't be read, or by two that do not go together
 */
export function readCutoutOptions(options: RemovalOptions, words: Words): CutoutOptions {
  const whole = withPreset(given(readEach(options, words)) ?? {});
  for (const [code, clashes] of Object.entries(conflicts)) {
    if (clashes(whole)) throw new InputError(`${code} before anything was sent`, { code });
  }
  return whole;
}

/** Each option by itself. What the service takes too is named and written as there: `requestOf` passes it on. */
function readEach(options: RemovalOptions, words: Words) {
  return {
    preset: options.preset,
    /** Transparent when absent; on white in a JPG. */
    ground: readOneGround(options, words),
    /** The best one for the picture when absent. */
    format: options.format,
    size: options.size,
    type: options.subject,
    typeLevel: options.subject_detail,
    crop: options.crop,
    cropMargin: ifGiven(options.margin, readMargin),
    roi: ifGiven(options.region, readRegion),
    scale: ifGiven(options.scale, readScale),
    position: ifGiven(options.position, readPosition),
    /** Nothing but the mask: white is subject, black is background. */
    maskOnly: options.mask_only || undefined,
    semitransparency: options.windows,
    shadowType: ifGiven(options.shadow, readShadow),
    shadowOpacity: ifGiven(options.shadow_opacity, readOpacity),
    /** File name for the results, without its ending. */
    name: options.name,
    delivery: options.delivery,
  };
}

function ifGiven<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}

/** @throws InputError `multiple_bg_sources`, `background_unreadable`, `invalid_bg_image_url` */
function readOneGround(options: RemovalOptions, words: Words): CutoutGround | undefined {
  const { background, background_image: picture, background_link: link } = options;
  const grounds: readonly CutoutGround[] = compact([
    background !== undefined && readGround(background, words),
    picture !== undefined && { kind: "picture" as const, picture: plainAttachment(picture) },
    link !== undefined && {
      kind: "link" as const,
      link: readAddress(link, "invalid_bg_image_url"),
    },
  ]);
  if (grounds.length <= 1) return grounds[0];
  throw new InputError("more than one background", { code: "multiple_bg_sources" });
}

/**
 * The options with what their preset adds, except for what would contradict them: a preset never makes a request fail.
 */
function withPreset(options: CutoutOptions): CutoutOptions {
  if (options.preset === undefined) return options;
  const { ground, cropMargin, shadowType, ...preset }: CutoutOptions = presets[options.preset];
  const { maskOnly = false, format } = options;
  const takesGround =
    ground !== undefined &&
    !maskOnly &&
    format !== "zip" &&
    !(ground.kind === "blur" && isMoved(options)) &&
    !(ground.kind === "transparent" && format === "jpg");
  return {
    ...preset,
    ...(takesGround && { ground }),
    ...(cropMargin !== undefined && options.crop !== false && { cropMargin }),
    ...(shadowType !== undefined && !maskOnly && { shadowType }),
    ...options,
  };
}

function isMoved({ scale, position }: CutoutOptions): boolean {
  return scale !== undefined || position !== undefined;
}

/** Options that exclude each other, by the code with which they are refused before anything is sent. */
const conflicts: Readonly<Record<string, (options: CutoutOptions) => boolean>> = {
  jpg_transparent: ({ format, ground }) =>
    format === "jpg" && (ground?.kind === "transparent" || ground?.kind === "glass"),
  blur_moved: (options) => options.ground?.kind === "blur" && isMoved(options),
  margin_without_crop: ({ cropMargin, crop }) => cropMargin !== undefined && crop !== true,
  opacity_without_shadow: ({ shadowType = "none", shadowOpacity }) =>
    shadowOpacity !== undefined && shadowType === "none",
  mask_mixed: ({ maskOnly, ground, shadowType = "none", format }) =>
    maskOnly === true && (ground !== undefined || format === "zip" || shadowType !== "none"),
  zip_composed: ({ format, ground }) =>
    format === "zip" && ground !== undefined && ground.kind !== "transparent",
};

/**
 * What the service is asked for. Where the result is composed here it is a ZIP: the fastest format, and lossless.
 * @throws InputError `region_outside`
 */
export function requestOf(
  options: CutoutOptions,
  sent: Prepared | undefined,
): RemoveBackgroundRequest {
  const { preset: _, name: __, delivery: ___, ground, maskOnly, roi, ...request } = options;
  return {
    size: "auto",
    ...request,
    format: isWholeFromService(options) ? wholeFormat(options, sent) : "zip",
    ...(roi !== undefined && { roi: sent ? regionFor(roi, sent.original, sent) : roi }),
    ...(maskOnly === true && { channels: "alpha" }),
    ...(ground?.kind === "link" && { bgImageUrl: ground.link }),
    ...(ground?.kind === "glass" && { bgColor: ground.color }),
  };
}

/** Whether the service makes the whole result, on its background or as a mask, so that nothing is composed here. */
function isWholeFromService({ ground, maskOnly }: CutoutOptions): boolean {
  return maskOnly === true || ground?.kind === "link" || ground?.kind === "glass";
}

/** A PNG has no more than this, whatever size is asked for (interface specification: Result image). */
export const maxPngPixels = 10_000_000;

function wholeFormat(
  { format, ground }: CutoutOptions,
  sent: Prepared | undefined,
): "png" | "webp" | "jpg" {
  if (format !== undefined && format !== "zip") return format;
  if (ground?.kind === "link") return "jpg";
  const pixels = sent === undefined ? 0 : sent.width * sent.height;
  return pixels <= maxPngPixels ? "png" : "webp";
}
