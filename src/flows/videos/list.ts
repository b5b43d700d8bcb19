import {
  browse,
  type Ctx,
  compact,
  cut,
  type Item,
  link,
  pages,
  presses,
  type Reply,
  reaches,
  since,
  smallThumbnail,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { largeThumbnail, type Params, type Video } from "../../video/index.ts";
import { factLine, itemThumbnail, ownView } from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import { type DetailsName, detailsPage, linesWith } from "./details/pages.ts";
import { defaultRegion } from "./settings.ts";

/** One of the three filters. */
type VideoQuery = Pick<
  Params<"videos.list">,
  "id" | "chart" | "myRating" | "regionCode" | "videoCategoryId" | "hl"
> & {
  /** The page of details that is shown with every video. */
  readonly details?: DetailsName | undefined;
};

interface Listed {
  readonly video: Video;
  readonly lines: readonly Text[];
}

const listParts = ["snippet", "contentDetails", "statistics"] as const;

/** Popular videos, those that the channel rated, or some by id. */
export const videoList = browse<"videos.list", VideoQuery, Listed>({
  name: "videos.turn",
  row: "videos.list",
  uses: ["videoCategories.list"],
  params: ({ details, ...query }) => ({
    part: [...new Set([...listParts, ...(details ? detailsPage(details).parts : [])])],
    ...query,
  }),
  found: async (videos, ctx, { details }) => {
    const drawn = details && (await linesWith(ctx, details));
    return videos.map((video) => ({ video, lines: drawn?.(video) ?? [] }));
  },
  title: titleOf,
  item: ({ video, lines }, { words, ctx }) => {
    const item = draw(video, words, reaches(ctx.rank, "manager"));
    return { ...item, lines: [...item.lines, ...lines] };
  },
  empty: (words) => words.say("videos.list.empty"),
  columns: {
    id: ({ id }) => id,
    title: ({ snippet }) => snippet?.title,
    channel: ({ snippet }) => snippet?.channelTitle,
    channelId: ({ snippet }) => snippet?.channelId,
    publishedAt: ({ snippet }) => snippet?.publishedAt,
    duration: ({ contentDetails }) => contentDetails?.duration,
    views: ({ statistics }) => statistics?.viewCount,
    likes: ({ statistics }) => statistics?.likeCount,
    comments: ({ statistics }) => statistics?.commentCount,
    url: ({ id = "" }) => pages.video(id),
    thumbnail: ({ snippet }) => largeThumbnail(snippet?.thumbnails),
  },
  isPrivate: ({ myRating, details }) =>
    myRating !== undefined || (details !== undefined && detailsPage(details).isOwners === true),
});

interface ListOptions {
  readonly show?: "popular" | "liked" | "disliked" | undefined;
  readonly region?: string | undefined;
  readonly category?: string | undefined;
  readonly videos?: readonly string[] | undefined;
  readonly details?: DetailsName | undefined;
}

/** @throws InputError `conflicting_parameters`; what `ownView` throws */
export async function openList(ctx: Ctx, options: ListOptions): Promise<Reply> {
  const { show = "popular", region, category, videos: id, details } = options;
  const { hl, settings } = ctx;
  requireOneOf({ show: options.show, videos: id });
  const isOwners = details !== undefined && detailsPage(details).isOwners === true;
  const seen = isOwners ? await ownView(ctx) : ctx;
  if (id !== undefined) return videoList.open(seen, { id, hl, details });
  if (show !== "popular") {
    const myRating = show === "liked" ? "like" : "dislike";
    return videoList.open(await ownView(ctx), { myRating, hl, details });
  }
  return videoList.open(seen, {
    details,
    chart: "mostPopular",
    regionCode: region ?? settings.region ?? defaultRegion,
    videoCategoryId: category,
    hl,
  });
}

function titleOf({ id, myRating, regionCode = defaultRegion }: VideoQuery, words: Words): string {
  if (id !== undefined) return words.say("videos.list.chosen", { count: id.length });
  if (myRating !== undefined) return words.say(`videos.list.${myRating}d`);
  return words.say("videos.list.popular", { region: words.country(regionCode) });
}

function draw({ id = "", ...video }: Video, words: Words, isManager: boolean): Item {
  const { snippet, contentDetails, statistics } = video;
  const title = snippet?.title ?? words.say("common.untitled");
  const views = words.short(statistics?.viewCount);
  const facts: readonly (Text | undefined)[] = [
    words.length(contentDetails?.duration) || undefined,
    views ? words.say("videos.list.views", { count: views }) : undefined,
    since(snippet?.publishedAt),
  ];
  return {
    title: link(cut(title, 90), pages.video(id)),
    lines: [
      ...(snippet?.channelTitle === undefined ? [] : [cut(snippet.channelTitle, 60)]),
      ...factLine(facts),
    ],
    ...itemThumbnail(title, smallThumbnail(snippet?.thumbnails), words),
    buttons: compact([
      { label: words.say("cards.details"), press: presses.video.details(id) },
      isManager && {
        label: words.say("cards.add_to_playlist"),
        press: presses.video.addToPlaylist([id]),
      },
    ]),
  };
}
