import { requireViewer } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import { findProfile, type StoredVideo } from "../data/index.ts";
import { readRegionCode, toTimestamp } from "../locale.ts";
import { descending, paginateSorted } from "../paginate-sorted.ts";
import { notFound, refusal } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/index.ts";

const kind = "youtube#activity";

interface ChannelActivity {
  readonly id: string;
  readonly type: "upload" | "like" | "playlistItem";
  readonly channelId: string;
  readonly at: number;
  readonly video: StoredVideo;
  readonly details: object;
}

const parts: ApiParts<ChannelActivity> = {
  snippet: ({ type, channelId, at, video }, { state, origin }) => ({
    publishedAt: toTimestamp(at),
    channelId,
    title: video.title,
    description: video.description,
    thumbnails: videoThumbnails(origin, video),
    channelTitle: findProfile(state, channelId)?.name,
    type,
  }),
  contentDetails: ({ type, details }) => ({ [type]: details }),
};

export const activityHandlers = {
  "activities.list": (call) => {
    const { query, state } = call;
    if (query.has("home")) throw refusal("homeParameter");
    readRegionCode(call);
    const channelId = query.flag("mine") ? requireViewer(call) : (query.text("channelId") ?? "");
    if (findProfile(state, channelId) === undefined) {
      throw notFound("activity", "channelNotFound", "channelId");
    }
    const [after, before] = [query.time("publishedAfter"), query.time("publishedBefore")];
    const found = [
      ...uploads(call, channelId),
      ...likes(call, channelId),
      ...additions(call, channelId),
    ].filter(({ at }) => at >= (after ?? -Infinity) && at <= (before ?? Infinity));
    const { things, envelope } = paginateSorted(call, found, {
      belongsTo: `activities ${channelId} ${after} ${before}`,
      place: ({ at, id }) => descending(at, id),
      goesBack: true,
    });
    const items = things.map((activity) =>
      toResource(call, { kind, id: activity.id, thing: activity, parts }),
    );
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function uploads({ state }: ApiCall, channelId: string): ChannelActivity[] {
  return [...state.videos.values()]
    .filter((video) => video.channelId === channelId && video.privacy === "public")
    .map((video) => ({
      id: activityId("upload", channelId, video.id),
      type: "upload",
      channelId,
      at: video.publishedAt,
      video,
      details: { videoId: video.id },
    }));
}

/** What a channel likes only its owner sees. */
function likes({ state, viewer }: ApiCall, channelId: string): ChannelActivity[] {
  const liked = viewer === channelId ? (state.likes.get(channelId) ?? []) : [];
  return liked
    .map((id) => state.videos.get(id))
    .filter((video) => video?.privacy === "public")
    .filter((video) => video !== undefined)
    .map((video) => ({
      id: activityId("like", channelId, video.id),
      type: "like",
      channelId,
      at: state.likedAt.get(`${channelId} ${video.id}`) ?? video.publishedAt,
      video,
      details: { resourceId: resourceId(video) },
    }));
}

function additions({ state }: ApiCall, channelId: string): ChannelActivity[] {
  return [...state.playlists.values()]
    .filter((playlist) => playlist.channelId === channelId && playlist.privacy === "public")
    .flatMap(({ id: playlistId, items }) => items.map((item) => ({ playlistId, item })))
    .flatMap(({ playlistId, item }): ChannelActivity[] => {
      const video = state.videos.get(item.videoId);
      if (video?.privacy !== "public") return [];
      return [
        {
          id: activityId("playlistItem", channelId, item.id),
          type: "playlistItem",
          channelId,
          at: item.addedAt,
          video,
          details: { resourceId: resourceId(video), playlistId, playlistItemId: item.id },
        },
      ];
    });
}

function resourceId({ id }: StoredVideo): object {
  return { kind: "youtube#video", videoId: id };
}

function activityId(type: string, channelId: string, of: string): string {
  return Buffer.from(`${type} ${channelId} ${of}`).toString("base64url");
}
