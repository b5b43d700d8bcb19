import type { Rgb } from "../cutout/ground.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, ThumbnailLook } from "../types.ts";

/** What is drawn behind a subject so that it stands out. */
interface LookColors {
  /** Behind the subject, and far from it. */
  readonly near: Rgb;
  readonly far: Rgb;
  /** How much lighter every second ray is, 0 to 1. */
  readonly rays: number;
}

const lookColors = {
  bold: (hue) => ({ near: hslColor(hue, 1, 0.6), far: hslColor(hue + 22, 0.95, 0.2), rays: 0 }),
  neon: (hue) => ({ near: hslColor(hue, 0.85, 0.24), far: hslColor(hue, 0.6, 0.04), rays: 0 }),
  sunny: () => ({ near: hslColor(52, 1, 0.58), far: hslColor(32, 1, 0.5), rays: 0.16 }),
  rays: (hue) => ({ near: hslColor(hue, 0.95, 0.56), far: hslColor(hue, 0.95, 0.3), rays: 0.2 }),
} as const satisfies Record<ThumbnailLook, (hue: number) => LookColors>;

/** The glow's colour: light enough to shine on any of the backgrounds. */
export function glowColor(rgba: Uint8Array): Rgb {
  return hslColor(contrastingHue(rgba), 1, 0.66);
}

const rayCount = 14;
/** Pixels over which the edge between two rays is blended, so that it looks smooth. */
const rayEdge = 1.2;

/** Draws the look that suits the subject's colours, as RGB samples; its light is behind the subject. */
export function drawThumbnailLook(
  look: ThumbnailLook,
  { width, height }: PictureDimensions,
  { rgba, box }: { readonly rgba: Uint8Array; readonly box: PictureBox },
): Buffer {
  const { near, far, rays } = lookColors[look](contrastingHue(rgba));
  const center = { x: box.left + box.width / 2, y: box.top + box.height * 0.45 };
  const reach = Math.hypot(width, height) * 0.62;
  const rgb = Buffer.allocUnsafe(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const [dx, dy] = [x - center.x, y - center.y];
      const distance = Math.hypot(dx, dy);
      const linear = Math.min(1, distance / reach);
      const share = linear * linear * (3 - 2 * linear);
      const light = rays === 0 ? 0 : rays * rayAt(dx, dy, distance);
      for (let c = 0; c < 3; c++) {
        const sample = (near[c] ?? 0) + ((far[c] ?? 0) - (near[c] ?? 0)) * share;
        rgb[at + c] = sample + (255 - sample) * light;
      }
    }
  }
  return rgb;
}

/** 1 on a ray, 0 between two. */
function rayAt(dx: number, dy: number, distance: number): number {
  const turn = ((Math.atan2(dy, dx) / (2 * Math.PI) + 1) * rayCount) % 1;
  const fromEdge = Math.min(Math.abs(turn - 0.5), turn, 1 - turn);
  const pixels = (fromEdge * 2 * Math.PI * distance) / rayCount;
  const blend = Math.min(1, pixels / rayEdge) / 2;
  return turn < 0.5 ? 0.5 + blend : 0.5 - blend;
}

/** A hue in degrees, saturation and lightness in shares. */
function hslColor(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const sample = (shift: number) => {
    const place = (shift + hue / 30) % 12;
    const share = lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(share * 255);
  };
  return [sample(0), sample(8), sample(4)];
}

function measureHue([red, green, blue]: Rgb): number {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread === 0) return 0;
  if (most === red) return (60 * ((green - blue) / spread) + 360) % 360;
  if (most === green) return 60 * ((blue - red) / spread) + 120;
  return 60 * ((red - green) / spread) + 240;
}

/** Degrees in one bin of the histogram. */
const binWidth = 15;
/** Every so many pixels are enough to know what a picture looks like. */
const stride = 7;

/** The hue that most of a subject's colourful pixels have; undefined for one that is grey. */
function dominantHue(rgba: Uint8Array): number | undefined {
  const bins = new Float64Array(360 / binWidth);
  let [weight, count] = [0, 0];
  for (let at = 0; at + 3 < rgba.length; at += 4 * stride) {
    if ((rgba[at + 3] ?? 0) < 128) continue;
    const color = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0] as const;
    const chroma = (Math.max(...color) - Math.min(...color)) / 255;
    const bin = Math.floor(measureHue(color) / binWidth) % bins.length;
    bins[bin] = (bins[bin] ?? 0) + chroma;
    weight += chroma;
    count++;
  }
  if (count === 0 || weight / count < 0.06) return undefined;
  return (bins.indexOf(Math.max(...bins)) + 0.5) * binWidth;
}

/** Backgrounds that look fresh: blue, violet, pink, red, teal. Green and brown make most subjects look ill. */
const freshHues = [212, 262, 325, 352, 182] as const;

/** The fresh hue that is farthest from the subject's own, so that the subject stands out. Blue behind a grey one. */
function contrastingHue(rgba: Uint8Array): number {
  const hue = dominantHue(rgba);
  if (hue === undefined) return freshHues[0];
  const away = (hue + 180) % 360;
  return freshHues.reduce<number>(
    (best, fresh) => (hueDistance(fresh, away) < hueDistance(best, away) ? fresh : best),
    freshHues[0],
  );
}

function hueDistance(a: number, b: number): number {
  const apart = Math.abs(a - b) % 360;
  return Math.min(apart, 360 - apart);
}
