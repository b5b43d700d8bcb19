import { compact, cut, link, type Notice, notice } from "../../discord/index.ts";
import { youtubePages } from "../../video/index.ts";
import { presses, valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { actionFor } from "../declarations/index.ts";
import { browse } from "../lists/index.ts";

interface Rating {
  readonly id: string;
  readonly rating: "like" | "dislike" | "none";
}

/** Rates a video as the linked channel, and offers to undo it. A rating that it has already is read for a unit, not sent for fifty. */
export async function rateVideo(ctx: Ctx, { id, rating }: Rating): Promise<Notice> {
  const { own, signal, words } = ctx;
  const { items } = await own.call("videos.getRating", { id: [id] }, { signal });
  if (items[0]?.rating === rating) {
    const [title, text] = [words.say("videos.edit.nothing"), words.say("common.same")];
    return notice({ tone: "neutral", title, text });
  }
  await own.call("videos.rate", { id, rating }, { signal });
  return notice({
    tone: "good",
    title: words.say(`videos.rated.${rating}`),
    text: words.say("videos.rated.text"),
    buttons: compact([
      { label: words.say("cards.watch"), url: youtubePages.video(id) },
      rating !== "none" && {
        label: words.say("videos.rated.undo"),
        press: rateVideoAction.press({ id, rating: "none" }),
      },
    ]),
  });
}

export const rateVideoAction = actionFor(presses.video.rate, {
  method: "videos.rate",
  uses: ["videos.getRating"],
  run: rateVideo,
});

export const videoRatings = browse<
  "videos.getRating",
  { readonly id: readonly string[] },
  RatedVideo
>({
  name: "videos.turn-ratings",
  method: "videos.getRating",
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
  title: "videos.ratings.title",
  item: ({ id, rating, title = id }, { words }) => ({
    title: link(cut(title, 90), youtubePages.video(id)),
    lines: [valueName(words, "given_rating", rating) ?? ""],
  }),
  empty: "videos.ratings.empty",
  columns: { id: "videoId", rating: "rating" },
  isPrivate: true,
  perPage: 10,
});

interface RatedVideo {
  readonly id: string;
  readonly rating: string | undefined;
  readonly title: string | undefined;
}
