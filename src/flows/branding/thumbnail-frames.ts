import type { Attachment, Extra, Press, Select, Words } from "../../discord/index.ts";
import type { PlacedPicture } from "./picture.ts";
import { canCover, type PlaceName, places } from "./places.ts";

/** How a picture can lie in a thumbnail: upright as a Short is, whole with bars beside it, or cropped. */
const thumbnailFrames = [
  "uprightThumbnail",
  "thumbnail",
  "croppedThumbnail",
] as const satisfies readonly PlaceName[];
export type ThumbnailFrame = (typeof thumbnailFrames)[number];

/** A thumbnail that is shown before it is set. It lies in the state of the select, so it is JSON-shaped. */
export interface ThumbnailProposal {
  readonly id: string;
  readonly title: string;
  readonly extra: Extra;
  /** As it was given. */
  readonly picture: Attachment;
  readonly frame: ThumbnailFrame;
  readonly frames: readonly ThumbnailFrame[];
}

export function isFrame(value: string | undefined): value is ThumbnailFrame {
  return thumbnailFrames.some((frame) => frame === value);
}

/**
 * The frames that differ for a picture with bars round it, the best one first. Since November 2026 Shorts have upright
 * thumbnails (facts/video-api-notes.md 1); the service keeps everything else whole, with bars.
 */
export function framesFor(
  { original, fitted: { fitted } }: PlacedPicture,
  { isShort }: { readonly isShort: boolean },
): readonly [ThumbnailFrame, ...ThumbnailFrame[]] {
  const isCroppable = fitted === "barred" && canCover(original, places.croppedThumbnail);
  const wide = ["thumbnail", ...(isCroppable ? (["croppedThumbnail"] as const) : [])] as const;
  return isShort && original.height > original.width ? ["uprightThumbnail", ...wide] : wide;
}

/** Nothing where there is nothing to choose. */
export function frameSelect(
  proposal: ThumbnailProposal,
  words: Words,
  press: (proposal: ThumbnailProposal) => Press,
): readonly Select[] {
  const { frame: current, frames } = proposal;
  if (frames.length === 1) return [];
  const options = frames.map((frame) => ({
    label: words.say(`branding.frame.${frame}`),
    value: frame,
    isDefault: frame === current,
  }));
  return [
    { placeholder: words.say("branding.frame.placeholder"), options, press: press(proposal) },
  ];
}
