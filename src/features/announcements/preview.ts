import { type Feed, placeFor, type ReleaseKind } from "../../announcements/index.ts";
import { cut, join, type Text } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import { announcementText } from "./message.ts";

export const previewCalls = [["playlistItems.list"], ["videos.list"]] as const;

/**
 * What the text of a place says about the channel's newest video of that kind, or about the newest of all where there is
 * none. It costs `previewCalls`. If it can't be made, the text is stored all the same.
 */
export async function templatePreview(
  ctx: Ctx,
  feed: Feed,
  kind: ReleaseKind = "upload",
): Promise<Text> {
  const { words } = ctx;
  try {
    const recent = await ctx.feeds.recent(feed.id);
    const video = recent.find((one) => one.kind === kind) ?? recent[0];
    if (video === undefined) return words.say("announce.preview.none");
    const { locale, template = "" } = placeFor(feed.places, kind) ?? {};
    const said = locale === undefined ? ctx.serverWords : ctx.wordsIn(locale);
    return join([
      "",
      words.md("announce.preview.title", { title: cut(video.title, 100) }),
      announcementText({ feed, video: { ...video, kind, isOver: undefined } }, said),
      "",
      template.includes("{game}") && words.say("announce.preview.game"),
      words.say("announce.preview.cost"),
    ]);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    ctx.log.info("no preview was made", { error });
    return words.md("announce.preview.failed", { test: words.mention("announce test") });
  }
}
