import type { Thumbnails } from "../../../video/index.ts";

const smallFirst = ["medium", "default", "high", "standard", "maxres"] as const;
const largeFirst = ["maxres", "standard", "high", "medium", "default"] as const;

/** A picture beside text. */
export function smallThumbnail(thumbnails: Thumbnails | undefined): string | undefined {
  return pick(thumbnails, smallFirst);
}

/** A picture across the card. */
export function largeThumbnail(thumbnails: Thumbnails | undefined): string | undefined {
  return pick(thumbnails, largeFirst);
}

function pick(thumbnails: Thumbnails | undefined, order: typeof smallFirst | typeof largeFirst) {
  for (const size of order) {
    const url = thumbnails?.[size]?.url;
    if (url !== undefined && /^https?:\/\//u.test(url)) return url;
  }
  return undefined;
}
