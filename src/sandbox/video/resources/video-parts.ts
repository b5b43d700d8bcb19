import { isVisible } from "../access.ts";
import type { ApiCall } from "../call.ts";
import { type StoredVideo, stableFraction } from "../data/index.ts";
import { allLocalizations, localizedTexts, toTimestamp } from "../locale.ts";
import { defineResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/addresses.ts";

export const videoResource = defineResource<StoredVideo>("video", (video, call) => {
  const { state, viewer, now, origin } = call;
  const { channelId, categoryId, likes, madeForKids, location } = video;
  const isOwn = viewer === channelId;
  const isProcessed = hasLength(video, now);
  return {
    snippet: {
      publishedAt: toTimestamp(video.publishedAt),
      channelId,
      title: video.title,
      description: video.description,
      thumbnails: videoThumbnails(origin, video),
      channelTitle: state.channels.get(channelId)?.title,
      tags: video.tags.length > 0 ? video.tags : undefined,
      categoryId,
      liveBroadcastContent: describeLiveState(video),
      defaultLanguage: video.language,
      localized: localizedTexts(video, call),
      defaultAudioLanguage: video.audioLanguage,
    },
    contentDetails: {
      duration: toDuration(isProcessed ? video.seconds : 0),
      dimension: "2d",
      definition: video.isHd ? "hd" : "sd",
      caption: String(video.hasCaptions),
      licensedContent: !video.isPromotion,
      regionRestriction: video.blockedIn.length > 0 ? { blocked: video.blockedIn } : undefined,
      contentRating: video.audience === "mature" ? { ytRating: "ytAgeRestricted" } : {},
      projection: "rectangular",
      hasCustomThumbnail: isOwn ? video.thumbnail !== undefined : undefined,
    },
    status: {
      uploadStatus: isProcessed ? "processed" : "uploaded",
      privacyStatus: video.privacy,
      publishAt: video.publishAt === undefined ? undefined : toTimestamp(video.publishAt),
      license: video.license,
      embeddable: video.embeddable,
      publicStatsViewable: video.statsViewable,
      madeForKids: madeForKids === true,
      selfDeclaredMadeForKids: isOwn ? madeForKids : undefined,
      containsSyntheticMedia: video.synthetic,
    },
    statistics: {
      viewCount: String(video.views),
      likeCount: likes?.toString(),
      // Only its owner sees the number: docs/services/youtube.md#requests-and-answers
      dislikeCount: isOwn ? String(Math.round((likes ?? 0) * 0.02)) : undefined,
      favoriteCount: "0",
      commentCount: video.comments?.toString(),
    },
    player: describePlayer(video, call),
    topicDetails: {
      topicCategories: (
        video.topics ?? ["Lifestyle_(sociology)", topics[categoryId] ?? "Hobby"]
      ).map((page) => `https://en.wikipedia.org/wiki/${page}`),
    },
    recordingDetails: {
      recordingDate: video.recordedAt === undefined ? undefined : toTimestamp(video.recordedAt),
      location: location && { ...location, altitude: 0 },
    },
    liveStreamingDetails: describeBroadcast(video),
    localizations: allLocalizations(video),
    paidProductPlacementDetails: { hasPaidProductPlacement: video.isPromotion },
    brandPartner: findPartner(video, call),
    fileDetails: describeFile(video),
    processingDetails: describeProcessing(video, now),
    suggestions: suggestChanges(video),
  };
});

/** Those of the videos with these ids that the caller can see. */
export function findVisibleVideos(call: ApiCall, ids: readonly string[]): StoredVideo[] {
  const found = ids.flatMap((id) => call.state.videos.get(id) ?? []);
  return found.filter((video) => isVisible(video, call));
}

/** Articles by category, as YouTube points to them. */
const topics: Readonly<Record<string, string>> = {
  "10": "Music",
  "17": "Sport",
  "20": "Action-adventure_game",
  "26": "Hobby",
  "27": "Knowledge",
  "28": "Technology",
};

/** The paying partner: another sample channel, if there is one. */
function findPartner(
  { id, isPromotion, channelId }: StoredVideo,
  { state }: ApiCall,
): object | undefined {
  const others = [...state.channels.values()].filter((channel) => channel.id !== channelId);
  const partner = others[Math.floor(stableFraction(`partner ${id}`) * others.length)];
  if (!isPromotion || partner === undefined) return undefined;
  return { channelId: partner.id, channelHandle: partner.handle };
}

/** Width by height. */
const shapes = { wide: 16 / 9, square: 1, tall: 9 / 16 } as const;

/** The player's size is given only if one was requested and the video's shape is known. */
function describePlayer({ id, shape }: StoredVideo, { query }: ApiCall): object {
  const [widest, tallest] = [query.integer("maxWidth"), query.integer("maxHeight")];
  const ratio = shapes[shape ?? "wide"];
  const fitting = Math.round(Math.min(widest ?? Infinity, (tallest ?? Infinity) * ratio));
  const isAsked = Number.isFinite(fitting);
  const [width, height] = isAsked ? [fitting, Math.round(fitting / ratio)] : [480, 270];
  return {
    embedHtml: `<iframe width="${width}" height="${height}" src="//www.youtube.com/embed/${id}" frameborder="0" allowfullscreen></iframe>`,
    ...(isAsked && shape && { embedHeight: String(height), embedWidth: String(width) }),
  };
}

/** Streams have no length while they run, and for a while afterwards: docs/services/youtube.md#streams-and-premieres */
function hasLength({ file, live, seconds }: StoredVideo, now: number): boolean {
  if (file !== undefined) return now >= file.processedAt;
  return live === "none" || seconds > 0;
}

/** A broadcast that is over reads as none. */
function describeLiveState({ live, isListedLate }: StoredVideo): string {
  if (live === "completed") return "none";
  return isListedLate ? "upcoming" : live;
}

function describeBroadcast(video: StoredVideo): object | undefined {
  const { id, live, startsAt, endsAt, seconds, viewers = 0 } = video;
  if (live === "none" || startsAt === undefined) return undefined;
  const began = video.liveAt ?? startsAt + 42_000;
  const ended = video.overAt ?? began + seconds * 1000;
  return {
    scheduledStartTime: toTimestamp(startsAt),
    scheduledEndTime: endsAt === undefined ? undefined : toTimestamp(endsAt),
    actualStartTime: live === "upcoming" ? undefined : toTimestamp(began),
    actualEndTime: live === "completed" ? toTimestamp(ended) : undefined,
    concurrentViewers: live === "live" && viewers > 0 ? String(viewers) : undefined,
    activeLiveChatId: live === "completed" ? undefined : `Cg0KC${id}`,
  };
}

/** ISO 8601; a broadcast that has not ended has none yet. */
function toDuration(seconds: number): string {
  if (seconds === 0) return "P0D";
  const units = [
    [Math.floor(seconds / 3600), "H"],
    [Math.floor(seconds / 60) % 60, "M"],
    [seconds % 60, "S"],
  ] as const;
  return `PT${units.map(([amount, unit]) => (amount === 0 ? "" : `${amount}${unit}`)).join("")}`;
}

const audioBitrate = 192_000;

/** The file is not analysed: its streams are derived from the video's shape, length and id. */
function describeFile({ id, file, seconds, publishedAt, isHd, shape = "wide" }: StoredVideo) {
  const container = file?.type.replace("video/", "") ?? "mp4";
  const [long, short] = isHd ? [1920, 1080] : [854, 480];
  const [widthPixels, heightPixels] = {
    wide: [long, short] as const,
    tall: [short, long] as const,
    square: [short, short] as const,
  }[shape];
  const videoBitrate = (isHd ? 8_000_000 : 1_500_000) + Math.round(stableFraction(id) * 900_000);
  const bitrate = videoBitrate + audioBitrate;
  return {
    fileName: file?.name ?? `${id}.mp4`,
    fileSize: String(file?.size ?? Math.round((bitrate / 8) * seconds)),
    fileType: "video",
    container: container === "quicktime" ? "mov" : container,
    videoStreams: [
      {
        widthPixels,
        heightPixels,
        frameRateFps: stableFraction(`fps ${id}`) > 0.5 ? 25 : 29.97,
        aspectRatio: Number((widthPixels / heightPixels).toFixed(4)),
        codec: "h264",
        bitrateBps: String(videoBitrate),
        rotation: "none",
        vendor: "appl",
      },
    ],
    audioStreams: [
      { channelCount: 2, codec: "aac", bitrateBps: String(audioBitrate), vendor: "appl" },
    ],
    durationMs: String(seconds * 1000),
    bitrateBps: String(bitrate),
    creationTime: toTimestamp(publishedAt - 3_600_000),
  };
}

const processingParts = 20;
const partMs = 100;

/** Parts and time left count down while a file is processed. */
function describeProcessing({ file }: StoredVideo, now: number): object {
  const leftMs = file === undefined ? 0 : Math.max(0, file.processedAt - now);
  const availability = leftMs === 0 ? "available" : "inProgress";
  const partsProcessed = Math.max(0, processingParts - Math.ceil(leftMs / partMs));
  return {
    processingStatus: leftMs === 0 ? "succeeded" : "processing",
    ...(leftMs > 0 && {
      processingProgress: {
        partsTotal: String(processingParts),
        partsProcessed: String(partsProcessed),
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

function suggestChanges({ id, isHd, seconds, categoryId, title }: StoredVideo): object {
  const [word = "video"] = title.toLowerCase().match(/\p{L}{6,}/gu) ?? [];
  const isQuiet = stableFraction(`sound ${id}`) > 0.7;
  return {
    processingHints: isHd ? undefined : ["sendBestQualityVideo"],
    processingWarnings: seconds > 3600 ? ["hasEditlist"] : undefined,
    tagSuggestions: [{ tag: word, categoryRestricts: [categoryId] }, { tag: `${word} tutorial` }],
    editorSuggestions: isQuiet ? ["audioQuietAudioSwap"] : undefined,
  };
}
