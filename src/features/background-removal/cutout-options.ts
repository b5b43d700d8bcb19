import {
  maxPngResultPixels,
  type PerType,
  type RemoveBackgroundRequest,
  shadowForegrounds,
  shadowTypes,
} from "../../background/index.ts";
import { compact, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { ServiceReadyPicture } from "../../images/index.ts";
import { type CutoutGround, readCutoutGround } from "../cutout/index.ts";
import { givenFields, type Present, plainAttachment } from "../options/index.ts";
import {
  convertRegion,
  invalidOption,
  readMargin,
  readPictureRegion,
  readPosition,
  readScale,
} from "./lengths.ts";
import { cutoutPresets, type RemovalOptions } from "./options.ts";
import { readPictureAddress } from "./picture-source.ts";

/**
 * How pictures are to be cut out: the fields of `readEach` that somebody chose. Button states store it, so it is small
 * and JSON-shaped.
 */
export type CutoutOptions = Present<ReturnType<typeof readEach>> & { readonly oversize?: Oversize };

/**
 * What somebody chose for a result that is too large to send: whatever fits, the same format with fewer pixels, or all of
 * it in several ZIPs.
 */
export type Oversize = "fit" | "smaller" | "parts";

/**
 * Reads all options, including their preset.
 * @throws InputError for an option that can't be read, or for two that exclude each other
 */
export function readCutoutOptions(options: RemovalOptions, words: Words): CutoutOptions {
  const whole = withPreset(givenFields(readEach(options, words)) ?? {});
  const { ground, format, crop, cropMargin, shadowType = "none", shadowOpacity } = whole;
  const isTransparent = ground?.kind === "transparent";
  // What excludes what, by the code of the error.
  const conflicts = {
    jpg_transparent: format === "jpg" && (isTransparent || ground?.kind === "glass"),
    blur_moved: ground?.kind === "blur" && isSubjectMoved(whole),
    margin_without_crop: cropMargin !== undefined && crop !== true,
    opacity_without_shadow: shadowOpacity !== undefined && shadowType === "none",
    mask_mixed:
      whole.maskOnly === true &&
      (ground !== undefined || format === "zip" || shadowType !== "none"),
    zip_composed: format === "zip" && ground !== undefined && !isTransparent,
  };
  const [code] = Object.entries(conflicts).find(([, isConflict]) => isConflict) ?? [];
  if (code !== undefined) throw new InputError(`${code} before anything was sent`, { code });
  return whole;
}

/** Each option by itself. What remove.bg takes as well has its name and notation, so `cutoutRequest` can pass it on. */
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
    roi: ifGiven(options.region, readPictureRegion),
    scale: ifGiven(options.scale, readScale),
    position: ifGiven(options.position, readPosition),
    /** Only the mask: white is the subject, black the background. */
    maskOnly: options.mask_only || undefined,
    semitransparency: options.windows,
    shadowType: ifGiven(options.shadow, (text) =>
      perType(
        text,
        (typed) => shadowTypes.find((type) => type.toLowerCase() === typed.trim().toLowerCase()),
        "invalid_shadow_type",
      ),
    ),
    shadowOpacity: ifGiven(options.shadow_opacity, (text) =>
      perType(text, parseOpacity, "invalid_shadow_opacity"),
    ),
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
    background !== undefined && readCutoutGround(background, words),
    picture !== undefined && { kind: "picture" as const, picture: plainAttachment(picture) },
    link !== undefined && {
      kind: "link" as const,
      link: readPictureAddress(link, "invalid_bg_image_url"),
    },
  ]);
  if (grounds.length <= 1) return grounds[0];
  throw new InputError("more than one background", { code: "multiple_bg_sources" });
}

/** Adds the preset's options, except those that contradict what was chosen: a preset never makes a request fail. */
function withPreset(options: CutoutOptions): CutoutOptions {
  if (options.preset === undefined) return options;
  const { ground, cropMargin, shadowType, ...preset }: CutoutOptions =
    cutoutPresets[options.preset];
  const { maskOnly = false, format } = options;
  const takesGround =
    ground !== undefined &&
    !maskOnly &&
    format !== "zip" &&
    !(ground.kind === "blur" && isSubjectMoved(options)) &&
    !(ground.kind === "transparent" && format === "jpg");
  return {
    ...preset,
    ...(takesGround && { ground }),
    ...(cropMargin !== undefined && options.crop !== false && { cropMargin }),
    ...(shadowType !== undefined && !maskOnly && { shadowType }),
    ...options,
  };
}

export function isSubjectMoved({ scale, position }: CutoutOptions): boolean {
  return scale !== undefined || position !== undefined;
}

/**
 * The request to remove.bg. It asks for a ZIP if the result is composed here: the fastest format, and lossless.
 * @throws InputError `region_outside`
 */
export function cutoutRequest(
  options: CutoutOptions,
  sent: ServiceReadyPicture | undefined,
): RemoveBackgroundRequest {
  const { preset: _, name: __, delivery: ___, oversize: ____, ...wanted } = options;
  const { ground, maskOnly, roi, ...request } = wanted;
  // Whether remove.bg makes the whole result, so that nothing is composed here.
  const isMadeWhole = maskOnly === true || ground?.kind === "link" || ground?.kind === "glass";
  return {
    size: "auto",
    ...request,
    format: isMadeWhole ? wholeFormat(options, sent) : "zip",
    ...(roi !== undefined && { roi: sent ? convertRegion(roi, sent.original, sent) : roi }),
    ...(maskOnly === true && { channels: "alpha" }),
    ...(ground?.kind === "link" && { bgImageUrl: ground.link }),
    ...(ground?.kind === "glass" && { bgColor: ground.color }),
  };
}

function wholeFormat(
  { format, ground }: CutoutOptions,
  sent: ServiceReadyPicture | undefined,
): "png" | "webp" | "jpg" {
  if (format !== undefined && format !== "zip") return format;
  if (ground?.kind === "link") return "jpg";
  const pixels = sent === undefined ? 0 : sent.width * sent.height;
  return pixels <= maxPngResultPixels ? "png" : "webp";
}

/** `drop` or `50`, or one for each kind of subject: `car: car, product: drop`. @throws InputError with the given code */
function perType<T>(text: string, read: (text: string) => T | undefined, code: string): PerType<T> {
  const forAll = read(text);
  if (forAll !== undefined) return forAll;
  const pairs = text.split(/[,;\n]+/u).map((piece) => {
    const [, name, rest = ""] = /^([a-z]+)(?:\s*[:=]\s*|\s+)(\S+)$/iu.exec(piece.trim()) ?? [];
    const type = shadowForegrounds.find((one) => one === name?.toLowerCase());
    const value = read(rest);
    if (type === undefined || value === undefined) throw invalidOption(code, text);
    return [type, value] as const;
  });
  return Object.fromEntries(pairs) as PerType<T>;
}

function parseOpacity(text: string): number | "auto" | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "auto") return typed;
  const [, digits] = /^(\d{1,3})\s*%?$/u.exec(typed) ?? [];
  const opacity = Number(digits ?? "NaN");
  return opacity <= 100 ? opacity : undefined;
}
