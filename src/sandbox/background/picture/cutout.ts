import { type FourLengths, toPixels } from "../request/values.ts";

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface PixelBox extends PixelSize {
  readonly left: number;
  readonly top: number;
}

/** A picture with its matte; `color` still shows the background. */
export interface CutPicture extends PixelSize {
  /** RGB. */
  readonly color: Uint8Array;
  readonly alpha: Uint8Array;
}

/** Opacity from which a pixel counts as part of the foreground. */
const visible = 13;

/** Smallest box round the foreground; undefined when there is none. */
export function foreground({ width, height, alpha }: CutPicture): PixelBox | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if ((alpha[i] ?? 0) < visible) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Clears everything outside a region, in place. The region is in pixels of `stored`, the picture before it was shrunk. */
export function clearOutside(
  { width, height, alpha }: CutPicture,
  region: FourLengths,
  stored: PixelSize,
): void {
  const [left, top, right, bottom] = region;
  const scale = { x: width / stored.width, y: height / stored.height };
  const from = Math.floor(toPixels(left, stored.width) * scale.x);
  const to = Math.ceil(toPixels(right, stored.width) * scale.x);
  const first = Math.floor(toPixels(top, stored.height) * scale.y);
  const end = Math.ceil(toPixels(bottom, stored.height) * scale.y);
  alpha.fill(0, 0, first * width);
  alpha.fill(0, end * width);
  for (let y = first; y < end; y++) {
    alpha.fill(0, y * width, y * width + from);
    alpha.fill(0, y * width + to, (y + 1) * width);
  }
}

/** Cuts a box out; what is outside the picture is transparent. */
export function crop({ width, height, color, alpha }: CutPicture, box: PixelBox): CutPicture {
  const size = { width, height };
  return {
    width: box.width,
    height: box.height,
    color: cutSamples(color, { ...size, channels: 3 }, box),
    alpha: cutSamples(alpha, { ...size, channels: 1 }, box),
  };
}

/** The samples of a box; zero beyond the picture. */
export function cutSamples(
  samples: Uint8Array,
  { width, height, channels }: PixelSize & { readonly channels: number },
  box: PixelBox,
): Uint8Array {
  const part = new Uint8Array(box.width * box.height * channels);
  const from = Math.max(0, box.left);
  const to = Math.min(width, box.left + box.width);
  if (to <= from) return part;
  for (let y = Math.max(0, box.top); y < Math.min(height, box.top + box.height); y++) {
    const row = samples.subarray((y * width + from) * channels, (y * width + to) * channels);
    part.set(row, ((y - box.top) * box.width + from - box.left) * channels);
  }
  return part;
}

/** Opacity from which a pixel's colour is the subject's own. */
const opaque = 242;
/** How often an edge looks further inward for the colour of its subject. */
const steps = 6;
/** Edges are as wide as the matte was enlarged; it comes with 320 pixels a side. */
const finest = 640;

const directions = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;

/** Takes the background's tint out of soft edges, in place: they get the colour of an opaque pixel near them. */
export function correctEdges({ width, height, color, alpha }: CutPicture): void {
  const stride = Math.max(1, Math.round(Math.max(width, height) / finest));

  function nearestOpaque(x: number, y: number): number {
    for (let far = stride; far <= steps * stride; far += stride) {
      for (const [dx, dy] of directions) {
        const [px, py] = [x + dx * far, y + dy * far];
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        if ((alpha[py * width + px] ?? 0) >= opaque) return py * width + px;
      }
    }
    return -1;
  }

  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const own = alpha[i] ?? 0;
      if (own === 0 || own >= opaque) continue;
      const near = nearestOpaque(x, y);
      if (near < 0) continue;
      for (let c = 0; c < 3; c++) {
        const inner = (color[near * 3 + c] ?? 0) * (255 - own);
        color[i * 3 + c] = ((color[i * 3 + c] ?? 0) * own + inner) / 255;
      }
    }
  }
}
