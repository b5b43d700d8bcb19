/** A length in pixels, or a share of something, 0 to 1. */
type PixelsOrShare = { readonly px: number } | { readonly share: number };

export type FourLengths = readonly [PixelsOrShare, PixelsOrShare, PixelsOrShare, PixelsOrShare];

function parseLength(text: string): PixelsOrShare | undefined {
  const match = /^(\d+(?:\.\d+)?)(px|%)$/.exec(text === "0" ? "0px" : text);
  if (match === null) return undefined;
  const amount = Number(match[1]);
  return match[2] === "%" ? { share: amount / 100 } : { px: amount };
}

function parseLengths(text: string): PixelsOrShare[] {
  return text
    .trim()
    .split(/\s+/)
    .map(parseLength)
    .filter((length) => length !== undefined);
}

/** `x1 y1 x2 y2`, each px or %. */
export function parseRegion(text: string): FourLengths | undefined {
  const [left, top, right, bottom] = parseLengths(text);
  if (text.trim().split(/\s+/).length !== 4) return undefined;
  if (!left || !top || !right || !bottom) return undefined;
  return [left, top, right, bottom];
}

/** One value, two (top/bottom, left/right) or four (top right bottom left). */
export function parseMargin(text: string): FourLengths | undefined {
  const lengths = parseLengths(text);
  const [a, b = a, c = a, d = b] = lengths;
  if (lengths.length !== text.trim().split(/\s+/).length) return undefined;
  if (lengths.length === 3 || lengths.length > 4 || !a || !b || !c || !d) return undefined;
  return [a, b, c, d];
}

export function toPixels(length: PixelsOrShare, whole: number): number {
  return "px" in length ? length.px : length.share * whole;
}

/** Red, green, blue and alpha, 0 to 255. */
export type RgbaColor = readonly [number, number, number, number];

const colorNames: Readonly<Record<string, string>> = {
  transparent: "00000000",
  black: "000000",
  silver: "c0c0c0",
  gray: "808080",
  grey: "808080",
  white: "ffffff",
  maroon: "800000",
  red: "ff0000",
  purple: "800080",
  fuchsia: "ff00ff",
  magenta: "ff00ff",
  green: "008000",
  lime: "00ff00",
  olive: "808000",
  yellow: "ffff00",
  navy: "000080",
  blue: "0000ff",
  teal: "008080",
  aqua: "00ffff",
  cyan: "00ffff",
  orange: "ffa500",
  pink: "ffc0cb",
  brown: "a52a2a",
  gold: "ffd700",
  indigo: "4b0082",
  violet: "ee82ee",
  coral: "ff7f50",
  salmon: "fa8072",
  turquoise: "40e0d0",
  beige: "f5f5dc",
  ivory: "fffff0",
  khaki: "f0e68c",
  lavender: "e6e6fa",
  crimson: "dc143c",
  skyblue: "87ceeb",
  lightblue: "add8e6",
  lightgray: "d3d3d3",
  darkgray: "a9a9a9",
};

/** Hex with 3, 4, 6 or 8 digits (a leading # is let pass) or a CSS name; undefined when it is neither. */
export function parseColor(text: string): RgbaColor | undefined {
  const hex = colorNames[text.toLowerCase()] ?? text.replace(/^#/, "");
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(hex)) return undefined;
  const full = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0, alpha = 255] = [...Buffer.from(full, "hex")];
  return [red, green, blue, alpha];
}
