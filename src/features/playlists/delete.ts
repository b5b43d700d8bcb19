import { ask, join, notice, type Reply } from "../../discord/index.ts";
import { smallThumbnail } from "../../video/index.ts";
import { formatPublished, presentFields, presses, valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { readOwnPlaylist, requireEditablePlaylist } from "./playlist-to-change.ts";

const askDelete = actionFor(presses.playlist.remove, {
  method: "playlists.delete",
  uses: ["playlists.list"],
  run: askDeletePlaylist,
});

const deleteNow = action<{ readonly id: string; readonly title: string }>({
  name: "playlists.delete-now",
  isOnce: true,
  method: "playlists.delete",
  run: async (ctx, { id, title }) => {
    ctx.named(id, { title });
    await ctx.own.call("playlists.delete", { id }, { signal: ctx.signal });
    return notice({
      tone: "good",
      title: ctx.words.say("playlists.delete.done", { playlist: title }),
      text: ctx.words.say("playlists.delete.stay"),
    });
  },
});

export const playlistDeleteActions = [askDelete, deleteNow] as const;

export async function askDeletePlaylist(ctx: Ctx, { id }: { readonly id: string }): Promise<Reply> {
  requireEditablePlaylist(id);
  const { words } = ctx;
  const { snippet, contentDetails, status } = await readOwnPlaylist(ctx, id);
  const title = snippet?.title ?? words.say("common.untitled");
  const count = contentDetails?.itemCount ?? 0;
  return ask({
    title: words.say("playlists.delete.ask", { playlist: title }),
    text: join(
      [words.say("playlists.delete.lost", { count }), await ctx.price(["playlists.delete"])],
      "\n\n",
    ),
    fields: presentFields(words, [
      ["cards.videos", words.number(count)],
      ["cards.privacy", valueName(words, "privacyStatus", status?.privacyStatus)],
      ["cards.created", formatPublished(snippet?.publishedAt)],
    ]),
    thumbnail: smallThumbnail(snippet?.thumbnails),
    confirm: {
      label: words.say("playlists.delete.confirm"),
      style: "danger",
      press: deleteNow.press({ id, title }),
    },
  });
}
