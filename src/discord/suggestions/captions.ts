import type { Suggest } from "../declare/suggest.ts";
import { captionsName } from "../draw/cards/index.ts";
import { videoOf } from "../draw/links.ts";
import { suggestFor } from "./match.ts";
import { dayName, isOwn } from "./names.ts";

/** The captions of the video that another option holds, drafts among them: for moderators and above. */
export function captionsOf(option: string): Suggest {
  return suggestFor(isOwn, async (ctx) => {
    const videoId = videoOf(ctx.others[option] ?? "");
    if (videoId === undefined) return [];
    const { items } = await ctx.video.call("captions.list", { part: ["snippet"], videoId });
    return items.flatMap(({ id, snippet }) => {
      if (id === undefined) return [];
      const title = captionsName(snippet, ctx.words);
      const facts = [dayName(ctx, snippet?.lastUpdated)];
      return [{ value: id, title, facts, also: [snippet?.language] }];
    });
  });
}
