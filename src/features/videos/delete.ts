import { ask, cut, notice, type Reply } from "../../discord/index.ts";
import { smallThumbnail } from "../../video/index.ts";
import { formatPublished, presentFields, presses, valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { readOwnVideo } from "./read.ts";

export async function askDeleteVideo(ctx: Ctx, { id }: { readonly id: string }): Promise<Reply> {
  const read = await readOwnVideo(ctx, id);
  if ("notice" in read) return read.notice;
  const { snippet, statistics, status, contentDetails } = read.video;
  const { words } = ctx;
  const title = cut(snippet?.title ?? words.say("common.untitled"), 100);
  return ask({
    title: words.say("videos.delete.title", { title }),
    text: words.say("videos.delete.text", { price: await ctx.price(["videos.delete"]) }),
    fields: presentFields(words, [
      ["cards.views", words.short(statistics?.viewCount)],
      ["cards.comments", words.short(statistics?.commentCount)],
      ["cards.likes", words.short(statistics?.likeCount)],
      ["cards.length", words.length(contentDetails?.duration)],
      ["cards.published", formatPublished(snippet?.publishedAt)],
      ["cards.privacy", valueName(words, "privacyStatus", status?.privacyStatus)],
    ]),
    thumbnail: smallThumbnail(snippet?.thumbnails),
    isPrivate: true,
    confirm: {
      label: words.say("videos.delete.confirm"),
      style: "danger",
      press: deleteVideoNow.press({ id, title }),
    },
  });
}

export const deleteVideoNow = action<{ readonly id: string; readonly title: string }>({
  name: "videos.delete-now",
  isOnce: true,
  method: "videos.delete",
  run: async (ctx, { id, title }) => {
    const { own, words, signal } = ctx;
    ctx.named(id, { title });
    await own.call("videos.delete", { id }, { signal });
    return notice({
      tone: "good",
      title: words.say("videos.delete.done"),
      text: words.say("videos.delete.done_text", { title }),
    });
  },
});

export const askDeleteVideoAction = actionFor(presses.video.remove, {
  method: "videos.delete",
  uses: ["videos.list", "channels.list"],
  run: askDeleteVideo,
});
