import type { Rgb } from "../cutout/ground.ts";

/** A hue in degrees, saturation and lightness in shares. */
export function hslColor(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const sample = (shift: number) => {
    const place = (shift + hue / 30) % 12;
    const share = lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(share * 255);
  };
  return [sample(0), sample(8), sample(4)];
}

function hueOf([red, green, blue]: Rgb): number {
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
export function dominantHue(rgba: Uint8Array): number | undefined {
  const bins = new Float64Array(360 / binWidth);
  let [weight, count] = [0, 0];
  for (let at = 0; at + 3 < rgba.length; at += 4 * stride) {
    if ((rgba[at + 3] ?? 0) < 128) continue;
    const color = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0] as const;
    const chroma = (Math.max(...color) - Math.min(...color)) / 255;
    const bin = Math.floor(hueOf(color) / binWidth) % bins.length;
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
export function contrastingHue(hue: number | undefined): number {
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
