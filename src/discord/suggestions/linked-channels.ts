import type { Suggest } from "../declare/suggest.ts";
import { type Candidate, choicesOf } from "./match.ts";
import { mayKnow } from "./names.ts";

/** The channels that are linked here, the default first. */
export const linkedChannels: Suggest = async (typed, ctx) => {
  if (!mayKnow(ctx)) return [];
  const channels = await ctx.channels();
  const candidates = channels.flatMap(
    ({ channelId, name, channelTitle }, index): readonly Candidate[] => {
      if (channelId === undefined) return [];
      const title = name ?? channelTitle ?? channelId;
      const isDefault = index === 0 ? ctx.words.say("common.default") : undefined;
      const other = channelTitle === title ? undefined : channelTitle;
      return [{ value: channelId, title, facts: [other, isDefault] }];
    },
  );
  return choicesOf(typed, candidates);
};
