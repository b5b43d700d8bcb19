import { type Candidate, suggestFor } from "./match.ts";
import { mayKnow } from "./names.ts";

/** The channels that are linked here, the default first. */
export const linkedChannels = suggestFor(mayKnow, async (ctx) => {
  const channels = await ctx.channels();
  return channels.flatMap(({ channelId, name, channelTitle }, index): readonly Candidate[] => {
    if (channelId === undefined) return [];
    const title = name ?? channelTitle ?? channelId;
    const isDefault = index === 0 ? ctx.words.say("common.default") : undefined;
    const other = channelTitle === title ? undefined : channelTitle;
    return [{ value: channelId, title, facts: [other, isDefault] }];
  });
});
