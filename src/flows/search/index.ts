import {
  browse,
  type ChannelRef,
  type Ctx,
  cut,
  type Extra,
  type Item,
  largeThumbnail,
  link,
  named,
  neededBeside,
  pages,
  presses,
  type Reply,
  reaches,
  since,
  smallThumbnail,
  type Text,
  unescapeHtml,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Params, SearchResult } from "../../video/index.ts";
import { findChannel } from "../channels/index.ts";
import { factLine, itemThumbnail, ownView } from "../lists/index.ts";
import { requireOrder } from "../options/index.ts";

const kinds = ["video", "channel", "playlist"] as const;
type Kind = (typeof kinds)[number];

type Query = Omit<Params<"search.list">, "part">;

/** Characters of a description; with five of them a page fits into a message. */
const descriptionChars = 140;

interface Found {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly channel?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly live?: string | undefined;
  readonly length?: string | undefined;
  readonly thumbnail?: string | undefined;
}

const results = browse<"search.list", Query, Found>({
  name: "search.turn",
  row: "search.list",
  uses: ["videos.list"],
  params: (query) => ({ part: ["snippet"], ...query }),
  found: async (items, ctx) => withLengths(ctx, items.flatMap(foundOf)),
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
  readonly type?: Kind | undefined;
  readonly channel?: ChannelRef | undefined;
  readonly order?: Query["order"];
  readonly length?: Query["videoDuration"];
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  readonly region?: string | undefined;
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  readonly live?: Query["eventType"];
  readonly captions?: Query["videoCaption"];
  readonly definition?: Query["videoDefinition"];
  readonly license?: Query["videoLicense"];
  readonly safe_search?: Query["safeSearch"];
  readonly near?: string | undefined;
  readonly within?: string | undefined;
  readonly mine?: boolean | undefined;
}

/** @throws InputError `date_order`, `nothing_sought`; what `findChannel` throws */
async function open(ctx: Ctx, options: SearchOptions): Promise<Reply> {
  const { query, type, channel, mine, near, within, ...filters } = options;
  requireOrder(filters.after, filters.before);
  requireSearchFilter(options, ctx.extra);
  const found = channel === undefined ? undefined : await findChannel(ctx, channel);
  const asked: Query = {
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
  const typed = { ...asked, type: asked.type ?? typeFor(asked, ctx) };
  return results.open(mine === true ? await ownView(ctx) : ctx, typed);
}

export const search = { kinds, open, actions: results.actions } as const;

/** Options and parameters that say how results come, and not which ones. */
const ways: ReadonlySet<string> = new Set([
  "order",
  "safe_search",
  "language",
  "region",
  "maxResults",
  "pageToken",
]);

/**
 * A search for nothing returns arbitrary results, and costs one of a day's hundred searches.
 * @throws InputError `nothing_sought` where neither words nor a filter were given
 */
function requireSearchFilter(options: SearchOptions, extra: Extra): void {
  const given = Object.entries(options).filter(([, value]) => Boolean(value));
  const filters = [...given.map(([name]) => name), ...Object.keys(extra.query)];
  if (filters.some((name) => !ways.has(name))) return;
  throw new InputError("neither words nor a filter", {
    code: "nothing_sought",
  });
}

/** The service accepts filters on what only videos have only together with that type. */
function typeFor(asked: Query, { extra }: Ctx<unknown>): Query["type"] {
  const filters = Object.entries({ ...asked, ...extra.query });
  const names = filters.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const { type } = neededBeside("search.list", names);
  return type === undefined ? undefined : [type as Kind];
}

function hitOf(id: SearchResult["id"] | undefined): Pick<Found, "kind" | "id"> | undefined {
  const { videoId, channelId, playlistId } = id ?? {};
  if (videoId !== undefined) return { kind: "video", id: videoId };
  if (channelId !== undefined) return { kind: "channel", id: channelId };
  return playlistId === undefined ? undefined : { kind: "playlist", id: playlistId };
}

function addressOf(id: SearchResult["id"]): string | undefined {
  const hit = hitOf(id);
  return hit && pages[hit.kind](hit.id);
}

function foundOf({ id, snippet }: SearchResult): readonly Found[] {
  const hit = hitOf(id);
  if (hit === undefined) return [];
  const channel = snippet?.channelTitle;
  return [
    {
      ...hit,
      title: unescapeHtml(snippet?.title ?? ""),
      description: unescapeHtml(snippet?.description ?? ""),
      channel: channel === undefined ? undefined : unescapeHtml(channel),
      publishedAt: snippet?.publishedAt,
      live: snippet?.liveBroadcastContent,
      thumbnail: smallThumbnail(snippet?.thumbnails),
    },
  ];
}

/** A search does not return the length of videos; one unit reads it for the whole page. */
async function withLengths(ctx: Ctx<unknown>, found: readonly Found[]): Promise<readonly Found[]> {
  const id = found.filter(({ kind }) => kind === "video").map((video) => video.id);
  if (id.length === 0) return found;
  const wanted = { part: ["contentDetails"], id } as const;
  const { items } = await ctx.video.call("videos.list", wanted, { signal: ctx.signal });
  const lengths = new Map(
    items.map((video) => [video.id, ctx.words.length(video.contentDetails?.duration)]),
  );
  return found.map((one) => ({ ...one, length: lengths.get(one.id) }));
}

function titleOf({ q, forMine }: Query, words: Words): string {
  if (q === undefined) return words.say(forMine === true ? "search.own" : "search.all");
  const query = cut(q, 80);
  return words.say(forMine === true ? "search.own_results" : "search.results", { query });
}

function draw(found: Found, words: Words, isManager: boolean): Item {
  const { kind, id, channel, thumbnail } = found;
  const description = cut(found.description.replaceAll(/\s+/gu, " ").trim(), descriptionChars);
  const title = found.title || words.say("common.untitled");
  const facts: readonly (Text | undefined)[] = [
    kind === "video" ? undefined : words.say(`search.${kind}`),
    found.length ?? liveState(found.live, words),
    since(found.publishedAt),
  ];
  return {
    title: link(cut(title, 90), pages[kind](id)),
    lines: [
      ...(channel === undefined || kind === "channel" ? [] : [cut(channel, 60)]),
      ...factLine(facts),
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
  return live === "live" || live === "upcoming" ? named(words, "live", live) : undefined;
}
