import { isVisible } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import { type StoredVideo, sampleCategories, stableFraction } from "../data/index.ts";
import {
  allLocalizations,
  localizedTexts,
  readLanguage,
  readRegionCode,
  toTimestamp,
} from "../locale.ts";
import { paginate } from "../paginate.ts";
import { badParameter, refusal } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { fileDetails, processingDetails, suggestions } from "./video-file.ts";

export const videoHandlers = {
  "videos.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const resource = (video: StoredVideo): object => toVideo(call, video);
    if (call.query.has("id")) {
      const pageInfo = { totalResults: found.length, resultsPerPage: found.length };
      return toList(`${kind}ListResponse`, found.map(resource), { pageInfo });
    }
    const { things, envelope } = paginate(call, found, {
      belongsTo: `videos ${call.query.chosenBy}`,
      idOf: ({ id }) => id,
    });
    return toList(`${kind}ListResponse`, things.map(resource), envelope);
  },
} as const satisfies Record<string, Handler>;

function find(call: ApiCall): StoredVideo[] {
  const { query, state, viewer } = call;
  if (query.has("id")) {
    return query
      .list("id")
      .map((id) => state.videos.get(id))
      .filter((video) => video !== undefined)
      .filter((video) => isVisible(video, call));
  }
  if (query.has("chart")) return mostPopular(call);
  if (viewer === undefined) throw refusal("tokenNeeded");
  const rated = query.text("myRating") === "like" ? state.likes : state.dislikes;
  return (rated.get(viewer) ?? [])
    .map((id) => state.videos.get(id))
    .filter((video) => video !== undefined)
    .filter((video) => isVisible(video, call));
}

/** The most watched videos for their age that can be watched in the region. */
function mostPopular(call: ApiCall): StoredVideo[] {
  const { query, state, now } = call;
  const region = readRegionCode(call) ?? "US";
  const category = query.text("videoCategoryId") ?? "0";
  if (category !== "0" && !sampleCategories.some(({ id }) => id === category)) {
    throw badParameter("videoCategoryId", "The chart is not available.", "videoChartNotFound");
  }
  const heat = ({ views, publishedAt }: StoredVideo): number =>
    views / (now - publishedAt + 86_400_000);
  return [...state.videos.values()]
    .filter(
      ({ privacy, live, audience }) =>
        privacy === "public" && live !== "upcoming" && audience !== "mature",
    )
    .filter(({ categoryId }) => category === "0" || categoryId === category)
    .filter(({ blockedIn }) => !blockedIn.includes(region))
    .sort((one, other) => heat(other) - heat(one));
}

function checkOwnerParts(found: readonly StoredVideo[], { query, viewer }: ApiCall): void {
  const asks = query.list("part").some((part) => ownerParts.includes(part));
  if (!asks || (viewer !== undefined && found.every(({ channelId }) => channelId === viewer)))
    return;
  throw refusal("videoPartForbidden");
}

const kind = "youtube#video";
const ownerParts: readonly string[] = ["fileDetails", "processingDetails", "suggestions"];

export function toVideo(call: ApiCall, video: StoredVideo): object {
  return toResource(call, { kind, id: video.id, thing: video, parts });
}

