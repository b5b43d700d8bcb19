import type { Thumbnail, ThumbnailSize, Thumbnails } from "./resources/index.ts";

/** A video has only some of these sizes: docs/services/youtube.md#thumbnails */
const largestFirst = [
  "uhd",
  "qhd",
  "fhd",
  "maxres",
  "standard",
  "high",
  "medium",
  "default",
] as const satisfies readonly ThumbnailSize[];

/** Sizes for a picture beside text: wide enough to see something, and not wider. */
const smallFirst = ["medium", "default", ...largestFirst.toReversed().slice(2)] as const;

/** A thumbnail with the name of its size. */
export type NamedThumbnail = Thumbnail & { readonly size: ThumbnailSize };

/** All thumbnails that can be shown, the largest first. */
export function listThumbnails(thumbnails: Thumbnails | undefined): readonly NamedThumbnail[] {
  return largestFirst.flatMap((size) => {
    const found = thumbnails?.[size];
    return found !== undefined && /^https?:\/\//u.test(found.url) ? [{ ...found, size }] : [];
  });
}

/** The address of a picture beside text. */
export function smallThumbnail(thumbnails: Thumbnails | undefined): string | undefined {
  const all = listThumbnails(thumbnails);
  return smallFirst.flatMap((size) => all.find((one) => one.size === size) ?? [])[0]?.url;
}

/** The address of the largest picture. */
export function largeThumbnail(thumbnails: Thumbnails | undefined): string | undefined {
  return listThumbnails(thumbnails)[0]?.url;
}
