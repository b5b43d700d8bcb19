import type { Suggest } from "../declare/suggest.ts";
import { choicesOf } from "./match.ts";
import { mayKnow } from "./names.ts";

/** Channels whose releases are announced here. */
export const feeds: Suggest = async (typed, ctx) => {
  if (!mayKnow(ctx)) return [];
  const all = await ctx.feeds();
  return choicesOf(
    typed,
    all.map(({ id, title, source }) => ({ value: id, title, also: [source] })),
  );
};
