import type { Context, Hono } from "hono";
import { type RawPixels, readPixels, resizePixels, writePixels } from "../../../images/index.ts";
import { findHue, type StoredPicture, seededRandom, type VideoState } from "../data/index.ts";
import type { VideoBindings } from "../video-request.ts";
import { channelSizes, videoSizes } from "./addresses.ts";

const maxDrawnWidth = 480;

/** Serves drawn and uploaded pictures: `/vi` and `/ch` those of videos and channels, `/banners` and `/watermarks`. */
export function addPictures(app: Hono<VideoBindings>, state: VideoState): void {
  const drawn = new Map<string, Promise<Uint8Array>>();
  /** Drawn and encoded once. */
  function once(name: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = drawn.get(name) ?? draw();
    drawn.set(name, known);
    return known;
  }
  app.get("/vi/:id/:file", async (c) => {
    const { id, file } = c.req.param();
    const size = Object.values(videoSizes).find((known) => known.file === file);
    const video = state.videos.get(id);
    // Playlists that are empty show the picture of no video.
    if (size === undefined || (video === undefined && id !== "none")) return answer(c, undefined);
    const hue = state.channels.get(video?.channelId ?? "")?.hue ?? 210;
    const drawing = { ...size, hue, random: seededRandom(makeSeed(id)), isVideo: true };
    const draw = () => once(`${id}/${file}`, () => render(drawing));
    const { thumbnail } = video ?? {};
    if (thumbnail === undefined) return answer(c, await draw());
    // Only the start of a file is looked at when it comes in: the rest of it may be broken.
    const fitted = () => fitPicture(thumbnail, size).catch(draw);
    return answer(c, await once(`${id}/${file}/${thumbnail.hash}`, fitted));
  });
  app.get("/ch/:id/:file", async (c) => {
    const { id, file } = c.req.param();
    const size = Object.values(channelSizes).find((known) => known.file === file);
    const hue = findHue(state, id);
    if (size === undefined || hue === undefined) return answer(c, undefined);
    const drawing = { ...size, hue, random: seededRandom(makeSeed(id)), isVideo: false };
    return answer(c, await once(`${id}/${file}`, () => render(drawing)));
  });
  app.get("/banners/:id", (c) => {
    const banner = state.banners.get(c.req.param("id"));
    return answer(c, banner?.bytes, banner?.type);
  });
  app.get("/watermarks/:channelId", (c) => {
    const { bytes, type } = state.watermarks.get(c.req.param("channelId"))?.picture ?? {};
    return answer(c, bytes, type);
  });
}

function answer(c: Context, bytes: Uint8Array | undefined, type = "image/jpeg"): Response {
  if (bytes === undefined) return c.text("Not found", 404);
  // An address stays when its picture changes, and who changed it wants to see that.
  const headers = { "Content-Type": type, "Cache-Control": "no-cache" };
  return c.body(Uint8Array.from(bytes), 200, headers);
}

/** Drawing holds the event loop up, enlarging doesn't: large pictures are drawn small. */
async function render(drawing: ArtOptions): Promise<Uint8Array> {
  const { width, height } = drawing;
  const scale = Math.min(1, maxDrawnWidth / width);
  const drawnSize = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const small = drawPicture({ ...drawing, ...drawnSize });
  const full = scale < 1 ? await resizePixels(small, { width, height, kernel: "cubic" }) : small;
  return writePixels(full, { format: "jpg" });
}

function makeSeed(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}

/**
 * An uploaded picture in one of the served sizes: as large as fits, not cropped, with black bars where its shape differs
 * (docs/services/youtube.md#thumbnails).
 */
async function fitPicture(
  { bytes }: StoredPicture,
  { width, height }: Pick<ArtOptions, "width" | "height">,
): Promise<Uint8Array> {
  const pixels = await readPixels(bytes, { maxPixels: 4_000_000 });
  const scale = Math.min(width / pixels.width, height / pixels.height);
  const [innerWidth = 1, innerHeight = 1] = [pixels.width, pixels.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const inner = { width: innerWidth, height: innerHeight, kernel: "mitchell" } as const;
  const picture = await resizePixels(pixels, inner);
  const data = new Uint8Array(width * height * 3);
  const left = Math.floor((width - picture.width) / 2);
  const top = Math.floor((height - picture.height) / 2);
  const rowBytes = picture.width * 3;
  for (let row = 0; row < picture.height; row++) {
    const from = picture.data.subarray(row * rowBytes, (row + 1) * rowBytes);
    data.set(from, ((top + row) * width + left) * 3);
  }
  return writePixels({ data, width, height, channels: 3 }, { format: "jpg" });
}

type RgbColor = readonly [number, number, number];

interface ArtOptions {
  readonly width: number;
  readonly height: number;
  /** 0 to 360. */
  readonly hue: number;
  readonly random: () => number;
  readonly isVideo: boolean;
}

/** A generated picture: bubbles in the sky, for a video with a play mark. */
function drawPicture({ width, height, hue, random, isVideo }: ArtOptions): RawPixels {
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
