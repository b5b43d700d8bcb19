import { listedTexts } from "../../discord/index.ts";
import type { FeatureSuggest, SuggestCtx } from "../context/index.ts";
import { maySeePrivate, type SuggestionCandidate, suggestFor, suggestForLast } from "./match.ts";

/** The ends of a list. */
export const places = suggestFor(
  () => true,
  async ({ words }) =>
    (["top", "bottom"] as const).map((value) => ({
      value,
      title: words.say(`choices.place.${value}`),
    })),
);

/** The channels that are linked here, the default first. */
export const linkedChannels = suggestFor(maySeePrivate, async (ctx) => {
  const channels = await ctx.channels();
  return channels.flatMap(
    ({ channelId, name, channelTitle }, index): readonly SuggestionCandidate[] => {
      if (channelId === undefined) return [];
      const title = name ?? channelTitle ?? channelId;
      const isDefault = index === 0 ? ctx.words.say("common.default") : undefined;
      const other = channelTitle === title ? undefined : channelTitle;
      return [{ value: channelId, title, facts: [other, isDefault] }];
    },
  );
});

/** The watches, by the channel that their comments are shown in. */
export const watches = suggestFor(maySeePrivate, async (ctx) => {
  const [all, linked] = await Promise.all([ctx.moderation.watches.all(), ctx.channels()]);
  const candidates = all.map(async ({ id, channelId, source }): Promise<SuggestionCandidate> => {
    const name = await ctx.channelName(channelId);
    const of = linked.find((channel) => channel.channelId === source);
    const title = name === undefined ? channelId : `#${name}`;
    return { value: id, title, facts: [of?.name ?? of?.channelTitle], also: [channelId] };
  });
  return Promise.all(candidates);
});

export const rules = suggestFor(maySeePrivate, async (ctx) => {
  const book = await ctx.moderation.rules.book();
  return book.rules.map(({ id, name }) => ({ value: id, title: name }));
});

/** Authors whose comments are exempt from all rules. */
export const exemptAuthors = suggestFor(maySeePrivate, async (ctx) => {
  const { spared } = await ctx.moderation.rules.book();
  return spared.authors.map(({ id, name }) => ({ value: id, title: name ?? id }));
});

export const feeds = suggestFor(maySeePrivate, async (ctx) => {
  const all = await ctx.feeds();
  return all.map(({ id, title, source }) => ({ value: id, title, also: [source] }));
});

/** Names of tags of forums, several of which may be listed; `forumsOf` says which forums are meant. */
export function forumTags(
  forumsOf: (ctx: SuggestCtx) => Promise<readonly string[]>,
): FeatureSuggest {
  const one = suggestFor(maySeePrivate, async (ctx) => {
    const forums = (await forumsOf(ctx)).map((id) => ctx.forumTags(id));
    const tags = (await Promise.all(forums)).flat();
    const named = new Map(tags.map((tag) => [tag.name, tag]));
    return [...named.values()].map(({ id, name }) => {
      // A name with a separator would be read as two.
      return { value: listedTexts(name).length === 1 ? name : id, title: name };
    });
  });
  return suggestForLast(one, () => undefined, ", ");
}
