import type { PictureSize } from "../picture-kind.ts";
import { cutoutRefusal } from "../refusal.ts";
import {
  cutoutChannels,
  foregroundTypes,
  maxPngResultPixels,
  maxResultMegapixels,
  type RemoveBackgroundRequest,
  resultFormats,
  resultSizes,
  shadowTypes,
  typeLevels,
} from "../types.ts";
import { checkPlacement } from "./placement.ts";
import {
  type BodyOptions,
  isHttpUrl,
  type PictureFile,
  type RequestPicture,
  readPictureFile,
  readRequestPicture,
  shortenForLog,
} from "./source.ts";

interface CheckedRequest {
  readonly source: RequestPicture;
  readonly background: PictureFile | undefined;
  /** Of the input; undefined when neither the request nor the bytes say it. */
  readonly megapixels: number | undefined;
}

/** Finds whatever is wrong with a request before anything is sent. @throws InputError with the service's codes. */
export function checkRequest(
  request: RemoveBackgroundRequest,
  { body, maxBytes }: BodyOptions,
): CheckedRequest {
  const source = readRequestPicture(request, maxBytes);
  const size = "url" in source ? undefined : source.size;
  checkChoices(request);
  checkPlacement(request, size);
  checkShadow(request);
  const background = readBackground(request, { body, maxBytes });
  const megapixels = request.megapixels ?? (size && (size.width * size.height) / 1e6);
  checkResult(request, size);
  return { source, background, megapixels };
}

/** Fields with a fixed choice of values: ours, the service's name, the values. */
const choices = [
  ["size", "size", resultSizes],
  ["format", "format", resultFormats],
  ["type", "type", foregroundTypes],
  ["typeLevel", "type_level", typeLevels],
  ["channels", "channels", cutoutChannels],
  ["semitransparency", "semitransparency", [true, false]],
] as const satisfies readonly (readonly [
  keyof RemoveBackgroundRequest,
  string,
  readonly unknown[],
])[];

/** The types promise this already, but a command's options come from outside. */
function checkChoices(request: RemoveBackgroundRequest): void {
  for (const [field, name, allowed] of choices) {
    const value = request[field];
    if (value === undefined || allowed.some((one) => one === value)) continue;
    throw cutoutRefusal(`invalid_${name}`, `${name} ${shortenForLog(value)}`);
  }
}

const shadowKinds: readonly string[] = [
  ...foregroundTypes.filter((type) => type !== "auto"),
  "other",
];

function checkShadow(request: RemoveBackgroundRequest): void {
  const { addShadow, shadowType, shadowOpacity } = request;
  if (addShadow === true && shadowType !== undefined) {
    throw cutoutRefusal("multiple_shadow_params", "add_shadow together with shadow_type");
  }
  if (!everyOf(shadowType, (value) => shadowTypes.some((type) => type === value))) {
    throw cutoutRefusal("invalid_shadow_type", `shadow_type ${shortenForLog(shadowType)}`);
  }
  if (!everyOf(shadowOpacity, isOpacity)) {
    throw cutoutRefusal("invalid_shadow_opacity", `shadow_opacity ${shortenForLog(shadowOpacity)}`);
  }
}

/** Tests the one value for all, or the value of each kind of subject. */
function everyOf(value: unknown, test: (one: unknown) => boolean): boolean {
  if (value === undefined) return true;
  if (typeof value !== "object" || value === null) return test(value);
  return Object.entries(value).every(([kind, one]) => shadowKinds.includes(kind) && test(one));
}

function isOpacity(value: unknown): boolean {
  if (value === "auto") return true;
  const isDigits = typeof value === "string" && /^\d{1,3}(?:\.\d{1,7})?$/.test(value);
  const percent = isDigits ? Number(value) : value;
  return typeof percent === "number" && percent >= 0 && percent <= 100;
}

/** Refuses a format that can't hold what was asked for. */
function checkResult(
  { format, size = "auto", bgColor }: RemoveBackgroundRequest,
  input: PictureSize | undefined,
): void {
  if (format === "jpg" && bgColor !== undefined && isTransparent(bgColor)) {
    throw cutoutRefusal("jpg_transparent", "a transparent background for a JPG");
  }
  if (format !== "png" || input === undefined) return;
  const { width, height } = shrink(input, maxResultMegapixels[size]);
  if (width * height <= maxPngResultPixels) return;
  const facts = { maxPixels: maxPngResultPixels, width, height };
  throw cutoutRefusal(
    "png_too_large",
    `a PNG of ${width} x ${height} is over 10 megapixels`,
    facts,
  );
}

/** The picture's size after the service has reduced it to that many megapixels. */
function shrink({ width, height }: PictureSize, megapixels: number): PictureSize {
  const factor = Math.min(1, Math.sqrt((megapixels * 1e6) / (width * height)));
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}

const hexColor = /^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** It is not documented which colour names the service knows. The names of CSS have 3 to 20 letters. */
const colorName = /^[a-z]{3,20}$/i;

/** Checks what is put behind the subject, and returns its picture if it is one. */
function readBackground(
  { bgColor, bgImageUrl, bgImageFile }: RemoveBackgroundRequest,
  { body, maxBytes }: BodyOptions,
): PictureFile | undefined {
  const choices = [bgColor, bgImageUrl, bgImageFile].filter(
    (one) => one !== undefined && one !== "",
  );
  if (choices.length > 1)
    throw cutoutRefusal("multiple_bg_sources", `${choices.length} backgrounds`);
  if (bgColor && !isColor(bgColor.trim())) {
    throw cutoutRefusal("invalid_bg_color", `bg_color ${shortenForLog(bgColor)}`);
  }
  if (bgImageUrl && !isHttpUrl(bgImageUrl)) {
    throw cutoutRefusal("invalid_bg_image_url", "the background's address is no web address");
  }
  if (bgImageFile === undefined) return undefined;
  if (body !== "multipart")
    throw cutoutRefusal("bg_image_file_body", `a ${body} body holds no file`);
  return readPictureFile(bgImageFile, maxBytes);
}

/** Whether anything shows through the colour. */
function isTransparent(color: string): boolean {
  const digits = color.trim().toLowerCase().replace(/^#/, "");
  if (digits === "transparent") return true;
  if (!hexColor.test(digits)) return false;
  const alpha = digits.length === 4 ? digits.slice(3).repeat(2) : digits.slice(6);
  return (digits.length === 4 || digits.length === 8) && alpha !== "ff";
}

function isColor(text: string): boolean {
  return hexColor.test(text) || colorName.test(text);
}
