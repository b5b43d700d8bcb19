import { action, type Ctx, type Notice, notice, pages } from "../../discord/index.ts";
import { compact } from "../compact.ts";

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

export const rateIt = action<Rating>({
  name: "videos.rate-it",
  answer: "private",
  by: "anyone",
  row: "videos.rate",
  run: (ctx, rating) => rate(ctx, rating),
});
