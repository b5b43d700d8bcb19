import {
  action,
  browse,
  type Choice,
  type Ctx,
  channelCard,
  clockTime,
  command,
  cut,
  gone,
  type Item,
  join,
  link,
  option,
  pages,
  perPage,
  playlistCard,
  type Reply,
  type SuggestCtx,
  smallThumbnail,
  subcommand,
  time,
  unescapeHtml,
  videoCard,
} from "../src/discord/index.ts";
import type { ResourceId } from "../src/video/index.ts";

type Kind = "video" | "channel" | "playlist";

interface Found {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly channel?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly length?: string | undefined;
  readonly thumbnail?: string | undefined;
}

const choices = {
  type: [
    { name: "Videos", value: "video" },
    { name: "Channels", value: "channel" },
    { name: "Playlists", value: "playlist" },
  ],
  order: [
    { name: "Most relevant", value: "relevance" },
    { name: "Newest", value: "date" },
    { name: "Most viewed", value: "viewCount" },
    { name: "Best rated", value: "rating" },
    { name: "By title", value: "title" },
  ],
  duration: [
    { name: "Under 4 minutes", value: "short" },
    { name: "4 to 20 minutes", value: "medium" },
    { name: "Over 20 minutes", value: "long" },
  ],
  safeSearch: [
    { name: "Moderate", value: "moderate" },
    { name: "Strict", value: "strict" },
    { name: "Off", value: "none" },
  ],
} as const;

interface Query {
  readonly q: string;
  readonly type?: readonly Kind[] | undefined;
  readonly order?: (typeof choices.order)[number]["value"] | undefined;
  readonly videoDuration?: (typeof choices.duration)[number]["value"] | undefined;
  readonly safeSearch?: (typeof choices.safeSearch)[number]["value"] | undefined;
  readonly regionCode?: string | undefined;
}

const results = browse<Query, Found>({
  name: "search.turn",
  row: "search.list",
  look,
  title: ({ q }) => `Results for “${cut(q, 80)}”`,
  item: drawFound,
  empty: "Nothing was found. Try fewer words, or take filters away.",
});

const details = action<{ readonly kind: Kind; readonly id: string }>({
  name: "search.details",
  answer: "private",
  by: "anyone",
  row: "videos.list",
  run: (ctx, { kind, id }) => cards[kind](ctx, id),
});

export default command({
  run: subcommand({
    description: "Search videos, channels and playlists",
    row: "search.list",
    options: {
      query: option.text({
        description: "What to look for; -word leaves a word out, | means or",
        required: true,
        max: 300,
      }),
      type: option.choice({
        description: "Only this kind; all kinds otherwise",
        choices: choices.type,
      }),
      order: option.choice({ description: "What comes first", choices: choices.order }),
      duration: option.choice({
        description: "Only videos of this length",
        choices: choices.duration,
      }),
      region: option.country({
        description: "Only what can be watched in this country",
        suggest: countries,
      }),
      safe_search: option.choice({
        description: "How strictly adult content is left out",
        choices: choices.safeSearch,
      }),
    },
    run: (ctx) => {
      const { query, type, order, duration, region, safe_search } = ctx.options;
      // The service takes a length filter only together with type=video.
      const kind = duration === undefined ? type : "video";
      return results.open(ctx, {
        q: query,
        type: kind === undefined ? undefined : [kind],
        order,
        videoDuration: duration,
        safeSearch: safe_search,
        regionCode: region,
      });
    },
  }),
  actions: [results.turn, details],
});

async function look(ctx: Ctx, query: Query, pageToken: string | undefined) {
  const wanted = { part: ["snippet"], maxResults: perPage, pageToken, ...query } as const;
  const { items, nextPageToken: next } = await ctx.video.call("search.list", wanted, ctx);
  const found = items.flatMap(({ id, snippet }): Found[] => {
    const hit = hitOf(id);
    if (hit === undefined) return [];
    const channel = snippet?.channelTitle;
    return [
      {
        ...hit,
        title: unescapeHtml(snippet?.title ?? "Untitled"),
        channel: channel === undefined ? undefined : unescapeHtml(channel),
        publishedAt: snippet?.publishedAt,
        thumbnail: smallThumbnail(snippet?.thumbnails),
      },
    ];
  });
  return { found: await withLengths(ctx, found), ...(next === undefined ? {} : { next }) };
}

