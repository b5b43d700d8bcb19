import type { Video } from "../resources/index.ts";

/** facts/video-api-notes.md 1: Shorts are told apart by length and shape alone. */
const longestShortS = 180;

/** The player's shape is told to those who say how large it may be; taller than wide only fits a square as such. */
export const playerBounds = { maxWidth: 720, maxHeight: 720 } as const;

/** Parts that tell whether a video is a Short, asked for with `playerBounds`. */
export const shortVideoParts = ["contentDetails", "player"] as const;

/** Whether a video is a Short, as far as its parts tell; one that is still being processed tells nothing. */
export function isShortVideo({ player, contentDetails }: Video): boolean {
  const { embedHeight, embedWidth } = player ?? {};
  const isTall = embedHeight !== undefined && Number(embedHeight) >= Number(embedWidth);
  const seconds = videoSeconds(contentDetails?.duration);
  return isTall && seconds !== undefined && seconds <= longestShortS;
}

const duration = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/u;

/** Seconds of a `contentDetails.duration`; undefined for what has no length yet. */
export function videoSeconds(iso: string | undefined): number | undefined {
  const [whole, ...parts] = duration.exec(iso ?? "") ?? [];
  if (whole === undefined) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  const sum = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return sum === 0 ? undefined : sum;
}
