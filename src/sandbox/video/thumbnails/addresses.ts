import { type StoredVideo, stableFraction } from "../data/index.ts";

/** Sizes of a video's picture, by the file names that YouTube uses for them. */
export const videoSizes = {
  default: { file: "default.jpg", width: 120, height: 90 },
  medium: { file: "mqdefault.jpg", width: 320, height: 180 },
  high: { file: "hqdefault.jpg", width: 480, height: 360 },
  standard: { file: "sddefault.jpg", width: 640, height: 480 },
  maxres: { file: "maxresdefault.jpg", width: 1280, height: 720 },
  fhd: { file: "fhddefault.jpg", width: 1920, height: 1080 },
  qhd: { file: "qhddefault.jpg", width: 2560, height: 1440 },
  uhd: { file: "uhddefault.jpg", width: 3840, height: 2160 },
} as const;

export const channelSizes = {
  default: { file: "s88.jpg", width: 88, height: 88 },
  medium: { file: "s240.jpg", width: 240, height: 240 },
  high: { file: "s800.jpg", width: 800, height: 800 },
} as const;

type Sizes = Readonly<Record<string, { file: string; width: number; height: number }>>;

/** Thumbnails of a video; without one, a picture that belongs to none. */
export function videoThumbnails(origin: string, video: StoredVideo | undefined): object {
  const { id = "none", isHd = false } = video ?? {};
  const { standard, maxres, fhd, qhd, uhd } = videoSizes;
  // Sizes above HD are new and rare: every second HD video has one, always the same.
  const largest = [uhd, qhd, fhd][Math.floor(stableFraction(`thumbnail ${id}`) * 6)] ?? maxres;
  const { width: widest } = isHd ? largest : standard;
  const sizes: Sizes = videoSizes;
  const there = Object.entries(sizes).filter(([, { width }]) => width <= widest);
  return describeSizes(`${origin}/vi/${id}`, Object.fromEntries(there));
}

export function channelThumbnails(origin: string, channelId: string): object {
  return describeSizes(`${origin}/ch/${channelId}`, channelSizes);
}

/** The small square picture of a channel or a person. */
export function profilePicture(origin: string, channelId: string): string {
  return `${origin}/ch/${channelId}/${channelSizes.default.file}`;
}

function describeSizes(folder: string, sizes: Sizes): object {
  return Object.fromEntries(
    Object.entries(sizes).map(([name, { file, width, height }]) => [
      name,
      { url: `${folder}/${file}`, width, height },
    ]),
  );
}
