import { z } from "zod";
import { createRequestError, type RequestErrorCode } from "./request-errors.ts";

export const resultSizes = [
  "auto",
  "preview",
  "small",
  "regular",
  "medium",
  "hd",
  "full",
  "4k",
  "50MP",
] as const;
/** Result size; `regular` is an older name of `small` and is sent as that. */
export type ResultSize = (typeof resultSizes)[number];

export const resultFormats = ["auto", "png", "jpg", "webp", "zip"] as const;
export type ResultFormat = (typeof resultFormats)[number];

export const foregroundTypes = [
  "auto",
  "person",
  "product",
  "car",
  "animal",
  "graphic",
  "transportation",
] as const;
export type ForegroundType = (typeof foregroundTypes)[number];

export const typeLevels = ["none", "1", "2", "latest"] as const;

export const shadowTypes = ["auto", "car", "3D", "drop", "none"] as const;
export type ShadowType = (typeof shadowTypes)[number];

/** Foregrounds that may have a shadow of their own. */
export const shadowForegrounds = [
  ...foregroundTypes.filter((type) => type !== "auto"),
  "other",
] as const;

/** One value for all, or one for each type of foreground. */
export type PerType<T> = T | Readonly<Partial<Record<(typeof shadowForegrounds)[number], T>>>;

function perType<S extends z.ZodType>(value: S) {
  return z.union([value, z.partialRecord(z.enum(shadowForegrounds), value)]);
}

/** Words with one blank between them, as in remove.bg's own examples. An empty text counts as absent. */
function words(isValid: (words: readonly string[]) => boolean) {
  return z
    .string()
    .transform((text) => text.trim().replace(/\s+/g, " "))
    .refine((text) => text === "" || isValid(text.split(" ")));
}

interface Parameter {
  /** On the wire. */
  readonly name: string;
  /** What may be asked for, and what is sent for it. */
  readonly value: z.ZodType<WireValue>;
  /** How a bad value is refused; `image_refused` when absent. */
  readonly code?: RequestErrorCode;
}

type WireValue = string | number | boolean | Readonly<Record<string, string | number>>;

