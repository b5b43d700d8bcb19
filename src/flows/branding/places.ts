import type { FitOptions, Picture } from "../../images/index.ts";

type Place = Omit<FitOptions, "signal">;

const mebibyte = 1024 * 1024;

/** Where pictures of a channel go, and what each place takes. */
export const places = {
  // 2,048 × 1,152 at least, 16:9, 6 MB: https://developers.google.com/youtube/v3/docs/channelBanners/insert
  banner: {
    width: 2560,
    height: 1440,
    minWidth: 2048,
    minHeight: 1152,
    shape: "cover",
    maxBytes: 6 * mebibyte,
  },
  // 1,280 × 720 recommended, 640 wide at least: https://support.google.com/youtube/answer/72431
  thumbnail: {
    width: 1280,
    height: 720,
    minWidth: 640,
    minHeight: 360,
    shape: "cover",
    maxBytes: 50 * mebibyte,
  },
  // Square, 150 × 150 at least, under 1 MB: https://support.google.com/youtube/answer/10456525
  watermark: {
    width: 600,
    height: 600,
    minWidth: 150,
    minHeight: 150,
    shape: "contain",
    maxBytes: 1_000_000,
  },
} as const satisfies Record<string, Place>;

export type PlaceName = keyof typeof places;

/** What of a picture falls away where it covers a place: at the sides or above and below, and which share. */
export function lostIn(
  { width, height }: Pick<Picture, "width" | "height">,
  place: Pick<Place, "width" | "height">,
): { readonly edge: "sides" | "ends"; readonly share: number } | undefined {
  const wider = (width * place.height) / (height * place.width);
  const share = 1 - Math.min(wider, 1 / wider);
  // A line of rounding is not worth a word.
  if (share < 0.005) return undefined;
  return { edge: wider > 1 ? "sides" : "ends", share };
}
