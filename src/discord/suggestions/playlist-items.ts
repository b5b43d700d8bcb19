import type { Suggest } from "../declare/suggest.ts";
import { playlistOf } from "../draw/links.ts";
import { choicesOf } from "./match.ts";
import { isSafe, mayKnow, privacyName } from "./names.ts";

/** The entries of the playlist that another option holds, by place and title: 50, and 50 more once something is typed. */
export function playlistItems(option: string): Suggest {
  return async (typed, ctx) => {
    const playlistId = playlistOf(ctx.others[option] ?? "");
    if (playlistId === undefined || !isSafe(ctx)) return [];
    const wanted = {
      part: ["snippet", "status"],
      playlistId,
      maxResults: 50,
    } as const;
    const first = await ctx.video.call("playlistItems.list", wanted);
    const pageToken = typed === "" ? undefined : first.nextPageToken;
    const second =
      pageToken === undefined
        ? []
        : (await ctx.video.call("playlistItems.list", { ...wanted, pageToken })).items;
    const candidates = [...first.items, ...second].flatMap(({ id, snippet, status }) => {
      const privacy = status?.privacyStatus;
      if (id === undefined || (!mayKnow(ctx) && privacy === "private")) return [];
      const place = (snippet?.position ?? 0) + 1;
      const title = snippet?.title ?? id;
      return [{ value: id, title: `${place}. ${title}`, facts: [privacyName(ctx, privacy)] }];
    });
    return choicesOf(typed, candidates);
  };
}
