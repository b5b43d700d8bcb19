import type { Suggest } from "../declare/suggest.ts";
import { type Candidate, choicesOf } from "./match.ts";
import { mayKnow } from "./names.ts";

/** What is watched here, by the channel that its comments are shown in. */
export const watches: Suggest = async (typed, ctx) => {
  if (!mayKnow(ctx)) return [];
  const [all, linked] = await Promise.all([ctx.moderation.watches.all(), ctx.channels()]);
  const candidates = all.map(async ({ id, channelId, source }): Promise<Candidate> => {
    const name = await ctx.channelName(channelId);
    const of = linked.find((channel) => channel.channelId === source);
    const title = name === undefined ? channelId : `#${name}`;
    return { value: id, title, facts: [of?.name ?? of?.channelTitle], also: [channelId] };
  });
  return choicesOf(typed, await Promise.all(candidates));
};

/** Rules about comments, by name. */
export const rules: Suggest = async (typed, ctx) => {
  if (!mayKnow(ctx)) return [];
  const book = await ctx.moderation.rules.book();
  return choicesOf(
    typed,
    book.rules.map(({ id, name }) => ({ value: id, title: name })),
  );
};

/** Answers that are kept for comments, by name and by what they say. */
export const savedReplies: Suggest = async (typed, ctx) => {
  if (!mayKnow(ctx)) return [];
  const all = await ctx.moderation.replies.all();
  return choicesOf(
    typed,
    all.map(({ id, name, text }) => ({ value: id, title: name, also: [text] })),
  );
};
