import { isShortVideo, largeThumbnail, type Video, videoSeconds } from "../video/index.ts";
import type { ReleasedVideo } from "./types.ts";

/** A video as the service tells it, as far as announcing goes. */
export interface Seen {
  readonly video: ReleasedVideo;
  /** The channel that it belongs to. */
  readonly source: string;
  /** `upcoming`: to be live later; `processing`: too early to tell what it is; `hidden`: not for everybody. */
  readonly state: "out" | "upcoming" | "processing" | "hidden";
  /** Of what is upcoming, where it is planned. */
  readonly startsAt?: number;
}

/** Parts that tell all of it, for one unit. */
export const releaseParts = [
  "snippet",
  "contentDetails",
  "status",
  "liveStreamingDetails",
  "player",
] as const;

export function seenOf(video: Video): Seen | undefined {
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
  const seconds = videoSeconds(contentDetails?.duration);
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

function stateOf({ snippet, status, contentDetails }: Video): Seen["state"] {
  if (status?.privacyStatus !== undefined && status.privacyStatus !== "public") return "hidden";
  const content = snippet?.liveBroadcastContent;
  if (content === "upcoming") return "upcoming";
  if (content === "live") return "out";
  const isUnread = videoSeconds(contentDetails?.duration) === undefined;
  return status?.uploadStatus === "uploaded" && isUnread ? "processing" : "out";
}

function dateOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}
