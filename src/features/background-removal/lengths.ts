import { isValidParameter } from "../../background/index.ts";
import { typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { CropMargins, PictureInfo } from "../../images/index.ts";

type TypedLength = CropMargins["top"];

/** `10`, `10px`, `10 px`, `2.5%`. */
const length = /(\d{1,5}(?:[.,]\d{1,3})?)\s*(px|%)?/giu;

/** `10,10,200,200`: whole numbers only, so that the commas separate them. */
const list = /^\s*\d+(?:,\d+)+\s*$/u;

/** Lengths separated by spaces, commas or semicolons; undefined when the text holds anything else. */
function lengthsIn(typed: string, unit: TypedLength["unit"]): readonly TypedLength[] | undefined {
  const text = list.test(typed) ? typed.replaceAll(",", " ") : typed;
  const found = [...text.matchAll(length)];
  const rest = text.replace(length, "").replaceAll(/[\s,;x×]/giu, "");
  if (found.length === 0 || rest !== "") return undefined;
  return found.map(([, number = "", own]) => ({
    value: Number(number.replace(",", ".")),
    unit: own === undefined ? unit : own === "%" ? "%" : "px",
  }));
}

const written = ({ value, unit }: TypedLength) => `${value}${unit}`;

/** One, two or four lengths, as remove.bg takes them. @throws InputError `invalid_crop_margin` */
export function readMargin(text: string): string {
  return requireLengths("cropMargin", lengthsIn(text, "px"), text);
}

const codes = {
  cropMargin: "invalid_crop_margin",
  scale: "invalid_scale",
  position: "invalid_position",
} as const;

function requireLengths(
  field: keyof typeof codes,
  lengths: readonly TypedLength[] | undefined,
  typed: string,
): string {
  const text = lengths?.map(written).join(" ");
  if (text === undefined || !isValidParameter(field, text))
    throw invalidOption(codes[field], typed);
  return text;
}

/** The sides of a margin that `readMargin` has read, in the notation of CSS: all, vertical and horizontal, or each. */
export function marginSides(margin: string): CropMargins {
  const none: TypedLength = { value: 0, unit: "px" };
  const [top = none, right = top, bottom = top, left = right] = lengthsIn(margin, "px") ?? [];
  return { top, right, bottom, left };
}

/** `original`, or 10 to 100 % of the picture. @throws InputError `invalid_scale` */
export function readScale(text: string): string {
  const typed = text.trim().toLowerCase();
  if (typed === "original") return typed;
  return requireLengths("scale", lengthsIn(typed, "%"), text);
}

/** Words for positions: horizontal first, as in remove.bg's parameter. */
const places: Readonly<Record<string, readonly [string | undefined, string | undefined]>> = {
  left: ["0%", undefined],
  right: ["100%", undefined],
  top: [undefined, "0%"],
  bottom: [undefined, "100%"],
  center: [undefined, undefined],
  centre: [undefined, undefined],
  middle: [undefined, undefined],
};

/** `original`, `center`, `bottom left`, or one or two percentages. @throws InputError `invalid_position` */
export function readPosition(text: string): string {
  const typed = text.trim().toLowerCase();
  if (typed === "original" || typed === "center") return typed;
  const named = placeIn(typed.split(/[\s,-]+/u));
  if (named !== undefined) return named;
  return requireLengths("position", lengthsIn(typed, "%"), text);
}

function placeIn(names: readonly string[]): string | undefined {
  const found = names.map((name) => (Object.hasOwn(places, name) ? places[name] : undefined));
  if (names.length > 2 || found.some((place) => place === undefined)) return undefined;
  const across = found.flatMap((place) => place?.[0] ?? []);
  const down = found.flatMap((place) => place?.[1] ?? []);
  if (across.length > 1 || down.length > 1) return undefined;
  return `${across[0] ?? "50%"} ${down[0] ?? "50%"}`;
}

/** Two corners, as remove.bg takes them. @throws InputError `invalid_roi`, `roi_region_empty` */
export function readPictureRegion(text: string): string {
  const corners = lengthsIn(text, "px");
  const isKnown =
    corners?.length === 4 && corners.every(({ value, unit }) => unit === "px" || value <= 100);
  if (!isKnown) throw invalidOption("invalid_roi", text);
  for (const [from, to] of [
    [corners[0], corners[2]],
    [corners[1], corners[3]],
  ]) {
    if (from?.unit === to?.unit && (from?.value ?? 0) >= (to?.value ?? 0)) {
      throw invalidOption("roi_region_empty", text);
    }
  }
  return corners.map(written).join(" ");
}

type SourceMeasures = Pick<PictureInfo, "width" | "height">;

/**
 * Converts a region of the original picture to the picture that is sent, which may have fewer pixels.
 * @throws InputError `region_outside`
 */
export function convertRegion(
  region: string,
  original: SourceMeasures,
  sent: SourceMeasures,
): string {
  const corners = (lengthsIn(region, "px") ?? []).map((corner, at) => {
    if (corner.unit === "%") return corner;
    const [most, share] =
      at % 2 === 0
        ? [original.width, sent.width / original.width]
        : [original.height, sent.height / original.height];
    if (corner.value > most) {
      throw new InputError(`the region leaves ${original.width} x ${original.height}`, {
        code: "region_outside",
        facts: { given: region, width: original.width, height: original.height },
      });
    }
    return { ...corner, value: Math.floor(corner.value * share) };
  });
  return corners.map(written).join(" ");
}

/** An option of a cut-out that can't be read, with what was typed; nothing was sent. */
export function invalidOption(code: string, typed: string): InputError {
  const facts = { isNamed: true, given: typedText(typed) };
  return new InputError(`${code} before anything was sent`, { code, facts });
}
