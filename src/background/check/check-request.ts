import type { PictureSize } from "../picture.ts";
import { refusal } from "../refusal.ts";
import {
  channels,
  foregroundTypes,
  formats,
  type RemoveBackgroundRequest,
  type Size,
  shadowTypes,
  sizes,
  typeLevels,
} from "../types.ts";
import { isTransparent, readBackground } from "./backdrop.ts";
import { checkPlacement } from "./placement.ts";
import { type PictureFile, readSource, type Sending, type Source, shown } from "./source.ts";

interface CheckedRequest {
  readonly source: Source;
  readonly background: PictureFile | undefined;
  /** Of the input; undefined when nobody said and nothing tells. */
  readonly megapixels: number | undefined;
}

/** Finds whatever is wrong with a request before a byte of it leaves. @throws InputError by the service's codes. */
export function checkRequest(
  request: RemoveBackgroundRequest,
  { body, maxBytes }: Sending,
): CheckedRequest {
  const source = readSource(request, maxBytes);
  const size = "url" in source ? undefined : source.size;
  checkChoices(request);
  checkPlacement(request, size);
  checkShadow(request);
  const background = readBackground(request, { body, maxBytes });
  const megapixels = request.megapixels ?? (size && (size.width * size.height) / 1e6);
  checkResult(request, size);
  return { source, background, megapixels };
}

/** Fields that hold one of some values, by the service's names. */
const choices = [
  ["size", "size", sizes],
  ["format", "format", formats],
  ["type", "type", foregroundTypes],
  ["typeLevel", "type_level", typeLevels],
  ["channels", "channels", channels],
  ["semitransparency", "semitransparency", [true, false]],
] as const satisfies readonly (readonly [
  keyof RemoveBackgroundRequest,
  string,
  readonly unknown[],
])[];

/** What the types promise; a command's options come from outside all the same. */
function checkChoices(request: RemoveBackgroundRequest): void {
  for (const [field, name, allowed] of choices) {
    const value = request[field];
    if (value === undefined || allowed.some((one) => one === value)) continue;
    throw refusal(`invalid_${name}`, `${name} ${shown(value)}`);
  }
}

const shadowKinds: readonly string[] = [
  ...foregroundTypes.filter((type) => type !== "auto"),
  "other",
];

function checkShadow(request: RemoveBackgroundRequest): void {
  const { addShadow, shadowType, shadowOpacity } = request;
  if (addShadow === true && shadowType !== undefined) {
    throw refusal("multiple_shadow_params", "add_shadow together with shadow_type");
  }
  if (!everyOf(shadowType, (value) => shadowTypes.some((type) => type === value))) {
    throw refusal("invalid_shadow_type", `shadow_type ${shown(shadowType)}`);
  }
  if (!everyOf(shadowOpacity, isOpacity)) {
    throw refusal("invalid_shadow_opacity", `shadow_opacity ${shown(shadowOpacity)}`);
  }
}

/** Of one value for all, or of one for each kind of subject. */
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

/** Most megapixels of a result by its size (facts, sizes). */
const mostMegapixels = {
  auto: 25,
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  "50MP": 50,
} as const satisfies Record<Size, number>;

const mostOfPng = 10;

/** Whether the format can hold what was asked for. */
function checkResult(
  { format, size = "auto", bgColor }: RemoveBackgroundRequest,
  input: PictureSize | undefined,
): void {
  if (format === "jpg" && bgColor !== undefined && isTransparent(bgColor)) {
    throw refusal("jpg_transparent", "a transparent background for a JPG");
  }
  if (format !== "png" || input === undefined) return;
  const { width, height } = shrunk(input, mostMegapixels[size]);
  if (width * height <= mostOfPng * 1e6) return;
  const facts = { maxPixels: mostOfPng * 1e6, width, height };
  throw refusal("png_too_large", `a PNG of ${width} x ${height} is over 10 megapixels`, facts);
}

function shrunk({ width, height }: PictureSize, megapixels: number): PictureSize {
  const factor = Math.min(1, Math.sqrt((megapixels * 1e6) / (width * height)));
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}
