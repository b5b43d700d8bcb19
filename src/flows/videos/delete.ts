import {
  action,
  actionFor,
  ask,
  type Ctx,
  cut,
  named,
  notice,
  present,
  presses,
  published,
  type Reply,
  smallThumbnail,
} from "../../discord/index.ts";
import { readOwnVideo } from "./read.ts";

/** Says what is deleted with the video, and asks. */
export async function askDelete(ctx: Ctx, id: string): Promise<Reply> {
  const read = await readOwnVideo(ctx, id);
  if ("refusal" in read) return read.refusal;
  const { snippet, statistics, status, contentDetails } = read.video;
  const { words } = ctx;
  const title = cut(snippet?.title ?? words.say("common.untitled"), 100);
  const thumbnail = smallThumbnail(snippet?.thumbnails);
  return ask({
    title: words.say("videos.delete.title", { title }),
    text: words.say("videos.delete.text", { price: await ctx.price(["videos.delete"]) }),
    fields: present(words, [
      ["cards.views", words.short(statistics?.viewCount)],
      ["cards.comments", words.short(statistics?.commentCount)],
      ["cards.likes", words.short(statistics?.likeCount)],
      ["cards.length", words.length(contentDetails?.duration)],
      ["cards.published", published(snippet?.publishedAt)],
      ["cards.privacy", named(words, "privacyStatus", status?.privacyStatus)],
    ]),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    isPrivate: true,
    confirm: {
      label: words.say("videos.delete.confirm"),
      style: "danger",
      press: deleteNow.press({ id, title }),
    },
  });
}

export const deleteNow = action<{ readonly id: string; readonly title: string }>({
  name: "videos.delete-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "videos.delete",
  run: async ({ own, words, signal }, { id, title }) => {
    await own.call("videos.delete", { id }, { signal });
    return notice({
      tone: "good",
      title: words.say("videos.delete.done"),
      text: words.say("videos.delete.done_text", { title }),
    });
  },
});

/** Opened from a card. */
export const askDeleteOf = actionFor(presses.video.remove, {
  answer: "private",
  by: "anyone",
  row: "videos.delete",
  uses: ["videos.list", "channels.list"],
  run: (ctx, { id }) => askDelete(ctx, id),
});
