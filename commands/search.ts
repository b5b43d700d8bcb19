import {
  browse,
  type Ctx,
  command,
  cut,
  type Item,
  join,
  largeThumbnail,
  link,
  named,
  neededBeside,
  option,
  pages,
  presses,
  reaches,
  since,
  smallThumbnail,
  subcommand,
  suggest,
  type Text,
  unescapeHtml,
  type Words,
} from "../src/discord/index.ts";
import { findChannel, ownView, requireOrder, requireSearchFilter } from "../src/flows/index.ts";
import type { Params, SearchResult } from "../src/video/index.ts";

type Kind = "video" | "channel" | "playlist";

type Query = Omit<Params<"search.list">, "part">;

/** Of a description; with five of them a page stays within what a message holds. */
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

export default command({
  run: subcommand({
    row: "search.list",
    uses: ["videos.list", "channels.list"],
    decides: ["part"],
    options: {
      query: option.text({ max: 300, covers: "q" }),
      type: option.choice({
        group: "kind",
        values: ["video", "channel", "playlist"],
        covers: "type",
      }),
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
    },
    run: async (ctx) => {
      const { query, type, channel, mine, near, within, ...filters } = ctx.options;
      requireOrder(filters.after, filters.before);
      requireSearchFilter(ctx);
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
    },
  }),
  actions: results.actions,
});

/** Filters on what only videos have are taken only beside that type. */
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

/** Search does not tell how long a video is; one unit tells it for the whole page. */
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
  const known = facts.filter((fact) => fact !== undefined);
  return {
    title: link(cut(title, 90), pages[kind](id)),
    lines: [
      ...(channel === undefined || kind === "channel" ? [] : [cut(channel, 60)]),
      ...(known.length === 0 ? [] : [join(known, " · ")]),
      ...(description === "" ? [] : [description]),
    ],
    ...(thumbnail === undefined
      ? {}
      : {
          thumbnail: {
            url: thumbnail,
            alt: words.say("common.thumbnail_of", { title: cut(title, 80) }),
          },
        }),
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
