import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { channelOf } from "../draw/links.ts";
import { subscribed } from "./community.ts";
import type { Candidate } from "./match.ts";
import { choicesOrPasted } from "./pasted.ts";

/** The linked channel, and for moderators and above those that it is subscribed to. */
export const channels: Suggest = async (typed, ctx) => {
  const [own, others] = await Promise.all([ownChannel(ctx), subscribed(typed, ctx)]);
  const found = others.flatMap(({ snippet }): Candidate[] => {
    const id = snippet?.resourceId?.channelId;
    return id === undefined ? [] : [{ value: id, title: snippet?.title ?? id }];
  });
  return choicesOrPasted(typed, [...own, ...found], (text) => {
    const ref = channelOf(text);
    if (ref === undefined) return undefined;
    return "id" in ref ? ref.id : ref.handle;
  });
};

async function ownChannel({ channelId, video }: SuggestCtx): Promise<readonly Candidate[]> {
  if (channelId === undefined) return [];
  const { items } = await video.call("channels.list", { part: ["snippet"], id: [channelId] });
  const snippet = items[0]?.snippet;
  const title = snippet?.title ?? channelId;
  return [{ value: channelId, title, facts: [snippet?.customUrl], also: [channelId] }];
}
