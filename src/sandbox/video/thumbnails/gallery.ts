import { type RawPixels, resizePixels, writePixels } from "../../../images/index.ts";
import { hueOf, seededRandom, type World } from "../world/index.ts";
import { channelSizes, videoSizes } from "./addresses.ts";
import { type Drawing, drawChannel, drawVideo } from "./art.ts";
import { fitPicture } from "./fit.ts";

const maxDrawnWidth = 480;

/** Serves pictures that are drawn and encoded once each. */
export interface Gallery {
  /** JPEG of a video (`none` is nobody's) in one of its sizes; undefined when there is no such picture. */
  video(id: string, file: string): Promise<Uint8Array> | undefined;
  channel(id: string, file: string): Promise<Uint8Array> | undefined;
}

export function createGallery(world: World): Gallery {
  const drawn = new Map<string, Promise<Uint8Array>>();

  function once(name: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = drawn.get(name) ?? draw();
    drawn.set(name, known);
    return known;
  }

  return {
    video(id, file) {
      const size = Object.values(videoSizes).find((known) => known.file === file);
      const video = world.videos.get(id);
      if (size === undefined || (video === undefined && id !== "none")) return undefined;
      const hue = world.channels.get(video?.channelId ?? "")?.hue ?? 210;
      const drawing = { ...size, hue, random: seededRandom(seedOf(id)) };
      const draw = () => once(`${id}/${file}`, () => render(drawVideo, drawing));
      const { thumbnail } = video ?? {};
      if (thumbnail === undefined) return draw();
      // Only the start of a file is looked at when it comes in: the rest of it may be broken.
      return once(`${id}/${file}/${thumbnail.hash}`, () => fitPicture(thumbnail, size).catch(draw));
    },
    channel(id, file) {
      const size = Object.values(channelSizes).find((known) => known.file === file);
      const hue = hueOf(world, id);
      if (size === undefined || hue === undefined) return undefined;
      const drawing = { ...size, hue, random: seededRandom(seedOf(id)) };
      return once(`${id}/${file}`, () => render(drawChannel, drawing));
    },
  };
}

/** Drawing holds the event loop up, enlarging doesn't: large pictures are drawn small. */
async function render(
  draw: (drawing: Drawing) => RawPixels,
  drawing: Drawing,
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

function seedOf(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}