function hitOf({ videoId, channelId, playlistId }: ResourceId) {
  if (videoId !== undefined) return { kind: "video", id: videoId } as const;
  if (channelId !== undefined) return { kind: "channel", id: channelId } as const;
  return playlistId === undefined ? undefined : ({ kind: "playlist", id: playlistId } as const);
}

/** Search does not tell how long a video is; one unit tells it for the whole page. */
async function withLengths(ctx: Ctx, found: readonly Found[]): Promise<readonly Found[]> {
  const id = found.filter(({ kind }) => kind === "video").map((video) => video.id);
  if (id.length === 0) return found;
  const { items } = await ctx.video.call("videos.list", { part: ["contentDetails"], id }, ctx);
  const lengths = new Map(
    items.map((video) => [video.id, clockTime(video.contentDetails?.duration)]),
  );
  return found.map((one) => ({ ...one, length: lengths.get(one.id) }));
}

const kindNames = { video: undefined, channel: "Channel", playlist: "Playlist" } as const;

function drawFound(found: Found): Item {
  const { kind, id, title, channel, publishedAt, length, thumbnail } = found;
  const age = publishedAt === undefined ? undefined : time(new Date(publishedAt));
  const facts = [kindNames[kind], length, age].filter((fact) => fact !== undefined);
  return {
    title: link(cut(title, 90), pages[kind](id)),
    lines: [
      ...(channel === undefined || kind === "channel" ? [] : [cut(channel, 60)]),
      ...(facts.length === 0 ? [] : [join(facts, " · ")]),
    ],
    ...(thumbnail === undefined
      ? {}
      : { thumbnail: { url: thumbnail, alt: `Thumbnail of ${cut(title, 80)}` } }),
    buttons: [{ label: "Details", press: details.press({ kind, id }) }],
  };
}

const cards: Readonly<Record<Kind, (ctx: Ctx, id: string) => Promise<Reply>>> = {
  video: async (ctx, id) => {
    const part = ["snippet", "contentDetails", "statistics"] as const;
    const { items } = await ctx.video.call("videos.list", { part, id: [id] }, ctx);
    return items[0] === undefined ? gone("video") : videoCard(items[0], ctx.locale);
  },
  channel: async (ctx, id) => {
    const part = ["snippet", "statistics"] as const;
    const { items } = await ctx.video.call("channels.list", { part, id: [id] }, ctx);
    return items[0] === undefined ? gone("channel") : channelCard(items[0], ctx.locale);
  },
  playlist: async (ctx, id) => {
    const part = ["snippet", "contentDetails", "status"] as const;
    const { items } = await ctx.video.call("playlists.list", { part, id: [id] }, ctx);
    return items[0] === undefined ? gone("playlist") : playlistCard(items[0], ctx.locale);
  },
};

const day = 24 * 3_600_000;

/** The service's countries, by their names in the person's language. */
async function countries(typed: string, ctx: SuggestCtx): Promise<readonly Choice[]> {
  const codes = await ctx.recall("countries", day, async () => {
    const { items } = await ctx.video.call("i18nRegions.list", { part: ["snippet"] }, ctx);
    return items.flatMap(({ snippet }) => (snippet?.gl === undefined ? [] : [snippet.gl]));
  });
  const names = new Intl.DisplayNames(ctx.locale, { type: "region" });
  const lower = (text: string) => text.toLocaleLowerCase(ctx.locale);
  return codes
    .map((code) => ({ name: names.of(code) ?? code, value: code }))
    .filter(({ name, value }) => lower(`${value} ${name}`).includes(lower(typed)))
    .sort((a, b) => a.name.localeCompare(b.name, ctx.locale));
}
