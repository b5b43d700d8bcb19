import {
  compact,
  cut,
  link,
  type Reply,
  type ReplyItem,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import {
  largeThumbnail,
  type MethodParams,
  smallThumbnail,
  type Video,
  youtubePages,
} from "../../video/index.ts";
import { formatSince, presses } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { browse, formatFacts, itemThumbnail, viewAsChannel } from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import { categories, ownVideos, regions } from "../suggestions/index.ts";
import {
  type DetailsPageName,
  detailsPageNames,
  drawDetailsAsLines,
  findDetailsPage,
} from "./details/pages.ts";
import { defaultRegion } from "./settings.ts";

type VideoQuery = Pick<
  MethodParams<"videos.list">,
  "id" | "chart" | "myRating" | "regionCode" | "videoCategoryId" | "hl"
> & {
  /** The page of details that is shown below every video. */
  readonly details?: DetailsPageName | undefined;
};

interface ListedVideo {
  readonly video: Video;
  readonly lines: readonly Text[];
}

const listParts = ["snippet", "contentDetails", "statistics"] as const;

/** Popular videos, videos that the channel rated, or some by id. */
export const videoList = browse<"videos.list", VideoQuery, ListedVideo>({
  name: "videos.turn",
  method: "videos.list",
  uses: ["videoCategories.list"],
  params: ({ details, ...query }) => ({
    part: [...new Set([...listParts, ...(details ? findDetailsPage(details).parts : [])])],
    ...query,
  }),
  found: async (videos, ctx, { details }) => {
    const drawn = details && (await drawDetailsAsLines(ctx, details));
    return videos.map((video) => ({ video, lines: drawn?.(video) ?? [] }));
  },
  title: ({ id, myRating, regionCode = defaultRegion }, words) => {
    if (id !== undefined) return words.say("videos.list.chosen");
    if (myRating !== undefined) return words.say(`videos.list.${myRating}d`);
    return words.say("videos.list.popular", { region: words.country(regionCode) });
  },
  item: draw,
  empty: "videos.list.empty",
  columns: {
    id: "id",
    title: "snippet.title",
    channel: "snippet.channelTitle",
    channelId: "snippet.channelId",
    publishedAt: "snippet.publishedAt",
    duration: "contentDetails.duration",
    views: "statistics.viewCount",
    likes: "statistics.likeCount",
    comments: "statistics.commentCount",
    url: ({ id = "" }) => youtubePages.video(id),
    thumbnail: ({ snippet }) => largeThumbnail(snippet?.thumbnails),
  },
  isPrivate: ({ myRating, details }) =>
    myRating !== undefined || (details !== undefined && findDetailsPage(details).isOwners === true),
});

export const videoListOptions = {
  show: option.choice({ group: "video_list", values: ["popular", "liked", "disliked"] }),
  region: option.country({ covers: "regionCode", suggest: regions }),
  category: option.field("videos.list", "videoCategoryId", { suggest: categories }),
  videos: option.videos({ covers: "id", suggest: ownVideos }),
  details: option.choice({ group: "video_details", values: detailsPageNames }),
};

/** @throws InputError `conflicting_parameters`; what `viewAsChannel` throws */
export async function openVideoList(ctx: CtxFor<typeof videoListOptions>): Promise<Reply> {
  const { hl, options, settings } = ctx;
  const { show = "popular", region, category, videos: id, details } = options;
  requireOneOf({ show: options.show, videos: id });
  const isOwners = details !== undefined && findDetailsPage(details).isOwners === true;
  const seen = isOwners ? await viewAsChannel(ctx) : ctx;
  if (id !== undefined) return videoList.open(seen, { id, hl, details });
  if (show !== "popular") {
    const myRating = show === "liked" ? "like" : "dislike";
    return videoList.open(await viewAsChannel(ctx), { myRating, hl, details });
  }
  return videoList.open(seen, {
    details,
    chart: "mostPopular",
    regionCode: region ?? settings.region ?? defaultRegion,
    videoCategoryId: category,
    hl,
  });
}

function draw(
  { video, lines }: ListedVideo,
  { words, ctx }: { readonly words: Words; readonly ctx: Ctx },
): ReplyItem {
  const { id = "", snippet, contentDetails, statistics } = video;
  const title = snippet?.title ?? words.say("common.untitled");
  const views = words.short(statistics?.viewCount);
  const facts: readonly (Text | undefined)[] = [
    words.length(contentDetails?.duration) || undefined,
    views ? words.say("videos.list.views", { count: views }) : undefined,
    formatSince(snippet?.publishedAt),
  ];
  return {
    title: link(cut(title, 90), youtubePages.video(id)),
    lines: [
      ...(snippet?.channelTitle === undefined ? [] : [cut(snippet.channelTitle, 60)]),
      ...formatFacts(facts),
      ...lines,
    ],
    ...itemThumbnail(title, smallThumbnail(snippet?.thumbnails), words),
    buttons: compact([
      { label: words.say("cards.details"), press: presses.video.details(id) },
      reaches(ctx.rank, "manager") && {
        label: words.say("cards.add_to_playlist"),
        press: presses.video.addToPlaylist([id]),
      },
    ]),
  };
}

/** The categories of one country, or some by id. */
export const videoCategoryList = browse<"videoCategories.list", CategoryQuery>({
  name: "videos.turn-categories",
  method: "videoCategories.list",
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
    // Most categories can be assigned to a video, so only the others have a line that says they can't.
    lines: snippet?.assignable === true ? [] : [words.say("videos.categories.closed")],
  }),
  empty: (words, query) =>
    words.say("ids" in query ? "videos.categories.none_of_these" : "videos.categories.empty"),
  columns: {
    id: "id",
    title: "snippet.title",
    assignable: "snippet.assignable",
  },
  perPage: 15,
});

export const videoCategoryOptions = {
  region: option.country({ covers: "regionCode", suggest: regions }),
  categories: option.ids({ of: "category", covers: "id", suggest: categories }),
};

/** @throws InputError `conflicting_parameters` */
export async function openVideoCategories(
  ctx: CtxFor<typeof videoCategoryOptions>,
): Promise<Reply> {
  const { region, categories: ids } = ctx.options;
  requireOneOf({ region, categories: ids });
  if (ids !== undefined) return videoCategoryList.open(ctx, { ids });
  return videoCategoryList.open(ctx, {
    regionCode: region ?? ctx.settings.region ?? defaultRegion,
  });
}

type CategoryQuery = { readonly regionCode: string } | { readonly ids: readonly string[] };
