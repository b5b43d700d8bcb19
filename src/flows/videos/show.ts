import {
  actionFor,
  type Card,
  type Ctx,
  cardFor,
  gone,
  type Notice,
  ownVideoParts,
  presses,
  videoCard,
  videoParts,
} from "../../discord/index.ts";
import { detailsSelect } from "./details/show.ts";
import { readVideo } from "./read.ts";

/**
 * A video's card. What only the linked channel sees is shown to moderators and above, and to them alone; for everybody
 * else such a video is not there.
 */
export async function showVideo(ctx: Ctx, id: string): Promise<Card | Notice> {
  const found = await readVideo(ctx, id, { part: videoParts }, ownVideoParts);
  if (found === undefined) return gone("video", ctx.words);
  const { video } = found;
  return { ...videoCard(video, cardFor(ctx)), selects: [detailsSelect(ctx, video)] };
}

/** Opened from a card. */
export const details = actionFor(presses.video.details, {
  answer: "private",
  by: "anyone",
  uses: ["videos.list"],
  run: (ctx, { id }) => showVideo(ctx, id),
});
