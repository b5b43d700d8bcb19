import type { Call } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import type { Channel, Playlist, Video } from "../world/index.ts";
import { passesFilters } from "./filters.ts";
import { readWords } from "./words.ts";

export type Thing =
  | { readonly type: "video"; readonly video: Video }
  | { readonly type: "channel"; readonly channel: Channel }
  | { readonly type: "playlist"; readonly playlist: Playlist };

/** Something that was found, with what lists are ordered by. */
export type Found = Thing & {
  readonly title: string;
  readonly publishedAt: number;
  readonly score: number;
  readonly views: number;
  readonly rating: number;
  readonly videoCount: number;
};

/** Everything that answers the query, best first or as `order` says. */
export function findAll(call: Call, region: string): Found[] {
  const { query } = call;
  const types =
    query.list("type").length === 0 ? ["video", "channel", "playlist"] : query.list("type");
  const kinds = {
    video: () => videos(call, region),
    channel: () => channels(call),
    playlist: () => playlists(call),
  };
  const found = Object.entries(kinds)
    .flatMap(([type, find]) => (types.includes(type) ? find() : []))
    .filter(({ score }) => score > 0)
    .filter(({ publishedAt }) => publishedAt >= (query.time("publishedAfter") ?? -Infinity))
    .filter(({ publishedAt }) => publishedAt <= (query.time("publishedBefore") ?? Infinity));
  return found.sort(orders[query.text("order") ?? "relevance"] ?? byScore);
}

type Compare = (one: Found, other: Found) => number;

const byScore: Compare = (one, other) => other.score - one.score;

const orders: Readonly<Record<string, Compare>> = {
  relevance: byScore,
  date: (one, other) => other.publishedAt - one.publishedAt,
  rating: (one, other) => other.rating - one.rating,
  title: (one, other) => one.title.localeCompare(other.title),
  videoCount: (one, other) => other.videoCount - one.videoCount,
  viewCount: (one, other) => other.views - one.views,
};

function videos(call: Call, region: string): Found[] {
  const { query, world, viewer } = call;
  const mine = query.flag("forMine");
  if (mine && viewer === undefined) throw tokenNeeded();
  const match = readWords(query.text("q") ?? "");
  const passes = passesFilters(call, region);
  const channelId = mine ? viewer : query.text("channelId");
  return [...world.videos.values()]
    .filter(({ privacy }) => mine || privacy === "public")
    .filter((video) => channelId === undefined || video.channelId === channelId)
    .filter(passes)
    .map((video) => {
      const channel = world.channels.get(video.channelId);
      const words = match([
        [video.title, 8],
        [video.tags.join(" "), 3],
        [channel?.title ?? "", 2],
        [video.description, 1],
      ]);
      return {
        type: "video",
        video,
        title: video.title,
        publishedAt: video.publishedAt,
        score: words === 0 ? 0 : words + Math.log10(video.views + 1) / 3,
        views: video.views,
        rating: (video.likes ?? 0) / (video.views + 1),
        videoCount: 0,
      };
    });
}

function channels({ query, world }: Call): Found[] {
  const match = readWords(query.text("q") ?? "");
  const only = query.text("channelId");
  const all = [...world.videos.values()];
  return [...world.channels.values()]
    .filter(({ id }) => only === undefined || id === only)
    .filter(() => query.text("channelType") !== "show")
    .map((channel) => {
      const { title, publishedAt, description, handle } = channel;
      const own = all.filter(({ channelId }) => channelId === channel.id);
      const words = match([
        [`${title} ${handle}`, 9],
        [description, 1],
      ]);
      return {
        type: "channel",
        channel,
        title,
        publishedAt,
        score: words,
        views: own.reduce((sum, { views }) => sum + views, 0),
        rating: 0,
        videoCount: own.length,
      };
    });
}

function playlists({ query, world }: Call): Found[] {
  const match = readWords(query.text("q") ?? "");
  const only = query.text("channelId");
  return [...world.playlists.values()]
    .filter(({ privacy, items }) => privacy === "public" && items.length > 0)
    .filter(({ channelId }) => only === undefined || channelId === only)
    .map((playlist) => {
      const { title, description, publishedAt, channelId } = playlist;
      const words = match([
        [title, 5],
        [description, 1],
        [world.channels.get(channelId)?.title ?? "", 2],
      ]);
      const videoCount = playlist.items.length;
      return {
        type: "playlist",
        playlist,
        title,
        publishedAt,
        score: words,
        views: 0,
        rating: 0,
        videoCount,
      };
    });
}
