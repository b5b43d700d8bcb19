import type { Suggest } from "../declare/suggest.ts";
import { playlistOf } from "../draw/links.ts";
import { firstItems, suggestFor } from "./match.ts";
import { isSafe, mayKnow, privacyName } from "./names.ts";

/** The entries of the playlist that another option holds, by place and title. */
export function playlistItems(option: string): Suggest {
  return suggestFor(isSafe, async (ctx, typed) => {
    const playlistId = playlistOf(ctx.others[option] ?? "");
    if (playlistId === undefined) return [];
    const wanted = { part: ["snippet", "status"], playlistId, maxResults: 50 } as const;
    const items = await firstItems(typed, (pageToken) =>
      ctx.video.call("playlistItems.list", { ...wanted, pageToken }),
    );
    return items.flatMap(({ id, snippet, status }) => {
      const privacy = status?.privacyStatus;
      if (id === undefined || (!mayKnow(ctx) && privacy === "private")) return [];
      const place = (snippet?.position ?? 0) + 1;
      const title = snippet?.title ?? id;
      return [{ value: id, title: `${place}. ${title}`, facts: [privacyName(ctx, privacy)] }];
    });
  });
}
