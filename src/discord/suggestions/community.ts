import type { Subscription } from "../../video/index.ts";
import type { SuggestCtx } from "../declare/suggest.ts";
import { firstItems, suggestFor } from "./match.ts";
import { dayName, isOwn } from "./names.ts";

/** What the linked channel is subscribed to, for those who may know. */
export async function subscribed(typed: string, ctx: SuggestCtx): Promise<readonly Subscription[]> {
  if (!isOwn(ctx)) return [];
  const wanted = { part: ["snippet"], mine: true, order: "alphabetical", maxResults: 50 } as const;
  return firstItems(typed, (pageToken) =>
    ctx.video.call("subscriptions.list", { ...wanted, pageToken }),
  );
}

/** What the linked channel is subscribed to: for moderators and above, because it may be hidden. */
export const subscriptions = suggestFor(isOwn, async (ctx, typed) => {
  const found = await subscribed(typed, ctx);
  return found.flatMap(({ id, snippet }) => {
    if (id === undefined) return [];
    const facts = [dayName(ctx, snippet?.publishedAt)];
    const also = [snippet?.resourceId?.channelId];
    return [{ value: id, title: snippet?.title ?? id, facts, also }];
  });
});

/** The channel's membership levels: for moderators and above. */
export const memberLevels = suggestFor(isOwn, async (ctx) => {
  const { items } = await ctx.video.call("membershipsLevels.list", { part: ["id", "snippet"] });
  return items.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.levelDetails?.displayName ?? id }],
  );
});
