import {
  type Card,
  card,
  cut,
  gone,
  type Notice,
  type Press,
  type PressInput,
  reaches,
  requireRank,
  type Select,
} from "../../../discord/index.ts";
import { type Method, type Video, youtubePages } from "../../../video/index.ts";
import {
  cardFor,
  ownVideoParts,
  presses,
  valueName,
  videoCard,
  videoParts,
} from "../../cards/index.ts";
import type { Ctx } from "../../context/index.ts";
import { action, actionFor } from "../../declarations/index.ts";
import { readOwnVideo, readVideo } from "../read.ts";
import { readCategoryNames } from "../settings.ts";
import {
  type DetailsPage,
  type DetailsPageName,
  detailsPageNames,
  findDetailsPage,
} from "./pages.ts";

interface DetailsChoice {
  readonly id: string;
  /** Absent: the page that was chosen in the select. */
  readonly page?: DetailsPageName;
}

/** How large the embedded player may be, in pixels; other parts ignore it. */
interface PlayerSize {
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/** The methods that a page of details calls. */
export const detailsUses: readonly Method[] = [
  "videos.list",
  "videoCategories.list",
  "channels.list",
];

/** Shows one page of a video's details in a new answer, so that the video's card stays short. */
const openDetails = action<DetailsChoice>({
  name: "videos.details-page",
  answer: "private",
  by: "anyone",
  uses: detailsUses,
  run: showChosenPage,
});

const turnDetails = action<DetailsChoice>({
  name: "videos.turn-details",
  by: "each",
  uses: detailsUses,
  run: showChosenPage,
});

export const detailsActions = [openDetails, turnDetails] as const;

function showChosenPage(ctx: Ctx, { id, page }: DetailsChoice, { values: [value] }: PressInput) {
  const chosen = detailsPageNames.find((name) => name === value) ?? "settings";
  return showVideoDetails(ctx, id, page ?? chosen);
}

/** A select of the pages that the person may see; `shown` is the page that is open. */
function detailsSelect(ctx: Ctx, video: Video, shown?: DetailsPageName): Select {
  const { words, channelId } = ctx;
  const { press } = shown === undefined ? openDetails : turnDetails;
  const isOwn = reaches(ctx.rank, "moderator") && video.snippet?.channelId === channelId;
  const { id = "" } = video;
  return {
    placeholder: words.say("video-details.choose"),
    options: detailsPageNames
      .filter((name) => isOwn || findDetailsPage(name).isOwners !== true)
      .map((value) => ({
        label: words.say(`choices.video_details.${value}`),
        value,
        isDefault: value === shown,
      })),
    press: press({ id }),
  };
}

/** Opens the page with all settings, for answers that show only some of them. */
export function videoSettingsPress(id: string): Press {
  return openDetails.press({ id, page: "settings" });
}

/** @throws AccessError `rank_too_low`, ConnectError `channel_missing`, for pages that only the owner can see */
export async function showVideoDetails(
  ctx: Ctx,
  id: string,
  name: DetailsPageName,
  size: PlayerSize = {},
): Promise<Card | Notice> {
  const page = findDetailsPage(name);
  const read = await readDetails(ctx, id, page, size);
  if ("notice" in read) return read.notice;
  const { video, isHidden } = read;
  const categories = page.hasCategories ? await readCategoryNames(ctx) : new Map();
  const { words } = ctx;
  const { text, fields, image, buttons = [] } = page.draw(video, { words, categories });
  const isEmpty = fields.length === 0 && !text;
  return card({
    author: { name: valueName(words, "video_details", name) ?? name },
    title: cut(video.snippet?.title ?? words.say("common.untitled"), 200),
    url: youtubePages.video(id),
    ...(isEmpty ? { text: words.say("video-details.empty") } : text === undefined ? {} : { text }),
    fields,
    image,
    isPrivate: isHidden,
    selects: [detailsSelect(ctx, video, name)],
    buttons: [...buttons, { label: words.say("cards.watch"), url: youtubePages.video(id) }],
  });
}

type DetailsReading =
  | { readonly video: Video; readonly isHidden: boolean }
  | { readonly notice: Notice };

async function readDetails(
  ctx: Ctx,
  id: string,
  { parts, isOwners }: DetailsPage,
  size: PlayerSize,
): Promise<DetailsReading> {
  const part = [...new Set(["snippet" as const, ...parts])];
  if (!isOwners) {
    const found = await readVideo(ctx, id, { part, ...size });
    return found ?? { notice: gone("video", ctx.words) };
  }
  await requireRank({ rank: "moderator" }, ctx);
  // Checks whose video it is first, because YouTube refuses these parts of somebody else's video.
  const read = await readOwnVideo(ctx, id, "video-details.owner_only");
  if ("notice" in read) return read;
  const { items } = await ctx.own.call("videos.list", { part, id: [id] }, { signal: ctx.signal });
  const [video] = items;
  return video === undefined ? { notice: gone("video", ctx.words) } : { video, isHidden: true };
}

/**
 * A video's card. If only the linked channel can see the video, it is shown to moderators and above, privately. For
 * everybody else such a video does not exist.
 */
export async function showVideo(ctx: Ctx, id: string): Promise<Card | Notice> {
  const found = await readVideo(ctx, id, { part: videoParts }, ownVideoParts);
  if (found === undefined) return gone("video", ctx.words);
  const { video } = found;
  return { ...videoCard(video, cardFor(ctx)), selects: [detailsSelect(ctx, video)] };
}

export const videoDetailsAction = actionFor(presses.video.details, {
  uses: ["videos.list"],
  run: (ctx, { id }) => showVideo(ctx, id),
});
