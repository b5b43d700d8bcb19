import {
  cut,
  link,
  type OptionsOf,
  type Reply,
  type ReplyItem,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  largeThumbnail,
  type MethodParams,
  type SearchResult,
  smallThumbnail,
  youtubePages,
} from "../../video/index.ts";
import { formatSince, presses, unescapeHtml, valueName } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { coveredParams, option } from "../declarations/index.ts";
import { type Extra, requiredBeside } from "../extra/index.ts";
import { browse, formatFacts, itemThumbnail, viewAsChannel } from "../lists/index.ts";
import { requireDateOrder } from "../options/index.ts";
import * as suggest from "../suggestions/index.ts";
import { withTimeZone } from "../time-zone/index.ts";

const kinds = ["video", "channel", "playlist"] as const;
type SearchKind = (typeof kinds)[number];

type SearchQuery = Omit<MethodParams<"search.list">, "part">;

/** With descriptions of this length, a page of five results fits into a message. */
const maxDescriptionChars = 140;

interface SearchHit {
  readonly kind: SearchKind;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly channel?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly live?: string | undefined;
  readonly length?: string | undefined;
  readonly thumbnail?: string | undefined;
}

const results = browse<"search.list", SearchQuery, SearchHit>({
  name: "search.turn",
  method: "search.list",
  uses: ["videos.list"],
  params: (query) => ({ part: ["snippet"], ...query }),
  found: async (items, ctx) => withLengths(ctx, items.map(readHit)),
  title: ({ q, forMine = false }, words) => {
    if (q === undefined) return words.say(forMine ? "search.own" : "search.all");
    const query = cut(q, 80);
    return words.say(forMine ? "search.own_results" : "search.results", { query });
  },
  item: draw,
  empty: "search.empty",
  columns: {
    kind: ({ id }) => parseHit(id)?.kind,
    id: ({ id }) => parseHit(id)?.id,
    title: ({ snippet }) => snippet?.title && unescapeHtml(snippet.title),
    channel: ({ snippet }) => snippet?.channelTitle && unescapeHtml(snippet.channelTitle),
    channelId: "snippet.channelId",
    publishedAt: "snippet.publishedAt",
    description: ({ snippet }) => snippet?.description && unescapeHtml(snippet.description),
    url: ({ id }) => {
      const hit = parseHit(id);
      return hit && youtubePages[hit.kind](hit.id);
    },
    thumbnail: ({ snippet }) => largeThumbnail(snippet?.thumbnails),
  },
  isPrivate: ({ forMine }) => forMine === true,
});

const searchOptions = {
  query: option.text({ max: 300, covers: "q" }),
  type: option.choice({ group: "kind", values: kinds, covers: "type" }),
  channel: option.channel({ covers: "channelId", suggest: suggest.channels }),
  order: option.field("search.list", "order", { group: "search_order" }),
  length: option.choice({
    group: "video_length",
    values: ["short", "medium", "long"],
    covers: "videoDuration",
  }),
  after: option.date({ must: "past", covers: "publishedAfter" }),
  before: option.date({ covers: "publishedBefore", suggest: suggest.dates }),
  region: option.country({ covers: "regionCode", suggest: suggest.regions }),
  language: option.language({ covers: "relevanceLanguage", suggest: suggest.languages }),
  category: option.field("search.list", "videoCategoryId", { suggest: suggest.categories }),
  live: option.field("search.list", "eventType", { group: "live_state" }),
  captions: option.choice({
    group: "search_captions",
    values: ["closedCaption", "none"],
    covers: "videoCaption",
  }),
  definition: option.choice({
    group: "definition",
    values: ["high", "standard"],
    covers: "videoDefinition",
  }),
  license: option.choice({
    group: "license",
    values: ["youtube", "creativeCommon"],
    covers: "videoLicense",
  }),
  safe_search: option.field("search.list", "safeSearch", { group: "safe_search" }),
  near: option.location({ covers: "location" }),
  within: option.radius({ covers: "locationRadius" }),
  mine: option.flag({ covers: "forMine" }),
};

type SearchOptions = OptionsOf<typeof searchOptions>;

/** @throws InputError `date_order`, `nothing_sought`; what `findChannel` throws */
async function open(ctx: CtxFor<typeof searchOptions>): Promise<Reply> {
  const { options } = ctx;
  const { channel, after, before, near, region = ctx.settings.region } = options;
  requireDateOrder(after, before);
  requireSearchFilter(options, ctx.extra);
  const { within = near && "50km", mine = false } = options;
  const channelId = channel && (await findChannel(ctx, channel)).id;
  const values = { ...options, channel: channelId, region, within, mine: mine || undefined };
  const wanted: SearchQuery = coveredParams("search.list", searchOptions, values).query;
  const typed = { ...wanted, type: wanted.type ?? typeFor(wanted, ctx) };
  const view = mine ? await viewAsChannel(ctx) : ctx;
  return withTimeZone(ctx, await results.open(view, typed), after, before);
}