/** The parameters of POST /removebg, except its pictures: https://www.remove.bg/api */
export const parameters = {
  /** `auto` when absent, because remove.bg's own default is a preview. */
  size: {
    name: "size",
    value: z.enum(resultSizes).transform((size) => (size === "regular" ? "small" : size)),
    code: "invalid_size",
  },
  format: { name: "format", value: z.enum(resultFormats), code: "invalid_format" },
  type: { name: "type", value: z.enum(foregroundTypes), code: "invalid_type" },
  /** How precisely the answer names the type; with `none` it names no type. */
  typeLevel: { name: "type_level", value: z.enum(typeLevels), code: "invalid_type_level" },
  /** `alpha` returns only the grey matte. */
  channels: { name: "channels", value: z.enum(["rgba", "alpha"]), code: "invalid_channels" },
  /** `x1 y1 x2 y2`, each in px or %. */
  roi: {
    name: "roi",
    value: words((all) => all.length === 4 && all.every(parseLength)),
    code: "invalid_roi",
  },
  crop: { name: "crop", value: z.boolean() },
  /** One, two or four lengths in px or %: `10px`, `5% 20px`; only with `crop`. */
  cropMargin: {
    name: "crop_margin",
    value: words((lengths) => [1, 2, 4].includes(lengths.length) && lengths.every(isMargin)),
    code: "invalid_crop_margin",
  },
  /** `original`, or `10%` to `100%`. */
  scale: {
    name: "scale",
    value: words(
      ([scale = "", ...more]) =>
        more.length === 0 && (scale === "original" || isPercentage(scale, 10)),
    ),
    code: "invalid_scale",
  },
  /** `original`, `center`, or one or two percentages. */
  position: { name: "position", value: words(isPosition), code: "invalid_position" },
  semitransparency: {
    name: "semitransparency",
    value: z.boolean(),
    code: "invalid_semitransparency",
  },
  shadowType: {
    name: "shadow_type",
    value: perType(z.enum(shadowTypes)),
    code: "invalid_shadow_type",
  },
  /** 0 to 100, or `auto`. */
  shadowOpacity: {
    name: "shadow_opacity",
    value: perType(z.custom<number | `${number}` | "auto">(isOpacity)),
    code: "invalid_shadow_opacity",
  },
  /** 3, 4, 6 or 8 hexadecimal digits, with or without #, or an English name. */
  bgColor: {
    name: "bg_color",
    value: words(
      ([color = "", ...more]) =>
        more.length === 0 && (hexColor.test(color) || colorName.test(color)),
    ).transform((color) => color.replace(/^#/, "")),
    code: "invalid_bg_color",
  },
  bgImageUrl: {
    name: "bg_image_url",
    value: z.string().refine((address) => address === "" || isHttpUrl(address)),
    code: "invalid_bg_image_url",
  },
} as const satisfies Record<string, Parameter>;

/** Fields have the parameters' names in camelCase. */
export type RemovalParameters = {
  readonly [Field in keyof typeof parameters]?: z.input<(typeof parameters)[Field]["value"]>;
} & {
  /** Deprecated: sent as `shadow_type[car]=car`. */
  readonly addShadow?: boolean;
  /** Removed from remove.bg: never sent. */
  readonly shadowMethod?: string;
};

/** By the names on the wire. Booleans stay booleans, for JSON bodies. */
export type RequestFields = readonly (readonly [name: string, value: string | boolean])[];

/** Checks all parameters and writes them as they are sent. @throws InputError */
export function writeParameters(request: RemovalParameters): RequestFields {
  const { size = "auto", crop, cropMargin, addShadow, shadowType } = request;
  const asked: Readonly<Record<string, unknown>> = {
    ...request,
    size,
    cropMargin: crop === true ? cropMargin : undefined,
    shadowType: addShadow === true ? { car: "car" } : shadowType,
  };
  const rows: readonly (readonly [string, Parameter])[] = Object.entries(parameters);
  return rows.flatMap(([field, { name, value, code = "image_refused" }]): RequestFields => {
    if (asked[field] === undefined) return [];
    const { success, data } = value.safeParse(asked[field]);
    if (!success) throw createRequestError(code, `${name} ${shortenForLog(asked[field])}`);
    if (data === "") return [];
    if (typeof data !== "object") return [[name, typeof data === "number" ? String(data) : data]];
    // `shadow_type[car]` and so on: docs/services/removebg.md#shadows
    return Object.entries(data).map(([type, one]) => [`${name}[${type}]`, String(one)]);
  });
}

export function isValidParameter(field: keyof typeof parameters, value: unknown): boolean {
  return parameters[field].value.safeParse(value).success;
}

export interface ParsedLength {
  readonly value: number;
  readonly unit: "px" | "%";
}

export function parseLength(word: string): ParsedLength | undefined {
  const [, value, unit] = /^(-?\d{1,7}(?:\.\d{1,7})?)(px|%)$/.exec(word) ?? [];
  return value === undefined
    ? undefined
    : { value: Number(value), unit: unit as ParsedLength["unit"] };
}

const maxMargin = { px: 500, "%": 50 } as const;

function isMargin(word: string): boolean {
  const length = parseLength(word === "0" ? "0px" : word);
  return length !== undefined && length.value >= 0 && length.value <= maxMargin[length.unit];
}

function isPosition(places: readonly string[]): boolean {
  const [x = "", y = x, ...more] = places;
  if (places.length === 1 && /^(?:original|center)$/.test(x)) return true;
  return more.length === 0 && isPercentage(x, 0) && isPercentage(y, 0);
}

function isPercentage(word: string, least: number): boolean {
  const { value = -1, unit } = parseLength(word) ?? {};
  return unit === "%" && value >= least && value <= 100;
}

function isOpacity(value: unknown): boolean {
  if (value === "auto") return true;
  const isDigits = typeof value === "string" && /^\d{1,3}(?:\.\d{1,7})?$/.test(value);
  const percent = isDigits ? Number(value) : value;
  return typeof percent === "number" && percent >= 0 && percent <= 100;
}

const hexColor = /^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** It is not documented which colour names remove.bg knows. The names of CSS have 3 to 20 letters. */
const colorName = /^[a-z]{3,20}$/i;

/** Whether anything shows through the colour. */
export function isTransparent(color: string): boolean {
  const digits = color.trim().toLowerCase().replace(/^#/, "");
  if (digits === "transparent") return true;
  if (!hexColor.test(digits)) return false;
  const alpha = digits.length === 4 ? digits.slice(3).repeat(2) : digits.slice(6);
  return (digits.length === 4 || digits.length === 8) && alpha !== "ff";
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A value for the log, shortened. */
export function shortenForLog(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? typeof value;
}
