import { type Parts, paginate, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage, readRegion, toTimestamp } from "../locale.ts";
import { badParameter, Refusal } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { categories, type Video } from "../world/index.ts";

const kind = "youtube#video";
const ownerParts = ["fileDetails", "processingDetails", "suggestions"];

const parts: Parts<Video> = {
  snippet: (video, { world, origin }) => ({
    publishedAt: toTimestamp(video.publishedAt),
    channelId: video.channelId,
    title: video.title,
    description: video.description,
    thumbnails: videoThumbnails(origin, video),
    channelTitle: world.channels.get(video.channelId)?.title,
    ...(video.tags.length > 0 && { tags: video.tags }),
    categoryId: video.categoryId,
    // A broadcast that is over reads as none here.
    liveBroadcastContent: video.live === "completed" ? "none" : video.live,
    defaultLanguage: video.language,
    localized: { title: video.title, description: video.description },
    defaultAudioLanguage: video.language,
  }),
  contentDetails: (video) => ({
    duration: toDuration(video.seconds),
    dimension: "2d",
    definition: video.isHd ? "hd" : "sd",
    caption: String(video.hasCaptions),
    licensedContent: !video.isPromotion,
    ...(video.blockedIn.length > 0 && { regionRestriction: { blocked: video.blockedIn } }),
    contentRating: {},
    projection: "rectangular",
  }),
  status: (video) => ({
    uploadStatus: "processed",
    privacyStatus: video.privacy,
    license: video.license,
    embeddable: true,
    publicStatsViewable: video.likes !== undefined,
    madeForKids: false,
  }),
  statistics: ({ views, likes, comments }) => ({
    viewCount: String(views),
    ...(likes !== undefined && { likeCount: String(likes) }),
    favoriteCount: "0",
    ...(comments !== undefined && { commentCount: String(comments) }),
  }),
  player: ({ id }) => ({
    embedHtml: `<iframe width="480" height="270" src="//www.youtube.com/embed/${id}" frameborder="0" allowfullscreen></iframe>`,
  }),
  topicDetails: () => ({
    topicCategories: ["https://en.wikipedia.org/wiki/Lifestyle_(sociology)"],
  }),
  recordingDetails: ({ location }) => (location === undefined ? {} : { location }),
  liveStreamingDetails: (video) => liveDetails(video),
  localizations: ({ language, title, description }) => ({
    [language ?? "en"]: { title, description },
  }),
  paidProductPlacementDetails: ({ isPromotion }) => ({ hasPaidProductPlacement: isPromotion }),
  fileDetails: ({ title }) => ({ fileName: `${title}.mp4`, fileType: "video" }),
  processingDetails: () => ({ processingStatus: "succeeded" }),
  suggestions: () => ({}),
};

export const videos = {
  "videos.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const resource = (video: Video): object =>
      toResource(call, { kind, id: video.id, thing: video, parts });
    if (call.query.has("id")) {
      const pageInfo = { totalResults: found.length, resultsPerPage: found.length };
      return toList(`${kind}ListResponse`, found.map(resource), { pageInfo });
    }
    const { query } = call;
    const belongsTo = `videos ${query.text("chart")} ${query.text("myRating")} ${query.text("regionCode")} ${query.text("videoCategoryId")}`;
    const { things, envelope } = paginate(call, found, { belongsTo });
    return toList(`${kind}ListResponse`, things.map(resource), envelope);
  },
} as const satisfies Record<string, Handler>;

function find(call: Call): Video[] {
  const { query, world, viewer } = call;
  if (query.has("id")) {
    checkUnpaged(call);
    return query
      .list("id")
      .map((id) => world.videos.get(id))
      .filter((video) => video !== undefined)
      .filter(({ privacy, channelId }) => privacy !== "private" || channelId === viewer);
  }
  if (query.has("chart")) return mostPopular(call);
  if (viewer === undefined) throw tokenNeeded();
  const liked = query.text("myRating") === "like" ? (world.likes.get(viewer) ?? []) : [];
  return liked.map((id) => world.videos.get(id)).filter((video) => video !== undefined);
}

function checkUnpaged({ query }: Call): void {
  const paging = ["maxResults", "pageToken"].filter((name) => query.has(name));
  if (paging.length === 0) return;
  throw new Refusal(400, {
    reason: "incompatibleParameters",
    message: `Incompatible parameters specified in the request: ${["id", ...paging].join(", ")}`,
    domain: "youtube.parameter",
    place: { location: "parameters.", locationType: "other" },
  });
}

/** What is watched most for its age, as far as it can be watched in the region. */
function mostPopular(call: Call): Video[] {
  const { query, world, now } = call;
  const region = readRegion(call) ?? "US";
  const category = query.text("videoCategoryId") ?? "0";
  if (category !== "0" && !categories.some(([id]) => id === category)) {
    throw badParameter("videoCategoryId", "The chart is not available.", "videoChartNotFound");
  }
  const heat = ({ views, publishedAt }: Video): number => views / (now - publishedAt + 86_400_000);
  return [...world.videos.values()]
    .filter(
      ({ privacy, live, audience }) =>
        privacy === "public" && live !== "upcoming" && audience !== "mature",
    )
    .filter(({ categoryId }) => category === "0" || categoryId === category)
    .filter(({ blockedIn }) => !blockedIn.includes(region))
    .sort((one, other) => heat(other) - heat(one));
}

function checkOwnerParts(found: readonly Video[], { query, viewer }: Call): void {
  const asks = query.list("part").some((part) => ownerParts.includes(part));
  if (!asks || (viewer !== undefined && found.every(({ channelId }) => channelId === viewer)))
    return;
  throw new Refusal(403, {
    reason: "forbidden",
    message: "The request cannot access owner-only parts of this video.",
    domain: "youtube.video",
    place: { location: "part", locationType: "parameter" },
  });
}

function liveDetails({ live, startsAt, seconds, viewers }: Video): object | undefined {
  if (live === "none" || startsAt === undefined) return undefined;
  const scheduled = { scheduledStartTime: toTimestamp(startsAt) };
  if (live === "upcoming") return scheduled;
  const started = { actualStartTime: toTimestamp(startsAt + 42_000), ...scheduled };
  if (live === "live") return { ...started, concurrentViewers: String(viewers ?? 0) };
  return { ...started, actualEndTime: toTimestamp(startsAt + 42_000 + seconds * 1000) };
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
