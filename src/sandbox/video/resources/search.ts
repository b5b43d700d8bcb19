import { requireViewer } from "../access.ts";
import { badParameter } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { readRegionCode, toTimestamp } from "../locale.ts";
import { defineResource, escapeHtml } from "../resource.ts";
import { checkFilters, passesFilters } from "../search/filters.ts";
import { readWords } from "../search/words.ts";
import { channelThumbnails, videoThumbnails } from "../thumbnails/addresses.ts";

/** However many pages are asked for, a query yields no more: docs/services/youtube.md#search */
const maxResults = 500;
const snippetChars = 160;

/** Something that was found, with what lists are ordered by. */
interface FoundThing {
  readonly id: { readonly kind: string } & Readonly<Record<string, string>>;
  readonly channelId: string;
  readonly title: string;
  readonly description: string;
  readonly publishedAt: number;
  readonly thumbnails: object;
  /** `none` unless it is a broadcast that has not ended. */
  readonly live: string;
  readonly score: number;
  readonly views: number;
  readonly rating: number;
  readonly videoCount: number;
}

const resultResource = defineResource<FoundThing>(
  "searchResult",
  ({ channelId, title, description, publishedAt, thumbnails, live }, { state }) => {
    // Search alone shortens descriptions and escapes text for HTML; other methods give it as it is.
    const line = description.replace(/\s+/g, " ");
    const start = [...line].slice(0, snippetChars).join("");
    return {
      snippet: {
        publishedAt: toTimestamp(publishedAt),
        channelId,
        title: escapeHtml(title),
        description: escapeHtml(start === line ? line : `${start} ...`),
        thumbnails,
        channelTitle: escapeHtml(state.channels.get(channelId)?.title ?? ""),
        liveBroadcastContent: live,
      },
    };
  },
  "searchListResponse",
);

export const searchHandlers = {
  "search.list": (call) => {
    const { query } = call;
    checkFilters(call);
    const regionCode = readRegionCode(call) ?? "US";
    const channelId = query.text("channelId");
    if (channelId !== undefined && !/^UC[\w-]{22}$/.test(channelId)) {
      throw badParameter("channelId", `Invalid channel id '${channelId}'.`, "invalidChannelId");
    }
    const types = query.list("type");
    const after = query.time("publishedAfter") ?? -Infinity;
    const before = query.time("publishedBefore") ?? Infinity;
    const found = finders
      .flatMap(([type, find]) => (types.length === 0 || types.includes(type) ? find(call) : []))
      .filter(
        ({ score, publishedAt }) => score > 0 && publishedAt >= after && publishedAt <= before,
      )
      .sort((one, other) => {
        const order = query.text("order") ?? "relevance";
        if (order === "title") return one.title.localeCompare(other.title);
        const key = orders[order as keyof typeof orders];
        return other[key] - one[key];
      })
      .slice(0, maxResults);
    // An estimate that is too high, as YouTube's own: pages can't be counted by it.
    const total = Math.ceil(found.length * 1.3);
    return { ...resultResource.page(call, found, { total }), regionCode };
  },
} as const satisfies Record<string, Handler>;

/** What the greatest comes first of; titles are sorted from A to Z. */
const orders = {
  relevance: "score",
  date: "publishedAt",
  rating: "rating",
  videoCount: "videoCount",
  viewCount: "views",
} as const;

const finders = [
  ["video", findVideos],
  ["channel", findChannels],
  ["playlist", findPlaylists],
] as const;

function findVideos(call: ApiCall): FoundThing[] {
  const { query, state, origin } = call;
  const mine = query.flag("forMine");
  const only = mine ? requireViewer(call) : query.text("channelId");
  const match = readWords(query.text("q") ?? "");
  return [...state.videos.values()]
    .filter(({ privacy }) => mine || privacy === "public")
    .filter(({ channelId }) => only === undefined || channelId === only)
    .filter(passesFilters(call))
    .map((video) => {
      const { id, channelId, title, description, publishedAt, live, views } = video;
      const score = match([
        [title, 8],
        [video.tags.join(" "), 3],
        [state.channels.get(channelId)?.title ?? "", 2],
        [description, 1],
      ]);
      return {
        id: { kind: "youtube#video", videoId: id },
        channelId,
        title,
        description,
        publishedAt,
        thumbnails: videoThumbnails(origin, video),
        live: live === "completed" ? "none" : live,
        score: score === 0 ? 0 : score + Math.log10(views + 1) / 3,
        views,
        rating: (video.likes ?? 0) / (views + 1),
        videoCount: 0,
      };
    });
}

function findChannels({ query, state, origin }: ApiCall): FoundThing[] {
  const match = readWords(query.text("q") ?? "");
  const only = query.text("channelId");
  if (query.text("channelType") === "show") return [];
  return [...state.channels.values()]
    .filter(({ id }) => only === undefined || id === only)
    .map(({ id, title, handle, description, publishedAt }) => {
      const own = [...state.videos.values()].filter(({ channelId }) => channelId === id);
      return {
        id: { kind: "youtube#channel", channelId: id },
        channelId: id,
        title,
        description,
        publishedAt,
        thumbnails: channelThumbnails(origin, id),
        live: "none",
        score: match([
          [`${title} ${handle}`, 9],
          [description, 1],
        ]),
        views: own.reduce((sum, { views }) => sum + views, 0),
        rating: 0,
        videoCount: own.length,
      };
    });
}

function findPlaylists({ query, state, origin }: ApiCall): FoundThing[] {
  const match = readWords(query.text("q") ?? "");
  const only = query.text("channelId");
  return [...state.playlists.values()]
    .filter(({ privacy, items }) => privacy === "public" && items.length > 0)
    .filter(({ channelId }) => only === undefined || channelId === only)
    .map(({ id, channelId, title, description, publishedAt, items }) => ({
      id: { kind: "youtube#playlist", playlistId: id },
      channelId,
      title,
      description,
      publishedAt,
      thumbnails: videoThumbnails(origin, state.videos.get(items[0]?.videoId ?? "")),
      live: "none",
      score: match([
        [title, 5],
        [description, 1],
        [state.channels.get(channelId)?.title ?? "", 2],
      ]),
      views: 0,
      rating: 0,
      videoCount: items.length,
    }));
}
