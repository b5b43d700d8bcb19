import type { Suggest } from "../declare/suggest.ts";
import { choicesOf } from "./match.ts";
import { dayName, isOwn } from "./names.ts";
import { subscribed } from "./subscribed.ts";

/** What the linked channel is subscribed to: for moderators and above, because it may be hidden. */
export const subscriptions: Suggest = async (typed, ctx) => {
  const found = await subscribed(typed, ctx);
  const candidates = found.flatMap(({ id, snippet }) => {
    if (id === undefined) return [];
    const facts = [dayName(ctx, snippet?.publishedAt)];
    const also = [snippet?.resourceId?.channelId];
    return [{ value: id, title: snippet?.title ?? id, facts, also }];
  });
  return choicesOf(typed, candidates);
};

/** The channel's membership levels: for moderators and above. */
export const memberLevels: Suggest = async (typed, ctx) => {
  if (!isOwn(ctx)) return [];
  const { items } = await ctx.video.call("membershipsLevels.list", { part: ["id", "snippet"] });
  const candidates = items.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.levelDetails?.displayName ?? id }],
  );
  return choicesOf(typed, candidates);
};
