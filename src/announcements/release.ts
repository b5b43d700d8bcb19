import { durationSeconds, parseTime } from "../clock.ts";
import { isShortVideo, largeThumbnail, type Video } from "../video/index.ts";

/** The kinds of videos that a channel releases, in the order in which people would list them. */
export const releaseKinds = ["upload", "live", "premiere", "short"] as const;
export type ReleaseKind = (typeof releaseKinds)[number];

/** The kinds with a start and an end: streams, and premieres, which show a finished video as if it were live. */
export function isBroadcastKind(kind: ReleaseKind): kind is "live" | "premiere" {
  return kind === "live" || kind === "premiere";
}

/** What an announcement says about a video. */
export interface ReleasedVideo {
  readonly id: string;
  readonly kind: ReleaseKind;
  readonly title: string;
  readonly channelTitle: string;
  readonly thumbnailUrl?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Addresses of Wikipedia's articles about its topics. */
  readonly topics?: readonly string[] | undefined;
  readonly categoryId?: string | undefined;
  /** When a broadcast is planned to begin. */
  readonly startsAt?: number | undefined;
  /** Length in seconds; absent while it is live. */
  readonly seconds?: number | undefined;
  /** Whether it was live and is over. */
  readonly isOver?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
}

/** What announcing needs to know about a video. */
export interface SeenRelease {
  readonly video: ReleasedVideo;
  /** The channel that it belongs to. */
  readonly source: string;
  /** `upcoming`: to be live later; `processing`: too early to say what it is; `hidden`: not public. */
  readonly state: "out" | "upcoming" | "processing" | "hidden";
  /** When an upcoming broadcast is planned to begin, if known. */
  readonly startsAt?: number | undefined;
  /** Of a broadcast: when it began and ended, and how many people watch it now, if YouTube says so. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly viewers?: number | undefined;
}

/** The parts of a video to read, for one unit. */
export const releaseParts = [
  "snippet",
  "contentDetails",
  "status",
  "liveStreamingDetails",
  "player",
  "topicDetails",
] as const;

export function describeRelease(video: Video): SeenRelease | undefined {
  const { id, snippet, status, contentDetails, topicDetails } = video;
  const { liveStreamingDetails: live } = video;
  const source = snippet?.channelId;
  if (id === undefined || source === undefined) return undefined;
  const isPrivate = status?.privacyStatus === "private";
  const content = snippet?.liveBroadcastContent;
  const isLive = content === "live";
  const isBroadcast = live !== undefined || isLive || content === "upcoming";
  const recordedKind = isShortVideo(video) ? "short" : "upload";
  const seconds = durationSeconds(contentDetails?.duration) ?? 0;
  // A premiere shows a finished video, whose length is known; a stream has none (`P0D`) until it has ended.
  const isPremiere = seconds > 0 && (isLive || content === "upcoming");
  const kind = isBroadcast ? (isPremiere ? "premiere" : "live") : recordedKind;
  return {
    video: {
      id,
      kind,
      title: snippet?.title ?? id,
      channelTitle: snippet?.channelTitle ?? "",
      tags: snippet?.tags,
      topics: topicDetails?.topicCategories,
      categoryId: snippet?.categoryId,
      startsAt: isPrivate ? undefined : parseTime(live?.scheduledStartTime),
      thumbnailUrl: largeThumbnail(snippet?.thumbnails),
      seconds: isLive ? undefined : durationSeconds(contentDetails?.duration),
      isOver: (isBroadcast && !isLive && content !== "upcoming") || undefined,
      // A broadcast comes out when it begins, whenever it was announced.
      publishedAt: parseTime(live?.actualStartTime) ?? parseTime(snippet?.publishedAt) ?? 0,
    },
    source,
    state: releaseState(video),
    startsAt: isPrivate ? undefined : parseTime(live?.scheduledStartTime),
    startedAt: parseTime(live?.actualStartTime),
    endedAt: parseTime(live?.actualEndTime),
    viewers: readViewers(live?.concurrentViewers),
  };
}

/** Absent while nobody watches, or where the creator hides it. */
function readViewers(text: string | undefined): number | undefined {
  const viewers = Number(text);
  return text !== undefined && Number.isSafeInteger(viewers) ? viewers : undefined;
}

function releaseState({ snippet, status, contentDetails }: Video): SeenRelease["state"] {
  if (status?.privacyStatus !== undefined && status.privacyStatus !== "public") return "hidden";
  const content = snippet?.liveBroadcastContent;
  if (content === "upcoming") return "upcoming";
  if (content === "live") return "out";
  const isUnread = durationSeconds(contentDetails?.duration) === undefined;
  return status?.uploadStatus === "uploaded" && isUnread ? "processing" : "out";
}
