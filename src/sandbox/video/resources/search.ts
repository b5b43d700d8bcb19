import type { ApiCall, Handler } from "../call.ts";
import type { StoredChannel, StoredPlaylist, StoredVideo } from "../data/index.ts";
import { readRegionCode, toTimestamp } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { badParameter, refusal } from "../refusal.ts";
import { escapeHtml, etagFor, toList } from "../resource.ts";
import { checkFilters, passesFilters } from "../search/filters.ts";
import { readWords } from "../search/words.ts";
import { channelThumbnails, videoThumbnails } from "../thumbnails/index.ts";

/** However many pages are asked for, a query yields no more: docs/services/youtube.md#search */
const maxResults = 500;
const snippetChars = 160;

export const searchHandlers = {
  "search.list": (call) => {
    const { query } = call;
    checkFilters(call);
    const region = readRegionCode(call) ?? "US";
    const channelId = query.text("channelId");
    if (channelId !== undefined && !/^UC[\w-]{22}$/.test(channelId)) {
      throw badParameter("channelId", `Invalid channel id '${channelId}'.`, "invalidChannelId");
    }
    const found = findAll(call, region).slice(0, maxResults);
    const { things, envelope } = paginate(call, found, {
      belongsTo: `search ${query.chosenBy}`,
      idOf: (thing) => Object.values(resourceId(thing)).join(" "),
      // An estimate that is too high, as the service's own: pages can't be counted by it.
      total: Math.ceil(found.length * 1.3),
    });
    const items = things.map((thing) => toResult(thing, call));
    const { pageInfo, ...tokens } = envelope;
    return toList("youtube#searchListResponse", items, { ...tokens, regionCode: region, pageInfo });
  },
} as const satisfies Record<string, Handler>;

function toResult(found: FoundResource, call: ApiCall): object {
  const hasSnippet = call.query.list("part").includes("snippet");
  const content = {
    id: resourceId(found),
    ...(hasSnippet && { snippet: resultSnippet(found, call) }),
  };
  return { kind: "youtube#searchResult", etag: etagFor(content), ...content };
}

function resourceId(thing: SearchedResource): object {
  switch (thing.type) {
    case "video":
      return { kind: "youtube#video", videoId: thing.video.id };
    case "channel":
      return { kind: "youtube#channel", channelId: thing.channel.id };
    case "playlist":
      return { kind: "youtube#playlist", playlistId: thing.playlist.id };
  }
}

function resultSnippet(found: FoundResource, { state, origin }: ApiCall): object {
  const { channelId, description, thumbnails, live } = facts(found, origin, state.videos);
  return {
    publishedAt: toTimestamp(found.publishedAt),
    channelId,
    title: escapeHtml(found.title),
    description: escapeHtml(shorten(description)),
    thumbnails,
    channelTitle: escapeHtml(state.channels.get(channelId)?.title ?? ""),
    liveBroadcastContent: live,
  };
}

function facts(
  found: FoundResource,
  origin: string,
  videos: ApiCall["state"]["videos"],
): { channelId: string; description: string; thumbnails: object; live: string } {
  switch (found.type) {
    case "video": {
      const { channelId, description, live } = found.video;
      const thumbnails = videoThumbnails(origin, found.video);
      return { channelId, description, thumbnails, live: live === "completed" ? "none" : live };
    }
    case "channel": {
      const { id, description } = found.channel;
      return {
        channelId: id,
        description,
        thumbnails: channelThumbnails(origin, id),
        live: "none",
      };
    }
    case "playlist": {
      const { channelId, description, items } = found.playlist;
      const thumbnails = videoThumbnails(origin, videos.get(items[0]?.videoId ?? ""));
      return { channelId, description, thumbnails, live: "none" };
    }
  }
}

/** Search alone shortens descriptions and escapes text for HTML; other methods give it as it is. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const letters = [...line];
  return letters.length <= snippetChars ? line : `${letters.slice(0, snippetChars).join("")} ...`;
}

type SearchedResource =
  | { readonly type: "video"; readonly video: StoredVideo }
  | { readonly type: "channel"; readonly channel: StoredChannel }
  | { readonly type: "playlist"; readonly playlist: StoredPlaylist };

/** Something that was found, with what lists are ordered by. */
type FoundResource = SearchedResource & {
  readonly title: string;
  readonly publishedAt: number;
  readonly score: number;
  readonly views: number;
  readonly rating: number;
  readonly videoCount: number;
};

/** Everything that answers the query, best first or as `order` says. */
function findAll(call: ApiCall, region: string): FoundResource[] {
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

type Compare = (one: FoundResource, other: FoundResource) => number;

const byScore: Compare = (one, other) => other.score - one.score;

const orders: Readonly<Record<string, Compare>> = {
  relevance: byScore,
  date: (one, other) => other.publishedAt - one.publishedAt,
  rating: (one, other) => other.rating - one.rating,
  title: (one, other) => one.title.localeCompare(other.title),
  videoCount: (one, other) => other.videoCount - one.videoCount,
  viewCount: (one, other) => other.views - one.views,
};

function videos(call: ApiCall, region: string): FoundResource[] {
  const { query, state, viewer } = call;
  const mine = query.flag("forMine");
  if (mine && viewer === undefined) throw refusal("tokenNeeded");
  const match = readWords(query.text("q") ?? "");
  const passes = passesFilters(call, region);
  const channelId = mine ? viewer : query.text("channelId");
  return [...state.videos.values()]
    .filter(({ privacy }) => mine || privacy === "public")
    .filter((video) => channelId === undefined || video.channelId === channelId)
    .filter(passes)
    .map((video) => {
      const channel = state.channels.get(video.channelId);
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

function channels({ query, state }: ApiCall): FoundResource[] {
  const match = readWords(query.text("q") ?? "");
  const only = query.text("channelId");
  const all = [...state.videos.values()];
  return [...state.channels.values()]
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

function playlists({ query, state }: ApiCall): FoundResource[] {
  const match = readWords(query.text("q") ?? "");
  const only = query.text("channelId");
  return [...state.playlists.values()]
    .filter(({ privacy, items }) => privacy === "public" && items.length > 0)
    .filter(({ channelId }) => only === undefined || channelId === only)
    .map((playlist) => {
      const { title, description, publishedAt, channelId } = playlist;
      const words = match([
        [title, 5],
        [description, 1],
        [state.channels.get(channelId)?.title ?? "", 2],
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
