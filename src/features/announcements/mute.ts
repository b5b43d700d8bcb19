import type { Feed } from "../../announcements/index.ts";
import { cut, notice, type Reply, time } from "../../discord/index.ts";
import type { CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { futureDates } from "../suggestions/index.ts";
import { feedChoice, findFeed } from "./manage.ts";

export const muteFeedOptions = {
  until: option.date({ required: true, must: "future", suggest: futureDates }),
  ...feedChoice,
};

/** Announces nothing of a channel, or of all, until then. @throws what choosing a feed throws; InputError `feed_not_found` */
export async function muteFeeds(ctx: CtxFor<typeof muteFeedOptions>): Promise<Reply> {
  const { words } = ctx;
  const { until, feed } = ctx.options;
  const muted = await ctx.feeds.mute(await chosen(ctx, feed), until.getTime());
  return notice({
    tone: muted.length === 0 ? "neutral" : "good",
    title: titleFor("announce.mute", muted, words),
    ...(muted.length > 0 && {
      text: words.md("announce.mute.text", {
        until: time(until, "f"),
        unmute: words.mention("announce unmute"),
      }),
    }),
  });
}

/** Ends that early. */
export async function unmuteFeeds(ctx: CtxFor<typeof feedChoice>): Promise<Reply> {
  const { words } = ctx;
  const unmuted = await ctx.feeds.mute(await chosen(ctx, ctx.options.feed), undefined);
  return notice({
    tone: unmuted.length === 0 ? "neutral" : "good",
    title: titleFor("announce.unmute", unmuted, words),
    ...(unmuted.length > 0 && { text: words.say("announce.unmute.text") }),
  });
}

/** Undefined stands for all. */
async function chosen(
  ctx: CtxFor<typeof feedChoice>,
  typed: string | undefined,
): Promise<readonly string[] | undefined> {
  return typed === undefined ? undefined : [(await findFeed(ctx, typed)).id];
}

function titleFor(
  key: "announce.mute" | "announce.unmute",
  feeds: readonly Feed[],
  words: CtxFor<typeof feedChoice>["words"],
): string {
  const [first] = feeds;
  return words.say(`${key}.title`, {
    count: feeds.length,
    channel: cut(first?.title ?? "", 100),
  });
}
