/** A length in pixels, or a share of something, 0 to 1. */
type PixelsOrShare = { readonly px: number } | { readonly share: number };

export type FourLengths = readonly [PixelsOrShare, PixelsOrShare, PixelsOrShare, PixelsOrShare];

function parse(text: string): PixelsOrShare | undefined {
  const match = /^(\d+(?:\.\d+)?)(px|%)$/.exec(text === "0" ? "0px" : text);
  if (match === null) return undefined;
  const amount = Number(match[1]);
  return match[2] === "%" ? { share: amount / 100 } : { px: amount };
}

function parseAll(text: string): PixelsOrShare[] {
  return text
    .trim()
    .split(/\s+/)
    .map(parse)
    .filter((length) => length !== undefined);
}

/** `x1 y1 x2 y2`, each px or %. */
export function parseRegion(text: string): FourLengths | undefined {
  const [left, top, right, bottom] = parseAll(text);
  if (text.trim().split(/\s+/).length !== 4) return undefined;
  if (!left || !top || !right || !bottom) return undefined;
  return [left, top, right, bottom];
}

/** One value, two (top/bottom, left/right) or four (top right bottom left). */
export function parseMargin(text: string): FourLengths | undefined {
  const lengths = parseAll(text);
  const [a, b = a, c = a, d = b] = lengths;
  if (lengths.length !== text.trim().split(/\s+/).length) return undefined;
  if (lengths.length === 3 || lengths.length > 4 || !a || !b || !c || !d) return undefined;
  return [a, b, c, d];
}

export function toPixels(length: PixelsOrShare, whole: number): number {
  return "px" in length ? length.px : length.share * whole;
}
