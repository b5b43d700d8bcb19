import { type Candidate, suggestFor } from "./match.ts";
import { mayKnow } from "./names.ts";

/** What is watched here, by the channel that its comments are shown in. */
export const watches = suggestFor(mayKnow, async (ctx) => {
  const [all, linked] = await Promise.all([ctx.moderation.watches.all(), ctx.channels()]);
  const candidates = all.map(async ({ id, channelId, source }): Promise<Candidate> => {
    const name = await ctx.channelName(channelId);
    const of = linked.find((channel) => channel.channelId === source);
    const title = name === undefined ? channelId : `#${name}`;
    return { value: id, title, facts: [of?.name ?? of?.channelTitle], also: [channelId] };
  });
  return Promise.all(candidates);
});

/** Rules about comments, by name. */
export const rules = suggestFor(mayKnow, async (ctx) => {
  const book = await ctx.moderation.rules.book();
  return book.rules.map(({ id, name }) => ({ value: id, title: name }));
});

/** Answers that are kept for comments, by name and by what they say. */
export const savedReplies = suggestFor(mayKnow, async (ctx) => {
  const all = await ctx.moderation.replies.all();
  return all.map(({ id, name, text }) => ({ value: id, title: name, also: [text] }));
});
