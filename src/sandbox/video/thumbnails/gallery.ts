import type { Context, Hono } from "hono";
import { drawSvg, readPixels, resizePixels, writePixels } from "../../../images/index.ts";
import { type StoredPicture, seededRandom, type VideoState } from "../data/index.ts";
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
    const fitted = once(`${id}/${file}/${thumbnail.hash}`, () =>
      fitPicture(thumbnail, size).catch(draw),
    );
    return answer(c, await fitted);
  });
  app.get("/ch/:id/:file", async (c) => {
    const { id, file } = c.req.param();
    const size = Object.values(channelSizes).find((known) => known.file === file);
    const hue = (state.channels.get(id) ?? state.users.get(id))?.hue;
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

interface ArtOptions {
  readonly width: number;
  readonly height: number;
  /** 0 to 360. */
  readonly hue: number;
  readonly random: () => number;
  readonly isVideo: boolean;
}

/** A generated picture: bubbles in the sky, for a video with a play mark. Large ones are drawn small, which is quicker. */
async function render({ hue, random, isVideo, ...size }: ArtOptions): Promise<Uint8Array> {
  const scale = Math.min(1, maxDrawnWidth / size.width);
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const bubbles = Array.from({ length: 7 }, (_, index) => {
    const [x, y, radius] = [random() * width, random() * height, (0.06 + random() * 0.22) * height];
    const color = `hsl(${hue + random() * 90 - 45}, 75%, ${55 + random() * 25}%)`;
    const [opacity, sharpness] = [0.25 + random() * 0.4, 75 + random() * 24];
    return `<radialGradient id="b${index}">
      <stop offset="${sharpness}%" stop-color="${color}" stop-opacity="${opacity}"/>
      <stop offset="100%" stop-color="${color}" stop-opacity="0"/>
    </radialGradient><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#b${index})"/>`;
  });
  const playMark = `<g transform="translate(${width / 2} ${height / 2}) scale(${height})">
    <circle r="0.15" fill="#101216" fill-opacity="0.62"/>
    <path d="M-0.043 -0.074 L0.085 0 L-0.043 0.074 Z" fill="#fff"/>
  </g>`;
  const sky = `<linearGradient id="sky" x2="0" y2="1">
    <stop stop-color="hsl(${hue + 30 * random()}, 55%, 36%)"/>
    <stop offset="1" stop-color="hsl(${hue - 30}, 70%, 72%)"/>
  </linearGradient><rect width="100%" height="100%" fill="url(#sky)"/>`;
  const { input, raw } = await drawSvg({ width, height }, [
    sky,
    ...bubbles,
    ...(isVideo ? [playMark] : []),
  ]);
  const drawn = { data: input, ...raw };
  const full = scale < 1 ? await resizePixels(drawn, { ...size, kernel: "cubic" }) : drawn;
  return writePixels(full, { format: "jpg" });
}