const parts: ApiParts<StoredVideo> = {
  snippet: (video, call) => ({
    publishedAt: toTimestamp(video.publishedAt),
    channelId: video.channelId,
    title: video.title,
    description: video.description,
    thumbnails: videoThumbnails(call.origin, video),
    channelTitle: call.state.channels.get(video.channelId)?.title,
    ...(video.tags.length > 0 && { tags: video.tags }),
    categoryId: video.categoryId,
    // A broadcast that is over reads as none here.
    liveBroadcastContent: video.live === "completed" ? "none" : video.live,
    ...(video.language !== undefined && { defaultLanguage: video.language }),
    localized: localizedTexts(video, call),
    ...(video.audioLanguage !== undefined && { defaultAudioLanguage: video.audioLanguage }),
  }),
  contentDetails: (video, { now, viewer }) => ({
    duration: toDuration(isProcessed(video, now) ? video.seconds : 0),
    dimension: "2d",
    definition: video.isHd ? "hd" : "sd",
    caption: String(video.hasCaptions),
    licensedContent: !video.isPromotion,
    ...(video.blockedIn.length > 0 && { regionRestriction: { blocked: video.blockedIn } }),
    contentRating: video.audience === "mature" ? { ytRating: "ytAgeRestricted" } : {},
    projection: "rectangular",
    ...(viewer === video.channelId && { hasCustomThumbnail: video.thumbnail !== undefined }),
  }),
  status: (video, { now, viewer }) => ({
    uploadStatus: isProcessed(video, now) ? "processed" : "uploaded",
    privacyStatus: video.privacy,
    ...(video.publishAt !== undefined && { publishAt: toTimestamp(video.publishAt) }),
    license: video.license,
    embeddable: video.embeddable,
    publicStatsViewable: video.statsViewable,
    madeForKids: video.madeForKids === true,
    ...(viewer === video.channelId &&
      video.madeForKids !== undefined && { selfDeclaredMadeForKids: video.madeForKids }),
    ...(video.synthetic !== undefined && { containsSyntheticMedia: video.synthetic }),
  }),
  statistics: ({ views, likes, comments, channelId }, { viewer }) => ({
    viewCount: String(views),
    ...(likes !== undefined && { likeCount: String(likes) }),
    // Only its owner sees the number: docs/services/youtube.md#requests-and-answers
    ...(viewer === channelId && { dislikeCount: String(Math.round((likes ?? 0) * 0.02)) }),
    favoriteCount: "0",
    ...(comments !== undefined && { commentCount: String(comments) }),
  }),
  player: (video, call) => player(video, call),
  topicDetails: ({ categoryId }) => ({
    topicCategories: ["Lifestyle_(sociology)", topics[categoryId] ?? "Hobby"].map(
      (page) => `https://en.wikipedia.org/wiki/${page}`,
    ),
  }),
  recordingDetails: ({ location, recordedAt }) => ({
    ...(recordedAt !== undefined && { recordingDate: toTimestamp(recordedAt) }),
    ...(location !== undefined && { location: { ...location, altitude: 0 } }),
  }),
  liveStreamingDetails: (video) => liveDetails(video),
  localizations: (video) => allLocalizations(video),
  paidProductPlacementDetails: ({ isPromotion }) => ({ hasPaidProductPlacement: isPromotion }),
  brandPartner: (video, call) => brandPartner(video, call),
  fileDetails: (video) => fileDetails(video),
  processingDetails: (video, { now }) => processingDetails(video, now),
  suggestions: (video) => suggestions(video),
};

/** Articles by category, as the service points to them. */
const topics: Readonly<Record<string, string>> = {
  "10": "Music",
  "17": "Sport",
  "20": "Video_game_culture",
  "26": "Hobby",
  "27": "Knowledge",
  "28": "Technology",
};

/** The paying partner: another sample channel, if there is one. */
function brandPartner(
  { id, isPromotion, channelId }: StoredVideo,
  { state }: ApiCall,
): object | undefined {
  const others = [...state.channels.values()].filter((channel) => channel.id !== channelId);
  const partner = others[Math.floor(stableFraction(`partner ${id}`) * others.length)];
  if (!isPromotion || partner === undefined) return undefined;
  return { channelId: partner.id, channelHandle: partner.handle };
}

function isProcessed({ file }: StoredVideo, now: number): boolean {
  return file === undefined || now >= file.processedAt;
}

/** Width by height. */
const shapes = { wide: 16 / 9, square: 1, tall: 9 / 16 } as const;

/** The player's size is given only if one was requested and the video's shape is known. */
function player({ id, shape }: StoredVideo, { query }: ApiCall): object {
  const [widest, tallest] = [query.integer("maxWidth"), query.integer("maxHeight")];
  const ratio = shapes[shape ?? "wide"];
  const width = Math.round(Math.min(widest ?? Infinity, (tallest ?? Infinity) * ratio));
  const size = Number.isFinite(width)
    ? { width, height: Math.round(width / ratio) }
    : { width: 480, height: 270 };
  return {
    embedHtml: `<iframe width="${size.width}" height="${size.height}" src="//www.youtube.com/embed/${id}" frameborder="0" allowfullscreen></iframe>`,
    ...(Number.isFinite(width) &&
      shape !== undefined && {
        embedHeight: String(size.height),
        embedWidth: String(size.width),
      }),
  };
}

function liveDetails({
  id,
  live,
  startsAt,
  liveAt,
  seconds,
  viewers,
}: StoredVideo): object | undefined {
  if (live === "none" || startsAt === undefined) return undefined;
  const scheduled = { scheduledStartTime: toTimestamp(startsAt) };
  const chat = { activeLiveChatId: `Cg0KC${id}` };
  if (live === "upcoming") return { ...scheduled, ...chat };
  const began = liveAt ?? startsAt + 42_000;
  const started = { actualStartTime: toTimestamp(began), ...scheduled };
  if (live === "live") {
    return { ...started, concurrentViewers: String(viewers ?? 0), ...chat };
  }
  return { ...started, actualEndTime: toTimestamp(began + seconds * 1000) };
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
