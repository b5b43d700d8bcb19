import { durationSeconds } from "../clock.ts";
import { isShortVideo, largeThumbnail, type Video } from "../video/index.ts";
import type { ReleasedVideo } from "./types.ts";

/** What announcing needs to know about a video. */
export interface SeenRelease {
  readonly video: ReleasedVideo;
  /** The channel that it belongs to. */
  readonly source: string;
  /** `upcoming`: to be live later; `processing`: too early to say what it is; `hidden`: not public. */
  readonly state: "out" | "upcoming" | "processing" | "hidden";
  /** When an upcoming broadcast is planned to begin, if known. */
  readonly startsAt?: number | undefined;
}

/** The parts of a video to read, for one unit. */
export const releaseParts = [
  "snippet",
  "contentDetails",
  "status",
  "liveStreamingDetails",
  "player",
] as const;

export function seenOf(video: Video): SeenRelease | undefined {
  const { id, snippet, status, liveStreamingDetails: live } = video;
  const source = snippet?.channelId;
  if (id === undefined || source === undefined) return undefined;
  const startsAt = dateOf(live?.scheduledStartTime);
  return {
    video: releasedOf(id, video),
    source,
    state: stateOf(video),
    ...(startsAt !== undefined && status?.privacyStatus !== "private" && { startsAt }),
  };
}

function releasedOf(id: string, video: Video): ReleasedVideo {
  const { snippet, contentDetails, liveStreamingDetails: live } = video;
  const seconds = durationSeconds(contentDetails?.duration);
  const thumbnailUrl = largeThumbnail(snippet?.thumbnails);
  const isLive = snippet?.liveBroadcastContent === "live";
  const kind = kindOf(video);
  return {
    id,
    kind,
    title: snippet?.title ?? id,
    channelTitle: snippet?.channelTitle ?? "",
    ...(thumbnailUrl !== undefined && { thumbnailUrl }),
    ...(seconds !== undefined && !isLive && { seconds }),
    ...(kind === "live" && !isLive && { isOver: true }),
    // A broadcast comes out when it begins, whenever it was announced.
    publishedAt: dateOf(live?.actualStartTime) ?? dateOf(snippet?.publishedAt) ?? 0,
  };
}

function kindOf(video: Video): ReleasedVideo["kind"] {
  const { snippet, liveStreamingDetails } = video;
  const content = snippet?.liveBroadcastContent;
  if (content === "live" || content === "upcoming" || liveStreamingDetails !== undefined) {
    return "live";
  }
  return isShortVideo(video) ? "short" : "upload";
}

function stateOf({ snippet, status, contentDetails }: Video): SeenRelease["state"] {
  if (status?.privacyStatus !== undefined && status.privacyStatus !== "public") return "hidden";
  const content = snippet?.liveBroadcastContent;
  if (content === "upcoming") return "upcoming";
  if (content === "live") return "out";
  const isUnread = durationSeconds(contentDetails?.duration) === undefined;
  return status?.uploadStatus === "uploaded" && isUnread ? "processing" : "out";
}

function dateOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}
