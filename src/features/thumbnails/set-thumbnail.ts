import {
  ask,
  type Button,
  cut,
  form,
  gone,
  join,
  type Reply,
  type ReplyOption,
  type Select,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import { firstFilled } from "../../video/index.ts";
import { readVideoRef } from "../../video-links/index.ts";
import { readVideoToBrand, videoThumbnail } from "../branding/index.ts";
import { valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { readShownThumbnail, thumbnailFile } from "./carried-cutout.ts";

const method = "thumbnails.set";
const uses = ["videos.list"] as const;

const chosen = action<null>({
  name: "thumbnails.for-video",
  answer: "private",
  method,
  uses,
  run: (ctx, _, { values }) => askFor(ctx, values[0] ?? ""),
});

const linked = action<null>({
  name: "thumbnails.for-link",
  answer: "private",
  method,
  uses,
  run: (ctx, _, { fields }) =>
    askFor(ctx, option.video({ required: true }).parse(fields.video ?? "", "video")),
});

const openLink = action<null>({
  name: "thumbnails.open-link",
  answer: "form",
  method,
  form: ({ words }) =>
    form({
      title: words.say("thumbnails.video.other"),
      isReturned: true,
      fields: [{ name: "video", label: words.say("thumbnails.video.link"), maxLength: 200 }],
      submit: linked.press(null),
    }),
});

/** Shows the thumbnail, its price and what it replaces, before it is set. */
async function askFor(ctx: Ctx, id: string): Promise<Reply> {
  const { words } = ctx;
  const data = await readShownThumbnail(ctx);
  const video = await readVideoToBrand(ctx, id);
  if (video === undefined) return gone("video", words);
  const title = video.snippet?.title ?? id;
  const shown = cut(title, 120);
  return ask({
    title: words.say("thumbnails.video.ask", { title: shown }),
    text: join([words.say("branding.thumbnail.replaces"), await ctx.price([method])]),
    preview: thumbnailFile(data, words.say("branding.thumbnail.alt", { title: shown })),
    confirm: {
      label: words.say("branding.thumbnail.confirm"),
      style: "success",
      press: videoThumbnail.confirm(id, title),
    },
  });
}

/** A select of the channel's newest videos; undefined if none can be read, because people can enter a link instead. */
async function select(ctx: Ctx): Promise<Select | undefined> {
  const { words } = ctx;
  const options = await newestVideos(ctx).catch((error: unknown) => {
    if (!(error instanceof BotError) || ctx.signal.aborted) throw error;
    ctx.log.warn("videos were not read", { code: error.code, reason: error.message });
    return [];
  });
  if (options.length === 0) return undefined;
  return { placeholder: words.say("thumbnails.video.which"), options, press: chosen.press(null) };
}

/** The newest 25 of the linked channel. */
async function newestVideos(ctx: Ctx): Promise<readonly ReplyOption[]> {
  const { own, signal, words } = ctx;
  const wanted = { part: ["contentDetails"], mine: true } as const;
  const { items } = await own.call("channels.list", wanted, { signal });
  const playlistId = items[0]?.contentDetails?.relatedPlaylists?.uploads;
  if (playlistId === undefined) return [];
  const part = ["snippet", "contentDetails", "status"] as const;
  const list = { part, playlistId, maxResults: 25 } as const;
  const found = await firstFilled((pageToken) =>
    own.call("playlistItems.list", { ...list, ...(pageToken && { pageToken }) }, { signal }),
  );
  return found.items.flatMap(({ snippet, contentDetails, status }) => {
    const value = contentDetails?.videoId ?? snippet?.resourceId?.videoId;
    if (value === undefined || readVideoRef(value) === undefined) return [];
    const privacy = valueName(words, "privacyStatus", status?.privacyStatus);
    const label = snippet?.title || value;
    return [{ label, value, ...(privacy === undefined ? {} : { description: privacy }) }];
  });
}

function button({ words }: Ctx): Button {
  return { label: words.say("thumbnails.video.other_button"), press: openLink.press(null) };
}

/** Sets the thumbnail of a video, for people who may. */
export const thumbnailSetter = { select, button, actions: [chosen, linked, openLink] } as const;
