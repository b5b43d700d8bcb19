import {
  cut,
  link,
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
  pages,
  type SearchResult,
  smallThumbnail,
} from "../../video/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import { formatSince, presses, unescapeHtml, valueName } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { type Extra, requiredBeside } from "../extra/index.ts";
import { browse, formatFacts, itemThumbnail, viewAsChannel } from "../lists/index.ts";
import { requireDateOrder } from "../options/index.ts";
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
  found: async (items, ctx) => withLengths(ctx, items.map(foundOf)),
  title: titleOf,
  item: (found, { words, ctx }) => draw(found, words, reaches(ctx.rank, "manager")),
  empty: (words) => words.say("search.empty"),
  columns: {
    kind: ({ id }) => hitOf(id)?.kind,
    id: ({ id }) => hitOf(id)?.id,
    title: ({ snippet }) => snippet?.title && unescapeHtml(snippet.title),
    channel: ({ snippet }) => snippet?.channelTitle && unescapeHtml(snippet.channelTitle),
    channelId: ({ snippet }) => snippet?.channelId,
    publishedAt: ({ snippet }) => snippet?.publishedAt,
    description: ({ snippet }) => snippet?.description && unescapeHtml(snippet.description),
    url: ({ id }) => addressOf(id),
    thumbnail: ({ snippet }) => largeThumbnail(snippet?.thumbnails),
  },
  isPrivate: ({ forMine }) => forMine === true,
});

interface SearchOptions {
  readonly query?: string | undefined;
  readonly type?: SearchKind | undefined;
  readonly channel?: ChannelRef | undefined;
  readonly order?: SearchQuery["order"];
  readonly length?: SearchQuery["videoDuration"];
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  readonly region?: string | undefined;
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  readonly live?: SearchQuery["eventType"];
  readonly captions?: SearchQuery["videoCaption"];
  readonly definition?: SearchQuery["videoDefinition"];
  readonly license?: SearchQuery["videoLicense"];
  readonly safe_search?: SearchQuery["safeSearch"];
  readonly near?: string | undefined;
  readonly within?: string | undefined;
  readonly mine?: boolean | undefined;
}

/** @throws InputError `date_order`, `nothing_sought`; what `findChannel` throws */
async function open(ctx: Ctx, options: SearchOptions): Promise<Reply> {
  const { query, type, channel, mine, near, within, ...filters } = options;
  requireDateOrder(filters.after, filters.before);
  requireSearchFilter(options, ctx.extra);
  const found = channel === undefined ? undefined : await findChannel(ctx, channel);
  const wanted: SearchQuery = {
    q: query,
    type: type === undefined ? undefined : [type],
    channelId: found?.id,
    order: filters.order,
    videoDuration: filters.length,
    publishedAfter: filters.after?.toISOString(),
    publishedBefore: filters.before?.toISOString(),
    regionCode: filters.region ?? ctx.settings.region,
    relevanceLanguage: filters.language,
    videoCategoryId: filters.category,
    eventType: filters.live,
    videoCaption: filters.captions,
    videoDefinition: filters.definition,
    videoLicense: filters.license,
    safeSearch: filters.safe_search,
    location: near,
    locationRadius: within ?? (near === undefined ? undefined : "50km"),
    forMine: mine === true ? true : undefined,
  };
  const typed = { ...wanted, type: wanted.type ?? typeFor(wanted, ctx) };
  const view = mine === true ? await viewAsChannel(ctx) : ctx;
  return withTimeZone(ctx, await results.open(view, typed), filters.after, filters.before);
}

export const youtubeSearch = { kinds, open, actions: results.actions } as const;

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

/** The service accepts filters that only videos have, like length, only together with the type `video`. */
function typeFor(query: SearchQuery, { extra }: Ctx<unknown>): SearchQuery["type"] {
  const filters = Object.entries({ ...query, ...extra.query });
  const names = filters.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const { type } = requiredBeside("search.list", names);
  return type === undefined ? undefined : [type as SearchKind];
}

function hitOf(id: SearchResult["id"] | undefined): Pick<SearchHit, "kind" | "id"> | undefined {
  const { videoId, channelId, playlistId } = id ?? {};
  if (videoId !== undefined) return { kind: "video", id: videoId };
  if (channelId !== undefined) return { kind: "channel", id: channelId };
  return playlistId === undefined ? undefined : { kind: "playlist", id: playlistId };
}

function addressOf(id: SearchResult["id"]): string | undefined {
  const hit = hitOf(id);
  return hit && pages[hit.kind](hit.id);
}

function foundOf({ id, snippet }: SearchResult): SearchHit | undefined {
  const hit = hitOf(id);
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

function titleOf({ q, forMine }: SearchQuery, words: Words): string {
  if (q === undefined) return words.say(forMine === true ? "search.own" : "search.all");
  const query = cut(q, 80);
  return words.say(forMine === true ? "search.own_results" : "search.results", { query });
}

function draw(found: SearchHit, words: Words, isManager: boolean): ReplyItem {
  const { kind, id, channel, thumbnail } = found;
  const description = cut(found.description.replaceAll(/\s+/gu, " ").trim(), maxDescriptionChars);
  const title = found.title || words.say("common.untitled");
  const facts: readonly (Text | undefined)[] = [
    kind === "video" ? undefined : words.say(`search.${kind}`),
    found.length ?? liveState(found.live, words),
    formatSince(found.publishedAt),
  ];
  return {
    title: link(cut(title, 90), pages[kind](id)),
    lines: [
      ...(channel === undefined || kind === "channel" ? [] : [cut(channel, 60)]),
      ...formatFacts(facts),
      ...(description === "" ? [] : [description]),
    ],
    ...itemThumbnail(title, thumbnail, words),
    buttons: [
      { label: words.say("cards.details"), press: presses[kind].details(id) },
      ...(kind === "video" && isManager
        ? [{ label: words.say("cards.add_to_playlist"), press: presses.video.addToPlaylist([id]) }]
        : []),
    ],
  };
}

function liveState(live: string | undefined, words: Words): string | undefined {
  return live === "live" || live === "upcoming" ? valueName(words, "live", live) : undefined;
}
