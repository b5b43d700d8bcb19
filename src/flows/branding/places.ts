import type { FitOptions, Picture } from "../../images/index.ts";

type Place = Omit<FitOptions, "signal">;

const mebibyte = 1024 * 1024;

const anyThumbnail = {
  maxBytes: 50 * mebibyte,
  // As the service itself fills up what has another shape (interface specification, thumbnail rules).
  background: "#000000",
} as const;

// 1,280 × 720 recommended, 640 wide at least: https://support.google.com/youtube/answer/72431
const wideThumbnail = {
  ...anyThumbnail,
  width: 1280,
  height: 720,
  minWidth: 640,
  minHeight: 360,
} as const;

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
  thumbnail: { ...wideThumbnail, shape: "contain" },
  croppedThumbnail: { ...wideThumbnail, shape: "cover" },
  // Of a Short, which is as tall as this; what the service takes at least is told nowhere.
  uprightThumbnail: {
    ...anyThumbnail,
    width: 1080,
    height: 1920,
    minWidth: 360,
    minHeight: 640,
    shape: "contain",
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

type Measures = Pick<Picture, "width" | "height">;

/** How far a picture's shape is from that of a place: `edge` is where it is cut off to cover the place. */
export interface Mismatch {
  readonly edge: "sides" | "ends";
  /** Of its width or height; as much of the place stays empty across when the picture is kept whole. */
  readonly share: number;
}

export function mismatchOf({ width, height }: Measures, place: Measures): Mismatch {
  const wider = (width * place.height) / (height * place.width);
  return { edge: wider > 1 ? "sides" : "ends", share: 1 - Math.min(wider, 1 / wider) };
}

/** Whether enough of a picture is left when it covers a place. */
export function canCover({ width, height }: Measures, place: Place): boolean {
  const { minWidth = 1, minHeight = 1 } = place;
  const ratio = place.width / place.height;
  return (
    Math.min(width, height * ratio) >= minWidth && Math.min(height, width / ratio) >= minHeight
  );
}
