import type { Context, Hono } from "hono";
import { type RawPixels, readPixels, resizePixels, writePixels } from "../../../images/index.ts";
import { findHue, type StoredPicture, seededRandom, type VideoState } from "../data/index.ts";
import type { VideoBindings } from "../video-request.ts";
import { channelSizes, videoSizes } from "./addresses.ts";
import { type ArtOptions, drawChannel, drawVideo } from "./art.ts";

const maxDrawnWidth = 480;

/** Serves pictures that are drawn and encoded once each. */
interface PictureGallery {
  /** JPEG of a video (`none` is nobody's) in one of its sizes; undefined when there is no such picture. */
  video(id: string, file: string): Promise<Uint8Array> | undefined;
  channel(id: string, file: string): Promise<Uint8Array> | undefined;
}

function createGallery(state: VideoState): PictureGallery {
  const drawn = new Map<string, Promise<Uint8Array>>();

  function once(name: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = drawn.get(name) ?? draw();
    drawn.set(name, known);
    return known;
  }

  return {
    video(id, file) {
      const size = Object.values(videoSizes).find((known) => known.file === file);
      const video = state.videos.get(id);
      if (size === undefined || (video === undefined && id !== "none")) return undefined;
      const hue = state.channels.get(video?.channelId ?? "")?.hue ?? 210;
      const drawing = { ...size, hue, random: seededRandom(seedFor(id)) };
      const draw = () => once(`${id}/${file}`, () => render(drawVideo, drawing));
      const { thumbnail } = video ?? {};
      if (thumbnail === undefined) return draw();
      // Only the start of a file is looked at when it comes in: the rest of it may be broken.
      return once(`${id}/${file}/${thumbnail.hash}`, () => fitPicture(thumbnail, size).catch(draw));
    },
    channel(id, file) {
      const size = Object.values(channelSizes).find((known) => known.file === file);
      const hue = findHue(state, id);
      if (size === undefined || hue === undefined) return undefined;
      const drawing = { ...size, hue, random: seededRandom(seedFor(id)) };
      return once(`${id}/${file}`, () => render(drawChannel, drawing));
    },
  };
}

/** Drawing holds the event loop up, enlarging doesn't: large pictures are drawn small. */
async function render(
  draw: (drawing: ArtOptions) => RawPixels,
  drawing: ArtOptions,
): Promise<Uint8Array> {
  const { width, height } = drawing;
  const scale = Math.min(1, maxDrawnWidth / width);
  const drawn = draw({
    ...drawing,
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  });
  const full = scale < 1 ? await resizePixels(drawn, { width, height, kernel: "cubic" }) : drawn;
  return writePixels(full, { format: "jpg" });
}

function seedFor(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}

interface ServedSize {
  readonly width: number;
  readonly height: number;
}

/**
 * An uploaded picture in one of the served sizes: as large as fits, not cropped, with black bars where its shape differs
 * (docs/services/youtube.md#thumbnails).
 */
async function fitPicture({ bytes }: StoredPicture, size: ServedSize): Promise<Uint8Array> {
  const pixels = await readPixels(bytes, { maxPixels: 4_000_000 });
  const scale = Math.min(size.width / pixels.width, size.height / pixels.height);
  const within = (side: number): number => Math.max(1, Math.round(side * scale));
  const inner = { width: within(pixels.width), height: within(pixels.height) };
  const small = await resizePixels(pixels, { ...inner, kernel: "mitchell" });
  return writePixels(onBlack(small, size), { format: "jpg" });
}

function onBlack(picture: RawPixels, { width, height }: ServedSize): RawPixels {
  const data = new Uint8Array(width * height * 3);
  const left = Math.floor((width - picture.width) / 2);
  const top = Math.floor((height - picture.height) / 2);
  const rowBytes = picture.width * 3;
  for (let methodSpec = 0; methodSpec < picture.height; methodSpec++) {
    const from = methodSpec * rowBytes;
    data.set(picture.data.subarray(from, from + rowBytes), ((top + methodSpec) * width + left) * 3);
  }
  return { data, width, height, channels: 3 };
}

/** Serves drawn and uploaded pictures: `/vi` and `/ch` those of videos and channels, `/banners` and `/watermarks`. */
export function addPictures(app: Hono<VideoBindings>, state: VideoState): void {
  const gallery = createGallery(state);
  for (const [path, pictures] of [
    ["/vi/:id/:file", gallery.video],
    ["/ch/:id/:file", gallery.channel],
  ] as const) {
    app.get(path, async (c) => {
      const bytes = await pictures(c.req.param("id"), c.req.param("file"));
      return picture(c, bytes, "image/jpeg");
    });
  }
  app.get("/banners/:id", (c) => {
    const banner = state.banners.get(c.req.param("id"));
    return picture(c, banner?.bytes, banner?.type);
  });
  app.get("/watermarks/:channelId", (c) => {
    const shown = state.watermarks.get(c.req.param("channelId"))?.picture;
    return picture(c, shown?.bytes, shown?.type);
  });
}

function picture(c: Context, bytes: Uint8Array | undefined, type = "image/jpeg"): Response {
  if (bytes === undefined) return c.text("Not found", 404);
  // An address stays when its picture changes, and who changed it wants to see that.
  const headers = { "Content-Type": type, "Cache-Control": "no-cache" };
  return c.body(Uint8Array.from(bytes), 200, headers);
}
