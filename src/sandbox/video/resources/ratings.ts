import { requireVideo, requireViewer } from "../access.ts";
import { forbidden } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import type { StoredVideo } from "../data/index.ts";
import { withEtag } from "../resource.ts";
import { findVisibleVideos } from "./video-parts.ts";

export const ratingHandlers = {
  "videos.rate": (call) => {
    setRating(call, requireVideo(call, call.id, "id"), call.query.text("rating") ?? "none");
    return undefined;
  },
  "videos.getRating": (call) => {
    const { likes, dislikes } = call.state;
    const viewer = requireViewer(call);
    const items = findVisibleVideos(call, call.query.list("id")).map((video) => {
      const videoId = video.id;
      // Nobody can rate it: docs/services/youtube.md#videos
      if (video.likes === undefined) return { videoId, rating: "unspecified" };
      if (likes.get(viewer)?.includes(videoId)) return { videoId, rating: "like" };
      return { videoId, rating: dislikes.get(viewer)?.includes(videoId) ? "dislike" : "none" };
    });
    return withEtag("videoGetRatingResponse", { items });
  },
} as const satisfies Record<string, Handler>;

/** Puts the caller's rating in place of the one before. A like is in the channel's list of liked videos too. */
export function setRating(call: ApiCall, video: StoredVideo, rating: string): void {
  const { likes, likedAt, dislikes } = call.state;
  const viewer = requireViewer(call);
  // Its owner lets nobody rate it.
  if (video.likes === undefined) throw forbidden("video", "videoRatingDisabled");
  const liked = likes.get(viewer) ?? [];
  if (liked.includes(video.id)) video.likes -= 1;
  if (rating === "like") video.likes += 1;
  likedAt.set(`${viewer} ${video.id}`, call.now);
  for (const [ids, name] of [
    [likes, "like"],
    [dislikes, "dislike"],
  ] as const) {
    const others = (ids.get(viewer) ?? []).filter((id) => id !== video.id);
    ids.set(viewer, rating === name ? [video.id, ...others] : others);
  }
}
