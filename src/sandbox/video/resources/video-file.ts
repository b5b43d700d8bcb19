import { type StoredVideo, stableFraction } from "../data/index.ts";
import { toTimestamp } from "../locale.ts";

/** Parts of a video that only its owner sees: file details, processing and suggestions. */

/** The file is not analysed: its streams are derived from the video's shape, length and id. */
export function fileDetails(video: StoredVideo): object {
  const { id, file, seconds, publishedAt } = video;
  const container = file?.type.replace("video/", "") ?? "mp4";
  const picture = pictureStream(video);
  const bitrate = picture.bitrate + audioBitrate;
  return {
    fileName: file?.name ?? `${id}.mp4`,
    fileSize: String(file?.size ?? Math.round((bitrate / 8) * seconds)),
    fileType: "video",
    container: container === "quicktime" ? "mov" : container,
    videoStreams: [picture.stream],
    audioStreams: [
      { channelCount: 2, codec: "aac", bitrateBps: String(audioBitrate), vendor: "appl" },
    ],
    durationMs: String(seconds * 1000),
    bitrateBps: String(bitrate),
    creationTime: toTimestamp(publishedAt - 3_600_000),
  };
}

const audioBitrate = 192_000;

function pictureStream({ id, isHd, shape = "wide" }: StoredVideo) {
  const long = isHd ? 1920 : 854;
  const short = isHd ? 1080 : 480;
  const sizes = {
    wide: { widthPixels: long, heightPixels: short },
    tall: { widthPixels: short, heightPixels: long },
    square: { widthPixels: short, heightPixels: short },
  } as const;
  const size = sizes[shape];
  const bitrate = (isHd ? 8_000_000 : 1_500_000) + Math.round(stableFraction(id) * 900_000);
  const stream = {
    ...size,
    frameRateFps: stableFraction(`fps ${id}`) > 0.5 ? 25 : 29.97,
    aspectRatio: Number((size.widthPixels / size.heightPixels).toFixed(4)),
    codec: "h264",
    bitrateBps: String(bitrate),
    rotation: "none",
    vendor: "appl",
  };
  return { stream, bitrate };
}

/** Parts and time left count down while a file is processed. */
export function processingDetails({ file }: StoredVideo, now: number): object {
  const leftMs = file === undefined ? 0 : Math.max(0, file.processedAt - now);
  const isDone = leftMs === 0;
  const availability = isDone ? "available" : "inProgress";
  return {
    processingStatus: isDone ? "succeeded" : "processing",
    ...(!isDone && {
      processingProgress: {
        partsTotal: String(processingParts),
        partsProcessed: String(Math.max(0, processingParts - Math.ceil(leftMs / partMs))),
        timeLeftMs: String(leftMs),
      },
    }),
    fileDetailsAvailability: "available",
    processingIssuesAvailability: availability,
    tagSuggestionsAvailability: availability,
    editorSuggestionsAvailability: availability,
    thumbnailsAvailability: availability,
  };
}

const processingParts = 20;
const partMs = 100;

export function suggestions({ id, isHd, seconds, categoryId, title }: StoredVideo): object {
  const [word = "video"] = title.toLowerCase().match(/\p{L}{6,}/gu) ?? [];
  const isQuiet = stableFraction(`sound ${id}`) > 0.7;
  return {
    ...(isHd ? {} : { processingHints: ["sendBestQualityVideo"] }),
    ...(seconds > 3600 && { processingWarnings: ["hasEditlist"] }),
    tagSuggestions: [{ tag: word, categoryRestricts: [categoryId] }, { tag: `${word} tutorial` }],
    ...(isQuiet && { editorSuggestions: ["audioQuietAudioSwap"] }),
  };
}
