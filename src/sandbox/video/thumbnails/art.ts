import type { RawPixels } from "../../../images/index.ts";
import { disc, hill, type Layer, mosaic, stripes, triangle } from "./layers.ts";

type Color = readonly [number, number, number];

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** 0 to 360. */
  readonly hue: number;
  readonly random: () => number;
}

/** A generated picture for a video: a sky, a scene, a play mark. */
export function drawVideo({ width, height, hue, random }: Drawing): RawPixels {
  const soft = 2 / height;
  const scenes = [hills, bubbles, bands];
  const scene = scenes[Math.floor(random() * scenes.length)] ?? hills;
  const middle = { x: width / height / 2, y: 0.5 };
  const layers = [
    ...scene({ width, height, hue, random }),
    { color: [16, 18, 22] as const, cover: disc({ ...middle, radius: 0.15 }, 0.62, soft) },
    { color: [255, 255, 255] as const, cover: triangle({ ...middle, radius: 0.085 }, soft) },
  ];
  const sky = [fromHsl(hue + 30 * random(), 0.55, 0.36), fromHsl(hue - 30, 0.7, 0.72)] as const;
  return paint({ width, height }, sky, layers);
}

/** A generated badge for a channel. */
export function drawChannel({ width, height, hue, random }: Drawing): RawPixels {
  const cells = Array.from({ length: 15 }, () => random() > 0.45);
  const sky = [fromHsl(hue, 0.5, 0.3), fromHsl(hue + 40, 0.6, 0.45)] as const;
  const color = fromHsl(hue + 20, 0.75, 0.85);
  return paint({ width, height }, sky, [{ color, cover: mosaic(cells, 2 / height) }]);
}

function hills({ width, height, hue, random }: Drawing): Layer[] {
  const soft = 2 / height;
  const sun = { x: (0.2 + random() * 0.6) * (width / height), y: 0.3, radius: 0.09 };
  const ranges = [0.55, 0.68, 0.82].map((level, index) => ({
    color: fromHsl(hue + index * 12, 0.45, 0.42 - index * 0.11),
    cover: hill({ level, swing: 0.07, pace: 2 + random() * 4, phase: random() * 6 }, soft),
  }));
  return [{ color: fromHsl(45, 0.95, 0.8), cover: disc(sun, 0.95, soft * 4) }, ...ranges];
}

function bubbles({ width, height, hue, random }: Drawing): Layer[] {
  return Array.from({ length: 7 }, () => {
    const place = { x: random() * (width / height), y: random(), radius: 0.06 + random() * 0.22 };
    const color = fromHsl(hue + random() * 90 - 45, 0.75, 0.55 + random() * 0.25);
    return { color, cover: disc(place, 0.25 + random() * 0.4, (2 / height) * (1 + random() * 12)) };
  });
}

function bands({ width, height, hue, random }: Drawing): Layer[] {
  const soft = 2 / height;
  const slant = random() > 0.5 ? 0.8 : -0.8;
  const place = { x: (0.15 + random() * 0.7) * (width / height), y: 0.35 + random() * 0.3 };
  return [
    {
      color: fromHsl(hue + 25, 0.65, 0.6),
      cover: stripes({ width: 0.16 + random() * 0.15, slant, phase: random() }, 0.45, soft),
    },
    { color: fromHsl(hue + 180, 0.7, 0.65), cover: disc({ ...place, radius: 0.26 }, 0.85, soft) },
  ];
}

function paint(
  { width, height }: { readonly width: number; readonly height: number },
  [top, bottom]: readonly [Color, Color],
  layers: readonly Layer[],
): RawPixels {
  const data = new Uint8Array(width * height * 3);
  for (let row = 0, at = 0; row < height; row++) {
    const y = row / height;
    for (let column = 0; column < width; column++, at += 3) {
      for (let c = 0; c < 3; c++) {
        data[at + c] = (top[c] ?? 0) + ((bottom[c] ?? 0) - (top[c] ?? 0)) * y;
      }
      for (const { color, cover } of layers) blend(data, at, color, cover(column / height, y));
    }
  }
  return { data, width, height, channels: 3 };
}

function blend(data: Uint8Array, at: number, color: Color, share: number): void {
  if (share <= 0) return;
  for (let c = 0; c < 3; c++) {
    const under = data[at + c] ?? 0;
    data[at + c] = under + ((color[c] ?? 0) - under) * share;
  }
}

function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const k = (offset + hue / 30 + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
