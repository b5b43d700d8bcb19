import { requireViewer } from "../access.ts";
import { fixedError, notFound } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { findProfile, type StoredVideo } from "../data/index.ts";
import { readRegionCode, toTimestamp } from "../locale.ts";
import { descending } from "../pages.ts";
import { defineResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/addresses.ts";

/** Something that a channel did with a video. */
interface ChannelActivity {
  /** What it was done with: the video, or the item of a playlist. */
  readonly about: string;
  readonly type: "upload" | "like" | "playlistItem";
  readonly at: number;
  readonly video: StoredVideo;
  readonly details: object;
}

interface IdentifiedActivity extends ChannelActivity {
  readonly id: string;
  readonly channelId: string;
}

const activityResource = defineResource<IdentifiedActivity>(
  "activity",
  ({ type, channelId, at, video, details }, { state, origin }) => ({
    snippet: {
      publishedAt: toTimestamp(at),
      channelId,
      title: video.title,
      description: video.description,
      thumbnails: videoThumbnails(origin, video),
      channelTitle: findProfile(state, channelId)?.name,
      type,
    },
    contentDetails: { [type]: details },
  }),
);

export const activityHandlers = {
  "activities.list": (call) => {
    const { query, state } = call;
    if (query.has("home")) throw fixedError("homeParameter");
    readRegionCode(call);
    const channelId = query.flag("mine") ? requireViewer(call) : (query.text("channelId") ?? "");
    if (findProfile(state, channelId) === undefined) {
      throw notFound("activity", "channelNotFound", "channelId");
    }
    const after = query.time("publishedAfter") ?? -Infinity;
    const before = query.time("publishedBefore") ?? Infinity;
    const found = findActivities(call, channelId)
      .filter(({ at }) => at >= after && at <= before)
      .map((activity) => {
        const id = Buffer.from(`${activity.type} ${channelId} ${activity.about}`);
        return { ...activity, id: id.toString("base64url"), channelId };
      });
    return activityResource.page(call, found, { place: ({ at, id }) => descending(at, id) });
  },
} as const satisfies Record<string, Handler>;

function findActivities({ state, viewer }: ApiCall, channelId: string): ChannelActivity[] {
  const uploads = [...state.videos.values()].filter((video) => video.channelId === channelId);
  // What a channel likes only its owner sees.
  const liked = viewer === channelId ? (state.likes.get(channelId) ?? []) : [];
  const playlists = [...state.playlists.values()].filter(
    (playlist) => playlist.channelId === channelId && playlist.privacy === "public",
  );
  const all: (Omit<ChannelActivity, "video"> & { readonly videoId: string })[] = [
    ...uploads.map(({ id: videoId, publishedAt }) => {
      return {
        about: videoId,
        type: "upload",
        at: publishedAt,
        videoId,
        details: { videoId },
      } as const;
    }),
    ...liked.map((videoId) => {
      const at =
        state.likedAt.get(`${channelId} ${videoId}`) ?? state.videos.get(videoId)?.publishedAt;
      const details = { resourceId: { kind: "youtube#video", videoId } };
      return { about: videoId, type: "like", at: at ?? 0, videoId, details } as const;
    }),
    ...playlists.flatMap(({ id: playlistId, items }) =>
      items.map(({ id, videoId, addedAt }) => {
        const resourceId = { kind: "youtube#video", videoId };
        const details = { resourceId, playlistId, playlistItemId: id };
        return { about: id, type: "playlistItem", at: addedAt, videoId, details } as const;
      }),
    ),
  ];
  return all.flatMap(({ videoId, ...activity }) => {
    const video = state.videos.get(videoId);
    return video?.privacy === "public" ? [{ ...activity, video }] : [];
  });
}
