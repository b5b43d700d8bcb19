import { viewerOf } from "../access.ts";
import { type Parts, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { descending, walk } from "../cursor.ts";
import { readRegion, toTimestamp } from "../locale.ts";
import { notFound, Refusal } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { findProfile, type Video } from "../world/index.ts";

const kind = "youtube#activity";

interface Activity {
  readonly id: string;
  readonly type: "upload" | "like" | "playlistItem";
  readonly channelId: string;
  readonly at: number;
  readonly video: Video;
  readonly details: object;
}

const parts: Parts<Activity> = {
  snippet: ({ type, channelId, at, video }, { world, origin }) => ({
    publishedAt: toTimestamp(at),
    channelId,
    title: video.title,
    description: video.description,
    thumbnails: videoThumbnails(origin, video),
    channelTitle: findProfile(world, channelId)?.name,
    type,
  }),
  contentDetails: ({ type, details }) => ({ [type]: details }),
};

export const activities = {
  "activities.list": (call) => {
    const { query, world } = call;
    if (query.has("home")) throw homeIsGone();
    readRegion(call);
    const channelId = query.flag("mine") ? viewerOf(call) : (query.text("channelId") ?? "");
    if (findProfile(world, channelId) === undefined) {
      throw notFound("activity", "channelNotFound", "channelId");
    }
    const [after, before] = [query.time("publishedAfter"), query.time("publishedBefore")];
    const found = [
      ...uploads(call, channelId),
      ...likes(call, channelId),
      ...additions(call, channelId),
    ].filter(({ at }) => at >= (after ?? -Infinity) && at <= (before ?? Infinity));
    const { things, envelope } = walk(call, found, {
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

function uploads({ world }: Call, channelId: string): Activity[] {
  return [...world.videos.values()]
    .filter((video) => video.channelId === channelId && video.privacy === "public")
    .map((video) => ({
      id: idOf("upload", channelId, video.id),
      type: "upload",
      channelId,
      at: video.publishedAt,
      video,
      details: { videoId: video.id },
    }));
}

/** What a channel likes only its owner sees. */
function likes({ world, viewer }: Call, channelId: string): Activity[] {
  const liked = viewer === channelId ? (world.likes.get(channelId) ?? []) : [];
  return liked
    .map((id) => world.videos.get(id))
    .filter((video) => video?.privacy === "public")
    .filter((video) => video !== undefined)
    .map((video) => ({
      id: idOf("like", channelId, video.id),
      type: "like",
      channelId,
      at: world.likedAt.get(`${channelId} ${video.id}`) ?? video.publishedAt,
      video,
      details: { resourceId: resourceId(video) },
    }));
}

function additions({ world }: Call, channelId: string): Activity[] {
  return [...world.playlists.values()]
    .filter((playlist) => playlist.channelId === channelId && playlist.privacy === "public")
    .flatMap(({ id: playlistId, items }) => items.map((item) => ({ playlistId, item })))
    .flatMap(({ playlistId, item }): Activity[] => {
      const video = world.videos.get(item.videoId);
      if (video?.privacy !== "public") return [];
      return [
        {
          id: idOf("playlistItem", channelId, item.id),
          type: "playlistItem",
          channelId,
          at: item.addedAt,
          video,
          details: { resourceId: resourceId(video), playlistId, playlistItemId: item.id },
        },
      ];
    });
}

function resourceId({ id }: Video): object {
  return { kind: "youtube#video", videoId: id };
}

function idOf(type: string, channelId: string, of: string): string {
  return Buffer.from(`${type} ${channelId} ${of}`).toString("base64url");
}

function homeIsGone(): Refusal {
  return new Refusal(403, {
    reason: "homeParameterDeprecated",
    message: "The home parameter is no longer supported.",
    domain: "youtube.activity",
    place: { location: "home", locationType: "parameter" },
  });
}
