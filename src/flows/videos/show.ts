import {
  type Card,
  type Ctx,
  gone,
  type Notice,
  ownVideoParts,
  videoCard,
  videoParts,
} from "../../discord/index.ts";
import { detailsSelect } from "./details/show.ts";
import { cardFor, readVideo } from "./read.ts";

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
