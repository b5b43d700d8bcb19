import type { Subscription } from "../../video/index.ts";
import type { SuggestCtx } from "../declare/suggest.ts";
import { isOwn } from "./names.ts";

/** What the linked channel is subscribed to, for those who may know: 50, and 50 more once something is typed. */
export async function subscribed(typed: string, ctx: SuggestCtx): Promise<readonly Subscription[]> {
  if (!isOwn(ctx)) return [];
  const wanted = { part: ["snippet"], mine: true, order: "alphabetical", maxResults: 50 } as const;
  const first = await ctx.video.call("subscriptions.list", wanted);
  const pageToken = first.nextPageToken;
  if (typed === "" || pageToken === undefined) return first.items;
  const second = await ctx.video.call("subscriptions.list", { ...wanted, pageToken });
  return [...first.items, ...second.items];
}
