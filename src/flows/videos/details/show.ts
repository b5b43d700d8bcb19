import {
  action,
  type Card,
  type Ctx,
  card,
  cut,
  gone,
  type Notice,
  named,
  type Press,
  pages,
  reaches,
  requireRank,
  type Select,
} from "../../../discord/index.ts";
import type { Method, Video } from "../../../video/index.ts";
import { readOwnVideo, readVideo } from "../read.ts";
import { readCategoryNames } from "../settings.ts";
import { type DetailsName, type DetailsPage, detailsNames, detailsPage } from "./pages.ts";

interface Detailed {
  readonly id: string;
  /** What was chosen of the select, when absent. */
  readonly page?: DetailsName;
}

/** How large the embedded player may be, in pixels; without effect on any other part. */
export interface PlayerSize {
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/** Rows that a page of details calls. */
export const detailsUses: readonly Method[] = [
  "videos.list",
  "videoCategories.list",
  "channels.list",
];

/** One page of a video's details in an answer of its own, so that they never flood the first one. */
export const openDetails = action<Detailed>({
  name: "videos.details-page",
  answer: "private",
  by: "anyone",
  uses: detailsUses,
  run: (ctx, { id, page }, { values }) => showDetails(ctx, id, page ?? chosen(values)),
});

const turnDetails = action<Detailed>({
  name: "videos.turn-details",
  answer: "update",
  by: "each",
  uses: detailsUses,
  run: (ctx, { id, page }, { values }) => showDetails(ctx, id, page ?? chosen(values)),
});

export const detailsActions = [openDetails, turnDetails] as const;

function chosen([value]: readonly string[]): DetailsName {
  return detailsNames.find((name) => name === value) ?? "settings";
}

/** All pages of a video's details that the person may see; `shown` is the one that a page of details has. */
export function detailsSelect(ctx: Ctx, video: Video, shown?: DetailsName): Select {
  const { words, channelId } = ctx;
  const { press } = shown === undefined ? openDetails : turnDetails;
  const isOwn = reaches(ctx.rank, "moderator") && video.snippet?.channelId === channelId;
  const { id = "" } = video;
  return {
    placeholder: words.say("video-details.choose"),
    options: detailsNames
      .filter((name) => isOwn || detailsPage(name).isOwners !== true)
      .map((value) => ({
        label: words.say(`choices.video_details.${value}`),
        value,
        isDefault: value === shown,
      })),
    press: press({ id }),
  };
}

/** The page with everything that can be set, from an answer that shows a part of it. */
export function settingsPress(id: string): Press {
  return openDetails.press({ id, page: "settings" });
}

/** @throws AccessError `rank_too_low`, ConnectError `channel_missing` for what only the owner is told */
export async function showDetails(
  ctx: Ctx,
  id: string,
  name: DetailsName,
  size: PlayerSize = {},
): Promise<Card | Notice> {
  const page = detailsPage(name);
  const read = await readDetails(ctx, id, page, size);
  if ("refusal" in read) return read.refusal;
  const { video, isHidden } = read;
  const categories = page.hasCategories ? await readCategoryNames(ctx) : new Map();
  const { words } = ctx;
  const { text, fields, image, buttons = [] } = page.draw(video, { words, categories });
  const isEmpty = fields.length === 0 && !text;
  return card({
    author: { name: named(words, "video_details", name) ?? name },
    title: cut(video.snippet?.title ?? words.say("common.untitled"), 200),
    url: pages.video(id),
    ...(isEmpty ? { text: words.say("video-details.empty") } : text === undefined ? {} : { text }),
    fields,
    ...(image === undefined ? {} : { image }),
    ...(isHidden ? { isPrivate: true } : {}),
    selects: [detailsSelect(ctx, video, name)],
    buttons: [...buttons, { label: words.say("cards.watch"), url: pages.video(id) }],
  });
}

type Reading = { readonly video: Video; readonly isHidden: boolean } | { readonly refusal: Notice };

async function readDetails(
  ctx: Ctx,
  id: string,
  { parts, isOwners }: DetailsPage,
  size: PlayerSize,
): Promise<Reading> {
  const part = [...new Set(["snippet" as const, ...parts])];
  if (isOwners) return readOwners(ctx, id, part);
  const found = await readVideo(ctx, id, { part, ...size });
  return found ?? { refusal: gone("video", ctx.words) };
}

/** Somebody else's video is refused these parts, so whose it is comes first. */
async function readOwners(ctx: Ctx, id: string, part: DetailsPage["parts"]): Promise<Reading> {
  await requireRank({ rank: "moderator" }, ctx);
  const read = await readOwnVideo(ctx, id, "video-details.owner_only");
  if ("refusal" in read) return read;
  const { items } = await ctx.own.call("videos.list", { part, id: [id] }, { signal: ctx.signal });
  const [video] = items;
  return video === undefined ? { refusal: gone("video", ctx.words) } : { video, isHidden: true };
}
