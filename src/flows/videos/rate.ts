import {
  actionFor,
  type Ctx,
  compact,
  type Notice,
  notice,
  pages,
  presses,
} from "../../discord/index.ts";

export interface Rating {
  readonly id: string;
  readonly rating: "like" | "dislike" | "none";
}

/** Rates as the linked channel, and offers to take it back. */
export async function rate(ctx: Ctx, { id, rating }: Rating): Promise<Notice> {
  await ctx.own.call("videos.rate", { id, rating }, { signal: ctx.signal });
  const { words } = ctx;
  return notice({
    tone: "good",
    title: words.say(`videos.rated.${rating}`),
    text: words.say("videos.rated.text"),
    buttons: compact([
      { label: words.say("cards.watch"), url: pages.video(id) },
      rating !== "none" && {
        label: words.say("videos.rated.undo"),
        press: rateIt.press({ id, rating: "none" }),
      },
    ]),
  });
}

export const rateIt = actionFor(presses.video.rate, {
  answer: "private",
  by: "anyone",
  row: "videos.rate",
  run: (ctx, rating) => rate(ctx, rating),
});
