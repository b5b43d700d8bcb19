import { type Color, parseColor } from "./colors.ts";
import type { Form } from "./form.ts";
import { type Length, parseMargin, parseRegion } from "./lengths.ts";
import { type Complaint, complaint, Refusal, type RefusalCode } from "./refusals.ts";

/** Largest result of each size, in megapixels (facts/background-removal-api.json, sizes). */
export const sizes = {
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  "50MP": 50,
  auto: 25,
} as const;

export type Size = keyof typeof sizes;
export type Format = "auto" | "png" | "jpg" | "webp" | "zip";

/** A cut-out as it was asked for, every value checked. */
export interface Job {
  readonly size: Size;
  readonly format: Format;
  readonly channels: "rgba" | "alpha";
  readonly type: string;
  readonly typeLevel: string;
  readonly bgColor: Color | undefined;
  readonly crop: boolean;
  /** Top, right, bottom, left. */
  readonly margin: readonly [Length, Length, Length, Length];
  /** Left, top, right, bottom. */
  readonly region: readonly [Length, Length, Length, Length];
}

const types = ["auto", "person", "product", "car", "animal", "graphic", "transportation"];
const share = "(100|\\d{1,2})(\\.\\d+)?%";

/** What each value must look like, and the code when it does not. `undefined`: no source names a code. */
const rules: readonly [name: string, pattern: RegExp, code: RefusalCode | undefined][] = [
  ["size", new RegExp(`^(${Object.keys(sizes).join("|")})$`), "invalid_size"],
  ["format", /^(auto|png|jpg|webp|zip)$/, "invalid_format"],
  ["channels", /^(rgba|alpha)$/, "invalid_channels"],
  ["type", new RegExp(`^(${types.join("|")})$`), undefined],
  ["type_level", /^(none|1|2|latest)$/, undefined],
  ["scale", /^(original|(100|[1-9]\d)(\.\d+)?%)$/, "invalid_scale"],
  ["position", new RegExp(`^(original|center|${share}( ${share})?)$`), "invalid_position"],
  ["semitransparency", /^(true|false)$/, "invalid_semitransparency"],
  ["shadow_type", /^(auto|car|3D|drop|none)$/, undefined],
  ["shadow_opacity", /^(auto|100|\d{1,2})$/, "invalid_shadow_opacity"],
];

/** Checks every parameter of POST /removebg and answers all faults together. */
export function readJob({ texts, files }: Form): Job {
  const bgColor = parseColor(texts.get("bg_color") ?? "transparent");
  const margin = parseMargin(texts.get("crop_margin") ?? "0");
  const region = parseRegion(texts.get("roi") ?? "0% 0% 100% 100%");
  const faults: Complaint[] = [];
  for (const [name, value] of texts) {
    const rule = rules.find(([known]) => known === bare(name));
    if (rule !== undefined && !rule[1].test(value)) faults.push(fault(rule[0], rule[2]));
  }
  if (bgColor === undefined) faults.push(complaint("invalid_bg_color"));
  if (margin === undefined) faults.push(complaint("invalid_crop_margin"));
  if (region === undefined) faults.push(complaint("invalid_roi"));
  faults.push(...exclusions(texts, files));
  if (faults.length > 0 || margin === undefined || region === undefined) {
    throw new Refusal(400, faults);
  }
  return {
    // `preview` is the service's own default.
    size: (texts.get("size") ?? "preview") as Size,
    format: (texts.get("format") ?? "auto") as Format,
    channels: (texts.get("channels") ?? "rgba") as Job["channels"],
    type: texts.get("type") ?? "auto",
    typeLevel: texts.get("type_level") ?? "1",
    bgColor: texts.has("bg_color") ? bgColor : undefined,
    crop: texts.get("crop") === "true",
    margin,
    region,
  };
}

/** Shadow settings may name a foreground type in brackets: `shadow_type[car]`. */
function bare(name: string): string {
  return /^shadow_(type|opacity)\[\w+\]$/.test(name) ? name.replace(/\[.*/, "") : name;
}

function fault(name: string, code: RefusalCode | undefined): Complaint {
  return code === undefined ? { title: `Invalid ${name} parameter given` } : complaint(code);
}

function exclusions(texts: Form["texts"], files: Form["files"]): Complaint[] {
  const names = [...texts.keys()];
  const backgrounds = ["bg_color", "bg_image_url"].filter((name) => texts.has(name)).length;
  const several = backgrounds + (files.has("bg_image_file") ? 1 : 0) > 1;
  const shadows = texts.has("add_shadow") && names.some((name) => bare(name) === "shadow_type");
  return [
    ...(several ? [complaint("multiple_bg_sources")] : []),
    ...(shadows ? [complaint("multiple_shadow_params")] : []),
  ];
}
