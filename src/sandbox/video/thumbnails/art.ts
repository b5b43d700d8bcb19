import type { RawPixels } from "../../../images/index.ts";

type RgbColor = readonly [number, number, number];

export interface ArtOptions {
  readonly width: number;
  readonly height: number;
  /** 0 to 360. */
  readonly hue: number;
  readonly random: () => number;
  readonly isVideo: boolean;
}

/** A generated picture: bubbles in the sky, for a video with a play mark. */
export function drawPicture({ width, height, hue, random, isVideo }: ArtOptions): RawPixels {
  const soft = 2 / height;
  const middle = { x: width / height / 2, y: 0.5 };
  const bubbles = Array.from({ length: 7 }, () => {
    const place = { x: random() * (width / height), y: random(), radius: 0.06 + random() * 0.22 };
    const color = fromHsl(hue + random() * 90 - 45, 0.75, 0.55 + random() * 0.25);
    return { color, cover: disc(place, 0.25 + random() * 0.4, soft * (1 + random() * 12)) };
  });
  const playMark: ArtLayer[] = [
    { color: [16, 18, 22], cover: disc({ ...middle, radius: 0.15 }, 0.62, soft) },
    { color: [255, 255, 255], cover: triangle({ ...middle, radius: 0.085 }, soft) },
  ];
  const sky = [fromHsl(hue + 30 * random(), 0.55, 0.36), fromHsl(hue - 30, 0.7, 0.72)] as const;
  return paint({ width, height }, sky, isVideo ? [...bubbles, ...playMark] : bubbles);
}

interface ArtLayer {
  readonly color: RgbColor;
  /** How much of the point is covered, 0 to 1. Points are in picture heights from the top left corner. */
  readonly cover: (x: number, y: number) => number;
}

function paint(
  { width, height }: { readonly width: number; readonly height: number },
  [top, bottom]: readonly [RgbColor, RgbColor],
  layers: readonly ArtLayer[],
): RawPixels {
  const data = new Uint8Array(width * height * 3);
  for (let row = 0, at = 0; row < height; row++) {
    const y = row / height;
    const sky = mix(top, bottom, y);
    for (let column = 0; column < width; column++, at += 3) {
      const color = layers.reduce<RgbColor>((under, layer) => {
        const share = layer.cover(column / height, y);
        return share <= 0 ? under : mix(under, layer.color, share);
      }, sky);
      data.set(color, at);
    }
  }
  return { data, width, height, channels: 3 };
}

function mix([r, g, b]: RgbColor, over: RgbColor, share: number): RgbColor {
  return [r + (over[0] - r) * share, g + (over[1] - g) * share, b + (over[2] - b) * share];
}

function fromHsl(hue: number, saturation: number, lightness: number): RgbColor {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const [red = 0, green = 0, blue = 0] = [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30 + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
  return [red, green, blue];
}

/** A soft step over one or two pixels, so that edges look smooth. */
function within(distance: number, soft: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance / soft));
}

interface Round {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function disc({ x: cx, y: cy, radius }: Round, opacity: number, soft: number): ArtLayer["cover"] {
  return (x, y) => opacity * within(Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - radius, soft);
}

/** The triangle of a play mark, pointing right. */
function triangle({ x: cx, y: cy, radius }: Round, soft: number): ArtLayer["cover"] {
  return (x, y) => {
    const [dx, dy] = [x - cx, Math.abs(y - cy)];
    const slope = dx * 0.5 + dy * 0.866 - radius * 0.5;
    return within(Math.max(-radius * 0.5 - dx, slope), soft);
  };
}
