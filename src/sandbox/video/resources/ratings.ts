import { isVisible, requireViewer, visibleVideo } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import type { StoredVideo, VideoState } from "../data/index.ts";
import { forbidden } from "../refusal.ts";
import { etagFor } from "../resource.ts";

export const ratingHandlers = {
  "videos.rate": (call) => {
    const { query, state } = call;
    const video = visibleVideo(call, query.text("id") ?? "", "id");
    const rating = query.text("rating") ?? "none";
    setRating(state, video, { by: requireViewer(call), rating, now: call.now });
    return undefined;
  },
  "videos.getRating": (call) => {
    const viewer = requireViewer(call);
    const items = call.query
      .list("id")
      .map((id) => call.state.videos.get(id))
      .filter((video) => video !== undefined && isVisible(video, call))
      .map((video) => ({
        videoId: video?.id,
        rating: findRating(call, video as StoredVideo, viewer),
      }));
    const content = { kind: "youtube#videoGetRatingResponse", items };
    return { kind: content.kind, etag: etagFor(content), items };
  },
} as const satisfies Record<string, Handler>;

/** Puts a rating in place of the one before. A like is in the channel's list of liked videos too. */
export function setRating(
  { likes, likedAt, dislikes }: VideoState,
  video: StoredVideo,
  { by, rating, now }: { readonly by: string; readonly rating: string; readonly now: number },
): void {
  // Its owner lets nobody rate it.
  if (video.likes === undefined) throw forbidden("video", "videoRatingDisabled");
  const liked = likes.get(by) ?? [];
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== video.id);
  if (liked.includes(video.id)) video.likes -= 1;
  if (rating === "like") video.likes += 1;
  likedAt.set(`${by} ${video.id}`, now);
  likes.set(by, [...(rating === "like" ? [video.id] : []), ...without(liked)]);
  const disliked = without(dislikes.get(by) ?? []);
  dislikes.set(by, [...(rating === "dislike" ? [video.id] : []), ...disliked]);
}

/** `unspecified` where nobody can rate (docs/services/youtube.md#videos). */
function findRating({ state }: ApiCall, video: StoredVideo, viewer: string): string {
  if (video.likes === undefined) return "unspecified";
  if (state.likes.get(viewer)?.includes(video.id) === true) return "like";
  return state.dislikes.get(viewer)?.includes(video.id) === true ? "dislike" : "none";
}
