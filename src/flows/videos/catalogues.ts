import { browse, type Ctx, cut, link, named, pages, type Reply } from "../../discord/index.ts";
import { requireOneOf } from "../options/index.ts";
import { defaultRegion } from "./settings.ts";

/** The channel's ratings of some videos. */
export const ratings = browse<"videos.getRating", { readonly id: readonly string[] }, Rated>({
  name: "videos.turn-ratings",
  row: "videos.getRating",
  uses: ["videos.list"],
  params: ({ id }) => ({ id }),
  found: async (items, ctx) => {
    const id = items.flatMap(({ videoId }) => videoId ?? []);
    if (id.length === 0) return [];
    const wanted = { part: ["snippet"], id } as const;
    const { items: videos } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
    const titles = new Map(videos.map((video) => [video.id, video.snippet?.title]));
    return items.map(({ videoId = "", rating }) => ({
      id: videoId,
      rating,
      title: titles.get(videoId),
    }));
  },
  title: (_, words) => words.say("videos.ratings.title"),
  item: ({ id, rating, title = id }, { words }) => ({
    title: link(cut(title, 90), pages.video(id)),
    lines: [named(words, "given_rating", rating) ?? ""],
  }),
  empty: (words) => words.say("videos.ratings.empty"),
  columns: { id: ({ videoId }) => videoId, rating: ({ rating }) => rating },
  isPrivate: () => true,
  perPage: 10,
});

interface Rated {
  readonly id: string;
  readonly rating: string | undefined;
  readonly title: string | undefined;
}

/** The categories of one country, or some by their ids. */
export const categories = browse<"videoCategories.list", CategoryQuery>({
  name: "videos.turn-categories",
  row: "videoCategories.list",
  params: (query, { hl }) => {
    const part = ["snippet"] as const;
    return "ids" in query
      ? { part, id: query.ids, hl }
      : { part, regionCode: query.regionCode, hl };
  },
  title: (query, words) =>
    "ids" in query
      ? words.say("videos.categories.chosen")
      : words.say("videos.categories.title", { region: words.country(query.regionCode) }),
  item: ({ id = "", snippet }, { words }) => ({
    title: snippet?.title ?? id,
    // Most categories can be assigned to a video, so only the others say that they can't.
    lines: snippet?.assignable === true ? [] : [words.say("videos.categories.closed")],
  }),
  empty: (words, query) =>
    words.say("ids" in query ? "videos.categories.none_of_these" : "videos.categories.empty"),
  columns: {
    id: ({ id }) => id,
    title: ({ snippet }) => snippet?.title,
    assignable: ({ snippet }) => snippet?.assignable,
  },
  perPage: 15,
});

interface CategoryOptions {
  readonly region?: string | undefined;
  readonly categories?: readonly string[] | undefined;
}

/** @throws InputError `conflicting_parameters` */
export async function openCategories(ctx: Ctx, options: CategoryOptions): Promise<Reply> {
  const { region, categories: ids } = options;
  requireOneOf({ region, categories: ids });
  if (ids !== undefined) return categories.open(ctx, { ids });
  return categories.open(ctx, { regionCode: region ?? ctx.settings.region ?? defaultRegion });
}

type CategoryQuery = { readonly regionCode: string } | { readonly ids: readonly string[] };

/** What a video can be reported for. */
export const reportReasons = browse<"videoAbuseReportReasons.list", null>({
  name: "videos.turn-reasons",
  row: "videoAbuseReportReasons.list",
  params: (_, { hl }) => ({ part: ["id", "snippet"], hl }),
  title: (_, words) => words.say("videos.reasons.title"),
  item: ({ id = "", snippet }, { words }) => ({
    title: snippet?.label ?? id,
    lines:
      (snippet?.secondaryReasons ?? []).length === 0
        ? []
        : [words.list((snippet?.secondaryReasons ?? []).flatMap(({ label }) => label ?? []))],
  }),
  empty: (words) => words.say("videos.reasons.empty"),
  columns: {
    id: ({ id }) => id,
    label: ({ snippet }) => snippet?.label,
    secondary: ({ snippet }) =>
      snippet?.secondaryReasons?.map(({ id, label }) => `${id}: ${label}`).join("; "),
  },
  isPrivate: () => true,
  perPage: 10,
});
