import type { RawPixels } from "../../../images/index.ts";

type RgbColor = readonly [number, number, number];

export interface ArtOptions {
  readonly width: number;
  readonly height: number;
  /** 0 to 360. */
  readonly hue: number;
  readonly random: () => number;
}

/** A generated picture for a video: a sky, a scene, a play mark. */
export function drawVideo({ width, height, hue, random }: ArtOptions): RawPixels {
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

export function drawChannel({ width, height, hue, random }: ArtOptions): RawPixels {
  const cells = Array.from({ length: 15 }, () => random() > 0.45);
  const sky = [fromHsl(hue, 0.5, 0.3), fromHsl(hue + 40, 0.6, 0.45)] as const;
  const color = fromHsl(hue + 20, 0.75, 0.85);
  return paint({ width, height }, sky, [{ color, cover: mosaic(cells, 2 / height) }]);
}

function hills({ width, height, hue, random }: ArtOptions): ArtLayer[] {
  const soft = 2 / height;
  const sun = { x: (0.2 + random() * 0.6) * (width / height), y: 0.3, radius: 0.09 };
  const ranges = [0.55, 0.68, 0.82].map((level, index) => ({
    color: fromHsl(hue + index * 12, 0.45, 0.42 - index * 0.11),
    cover: hill({ level, swing: 0.07, pace: 2 + random() * 4, phase: random() * 6 }, soft),
  }));
  return [{ color: fromHsl(45, 0.95, 0.8), cover: disc(sun, 0.95, soft * 4) }, ...ranges];
}

function bubbles({ width, height, hue, random }: ArtOptions): ArtLayer[] {
  return Array.from({ length: 7 }, () => {
    const place = { x: random() * (width / height), y: random(), radius: 0.06 + random() * 0.22 };
    const color = fromHsl(hue + random() * 90 - 45, 0.75, 0.55 + random() * 0.25);
    return { color, cover: disc(place, 0.25 + random() * 0.4, (2 / height) * (1 + random() * 12)) };
  });
}

function bands({ width, height, hue, random }: ArtOptions): ArtLayer[] {
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
  [top, bottom]: readonly [RgbColor, RgbColor],
  layers: readonly ArtLayer[],
): RawPixels {
  const data = new Uint8Array(width * height * 3);
  for (let methodSpec = 0, at = 0; methodSpec < height; methodSpec++) {
    const y = methodSpec / height;
    for (let column = 0; column < width; column++, at += 3) {
      for (let c = 0; c < 3; c++) {
        data[at + c] = (top[c] ?? 0) + ((bottom[c] ?? 0) - (top[c] ?? 0)) * y;
      }
      for (const { color, cover } of layers) blend(data, at, color, cover(column / height, y));
    }
  }
  return { data, width, height, channels: 3 };
}

function blend(data: Uint8Array, at: number, color: RgbColor, share: number): void {
  if (share <= 0) return;
  for (let c = 0; c < 3; c++) {
    const under = data[at + c] ?? 0;
    data[at + c] = under + ((color[c] ?? 0) - under) * share;
  }
}

function fromHsl(hue: number, saturation: number, lightness: number): RgbColor {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const k = (offset + hue / 30 + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** How much of a layer covers the point, 0 to 1. Points are in picture heights from the top left corner. */
type LayerCover = (x: number, y: number) => number;

interface ArtLayer {
  readonly color: readonly [number, number, number];
  readonly cover: LayerCover;
}

/** A soft step over one or two pixels, so that edges look smooth. */
function within(distance: number, soft: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance / soft));
}

function disc(
  { x: cx, y: cy, radius }: { x: number; y: number; radius: number },
  opacity: number,
  soft: number,
): LayerCover {
  return (x, y) => opacity * within(Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - radius, soft);
}

function hill(
  { level, swing, pace, phase }: { level: number; swing: number; pace: number; phase: number },
  soft: number,
): LayerCover {
  return (x, y) => within(level + swing * Math.sin(x * pace + phase) - y, soft);
}

function stripes(
  { width, slant, phase }: { width: number; slant: number; phase: number },
  opacity: number,
  soft: number,
): LayerCover {
  return (x, y) => {
    const along = ((((x + y * slant + phase) / width) % 2) + 2) % 2;
    return opacity * within((Math.abs(along - 1) - 0.5) * width, soft);
  };
}

/** The triangle of a play mark, pointing right. */
function triangle(
  { x: cx, y: cy, radius }: { x: number; y: number; radius: number },
  soft: number,
): LayerCover {
  return (x, y) => {
    const [dx, dy] = [x - cx, Math.abs(y - cy)];
    const slope = dx * 0.5 + dy * 0.866 - radius * 0.5;
    return within(Math.max(-radius * 0.5 - dx, slope), soft);
  };
}

/** A cell pattern, the same on the left and on the right. */
function mosaic(cells: readonly boolean[], soft: number): LayerCover {
  return (x, y) => {
    const [u, v] = [(x - 0.2) / 0.12, (y - 0.2) / 0.12];
    if (u < 0 || v < 0 || u >= 5 || v >= 5) return 0;
    const column = Math.floor(u) > 2 ? 4 - Math.floor(u) : Math.floor(u);
    const inset = Math.max(Math.abs((u % 1) - 0.5), Math.abs((v % 1) - 0.5)) - 0.46;
    return cells[Math.floor(v) * 3 + column] === true ? within(inset * 0.12, soft) : 0;
  };
}
