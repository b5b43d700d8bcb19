import { suggestFor } from "./match.ts";
import { mayKnow } from "./names.ts";

/** Channels whose releases are announced here. */
export const feeds = suggestFor(mayKnow, async (ctx) => {
  const all = await ctx.feeds();
  return all.map(({ id, title, source }) => ({ value: id, title, also: [source] }));
});