export const youtubeSearch = { options: searchOptions, open, actions: results.actions } as const;

/** Options and parameters that change how results are shown, but not which ones are found. */
const resultOptions: ReadonlySet<string> = new Set([
  "order",
  "safe_search",
  "language",
  "region",
  "maxResults",
  "pageToken",
]);

/**
 * A search for nothing returns arbitrary results, and costs one of the day's hundred searches.
 * @throws InputError `nothing_sought` if there are neither words nor a filter
 */
function requireSearchFilter(options: SearchOptions, extra: Extra): void {
  const usedFilters = Object.entries(options).filter(([, value]) => Boolean(value));
  const filters = [...usedFilters.map(([name]) => name), ...Object.keys(extra.query)];
  if (filters.some((name) => !resultOptions.has(name))) return;
  throw new InputError("neither words nor a filter", { code: "nothing_sought" });
}

/** YouTube accepts filters that only videos have, like length, only together with the type `video`. */
function typeFor(query: SearchQuery, { extra }: Ctx<unknown>): SearchQuery["type"] {
  const filters = Object.entries({ ...query, ...extra.query });
  const names = filters.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const { type } = requiredBeside("search.list", names);
  return type === undefined ? undefined : [type as SearchKind];
}

function parseHit(id: SearchResult["id"] | undefined): Pick<SearchHit, "kind" | "id"> | undefined {
  const { videoId, channelId, playlistId } = id ?? {};
  if (videoId !== undefined) return { kind: "video", id: videoId };
  if (channelId !== undefined) return { kind: "channel", id: channelId };
  return playlistId === undefined ? undefined : { kind: "playlist", id: playlistId };
}

function readHit({ id, snippet }: SearchResult): SearchHit | undefined {
  const hit = parseHit(id);
  if (hit === undefined) return undefined;
  const channel = snippet?.channelTitle;
  return {
    ...hit,
    title: unescapeHtml(snippet?.title ?? ""),
    description: unescapeHtml(snippet?.description ?? ""),
    channel: channel === undefined ? undefined : unescapeHtml(channel),
    publishedAt: snippet?.publishedAt,
    live: snippet?.liveBroadcastContent,
    thumbnail: smallThumbnail(snippet?.thumbnails),
  };
}

/** A search does not return the length of videos; one more unit reads it for all that it found. */
async function withLengths(
  ctx: Ctx<unknown>,
  found: readonly (SearchHit | undefined)[],
): Promise<readonly (SearchHit | undefined)[]> {
  const id = found.flatMap((one) => (one?.kind === "video" ? [one.id] : []));
  if (id.length === 0) return found;
  const wanted = { part: ["contentDetails"], id } as const;
  const { items } = await ctx.video.call("videos.list", wanted, { signal: ctx.signal });
  const lengths = new Map(
    items.map((video) => [video.id, ctx.words.length(video.contentDetails?.duration)]),
  );
  return found.map((one) => one && { ...one, length: lengths.get(one.id) });
}

function draw(
  found: SearchHit,
  { words, ctx }: { readonly words: Words; readonly ctx: Ctx },
): ReplyItem {
  const { kind, id, channel, thumbnail } = found;
  const description = cut(found.description.replaceAll(/\s+/gu, " ").trim(), maxDescriptionChars);
  const title = found.title || words.say("common.untitled");
  const isLive = found.live === "live" || found.live === "upcoming";
  const facts: readonly (Text | undefined)[] = [
    kind === "video" ? undefined : words.say(`search.${kind}`),
    found.length ?? (isLive ? valueName(words, "live", found.live) : undefined),
    formatSince(found.publishedAt),
  ];
  return {
    title: link(cut(title, 90), youtubePages[kind](id)),
    lines: [
      ...(channel === undefined || kind === "channel" ? [] : [cut(channel, 60)]),
      ...formatFacts(facts),
      ...(description === "" ? [] : [description]),
    ],
    ...itemThumbnail(title, thumbnail, words),
    buttons: [
      { label: words.say("cards.details"), press: presses[kind].details(id) },
      ...(kind === "video" && reaches(ctx.rank, "manager")
        ? [{ label: words.say("cards.add_to_playlist"), press: presses.video.addToPlaylist([id]) }]
        : []),
    ],
  };
}
