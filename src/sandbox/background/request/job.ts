import {
  type BackgroundErrorCode,
  type Complaint,
  toBackgroundError,
  toComplaint,
} from "../errors.ts";
import type { PictureForm } from "./form.ts";
import {
  type FourLengths,
  parseColor,
  parseMargin,
  parseRegion,
  type RgbaColor,
  toPixels,
} from "./values.ts";

/** Largest result of each size, in megapixels: docs/services/removebg.md#sizes */
export const cutoutSizes = {
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

export type BackgroundResultSize = keyof typeof cutoutSizes;
type BackgroundResultFormat = "auto" | "png" | "jpg" | "webp" | "zip";

/** The requested cut-out, with every value checked. */
export interface CutoutJob {
  readonly size: BackgroundResultSize;
  readonly format: BackgroundResultFormat;
  readonly channels: "rgba" | "alpha";
  /** What the answer calls the foreground; undefined when the request asked not to say. */
  readonly type: string | undefined;
  readonly bgColor: RgbaColor | undefined;
  readonly crop: boolean;
  /** Top, right, bottom, left. */
  readonly margin: FourLengths;
  /** Left, top, right, bottom: only this part of the picture can hold foreground. */
  readonly region: FourLengths;
  /** Share of the canvas that the subject is made to fill, 0 to 1. */
  readonly scale: number | undefined;
  /** Shares of the room beside and above the subject, 0 to 1; where it is in the picture when absent. */
  readonly position: readonly [x: number, y: number] | undefined;
  readonly shadow: CutoutShadow | undefined;
}

const types = ["auto", "person", "product", "car", "animal", "graphic", "transportation"];
const share = "(100|\\d{1,2}(\\.\\d+)?)%";

/** What each value must look like, and the code when it does not. `undefined`: no source names a code. */
const rules: readonly [name: string, pattern: RegExp, code: BackgroundErrorCode | undefined][] = [
  ["size", new RegExp(`^(${Object.keys(cutoutSizes).join("|")})$`), "invalid_size"],
  ["format", /^(auto|png|jpg|webp|zip)$/, "invalid_format"],
  ["channels", /^(rgba|alpha)$/, "invalid_channels"],
  ["type", new RegExp(`^(${types.join("|")})$`), undefined],
  ["type_level", /^(none|1|2|latest)$/, undefined],
  ["scale", /^(original|(100|[1-9]\d(\.\d+)?)%)$/, "invalid_scale"],
  ["position", new RegExp(`^(original|center|${share}( ${share})?)$`), "invalid_position"],
  ["semitransparency", /^(true|false)$/, "invalid_semitransparency"],
  ["shadow_type", /^(auto|car|3D|drop|none)$/, undefined],
  ["shadow_opacity", /^(auto|100|\d{1,2}(\.\d+)?)$/, "invalid_shadow_opacity"],
];

/** Everything that is wrong with the parameters of POST /removebg, except the pictures. */
export function listJobComplaints({ texts, files }: PictureForm): Complaint[] {
  const faults: Complaint[] = [];
  for (const [name, value] of texts) {
    const rule = rules.find(([known]) => known === bare(name));
    if (rule === undefined || rule[1].test(value)) continue;
    const [known, , code] = rule;
    faults.push(code ? toComplaint(code) : { title: `Invalid ${known} parameter given` });
  }
  const color = texts.get("bg_color");
  if (color !== undefined && !parseColor(color)) faults.push(toComplaint("invalid_bg_color"));
  if (!parseMargin(marginText(texts))) faults.push(toComplaint("invalid_crop_margin"));
  if (!parseRegion(regionText(texts))) faults.push(toComplaint("invalid_roi"));
  const backgrounds = ["bg_color", "bg_image_url"].filter((name) => texts.has(name)).length;
  const hasSeveral = backgrounds + (files.has("bg_image_file") ? 1 : 0) > 1;
  if (hasSeveral) faults.push(toComplaint("multiple_bg_sources"));
  const hasShadow = [...texts.keys()].some((name) => bare(name) === "shadow_type");
  if (hasShadow && texts.has("add_shadow")) faults.push(toComplaint("multiple_shadow_params"));
  return faults;
}

/** Reads parameters without faults. */
export function readJob({ texts }: PictureForm): CutoutJob {
  const type = texts.get("type") ?? "auto";
  return {
    // `preview` is remove.bg's own default.
    size: (texts.get("size") ?? "preview") as BackgroundResultSize,
    format: (texts.get("format") ?? "auto") as BackgroundResultFormat,
    channels: (texts.get("channels") ?? "rgba") as CutoutJob["channels"],
    type: reportedType(type, texts.get("type_level") ?? "1"),
    bgColor: parseColor(texts.get("bg_color") ?? ""),
    crop: texts.get("crop") === "true",
    margin: parseMargin(marginText(texts)) ?? noMargin,
    region: parseRegion(regionText(texts)) ?? everywhere,
    scale: readShare(texts.get("scale") ?? "original"),
    position: readPosition(texts),
    shadow: readShadow(texts, type === "auto" ? "other" : (type as ShadowForeground)),
  };
}

const noMargin: FourLengths = [{ px: 0 }, { px: 0 }, { px: 0 }, { px: 0 }];
const everywhere: FourLengths = [{ share: 0 }, { share: 0 }, { share: 1 }, { share: 1 }];

function marginText(texts: PictureForm["texts"]): string {
  return texts.get("crop_margin") ?? "0";
}

function regionText(texts: PictureForm["texts"]): string {
  return texts.get("roi") ?? "0% 0% 100% 100%";
}

function readShare(text: string): number | undefined {
  return text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : undefined;
}

/** A scaled subject goes in the middle, unless the request says otherwise. */
function readPosition(texts: PictureForm["texts"]): CutoutJob["position"] {
  const isScaled = readShare(texts.get("scale") ?? "original") !== undefined;
  const text = texts.get("position") ?? (isScaled ? "center" : "original");
  if (text === "center") return [0.5, 0.5];
  const [x, y = x] = text.split(" ").map(readShare);
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** The region in pixels of the picture as it is stored. @throws BackgroundError when it is not within or has no area. */
export function checkRegion(
  { region: [left, top, right, bottom] }: CutoutJob,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  const [x1, x2] = [toPixels(left, width), toPixels(right, width)];
  const [y1, y2] = [toPixels(top, height), toPixels(bottom, height)];
  if (Math.max(x1, x2) > width || Math.max(y1, y2) > height) {
    throw toBackgroundError("roi_exceeds_bounds", `The picture has ${width} x ${height} pixels.`);
  }
  if (x2 <= x1 || y2 <= y1) throw toBackgroundError("roi_region_empty");
}

/** The engine recognises no classes, so the answer is the caller's own word, or `other`. */
function reportedType(type: string, level: string): string | undefined {
  if (level === "none") return undefined;
  const classes = ["person", "product", "animal", "car"];
  if (classes.includes(type)) return type;
  // Asked for in the singular, reported in the plural, and only from level 2 on.
  const finer: Readonly<Record<string, string>> = {
    graphic: "graphics",
    transportation: "transportation",
  };
  return (level === "1" ? undefined : finer[type]) ?? "other";
}

/** Shadow settings may name a foreground type in brackets: `shadow_type[car]`. */
function bare(name: string): string {
  return /^shadow_(type|opacity)\[\w+\]$/.test(name) ? name.replace(/\[.*/, "") : name;
}

/** A shadow to draw: its shape, and how dark it is, 0 to 1. */
export interface CutoutShadow {
  readonly kind: "car" | "3D" | "drop";
  readonly opacity: number;
}

/** What `auto` means: docs/services/removebg.md#shadows */
const automatic = {
  car: ["car", 90],
  product: ["drop", 50],
  person: ["3D", 50],
  animal: ["drop", 50],
  transportation: ["3D", 50],
  graphic: ["drop", 50],
  other: ["drop", 50],
} as const satisfies Record<string, readonly [CutoutShadow["kind"], number]>;

type ShadowForeground = keyof typeof automatic;

/**
 * The shadow of one kind of foreground: its own setting goes before the one for all, and without either it has none.
 * `add_shadow` is the older way to say `shadow_type[car]=car`.
 */
function readShadow(
  texts: PictureForm["texts"],
  foreground: ShadowForeground,
): CutoutShadow | undefined {
  const older = texts.get("add_shadow") === "true" && foreground === "car" ? "car" : undefined;
  const asked = setting(texts, "shadow_type", foreground) ?? older ?? "none";
  const [kind, opacity] = automatic[foreground];
  if (asked === "none") return undefined;
  const percent = setting(texts, "shadow_opacity", foreground) ?? "auto";
  return {
    kind: asked === "auto" ? kind : (asked as CutoutShadow["kind"]),
    opacity: (percent === "auto" ? opacity : Number(percent)) / 100,
  };
}

function setting(
  texts: PictureForm["texts"],
  name: string,
  foreground: ShadowForeground,
): string | undefined {
  return texts.get(`${name}[${foreground}]`) ?? texts.get(name);
}
