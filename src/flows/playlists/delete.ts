import {
  action,
  actionFor,
  ask,
  type Ctx,
  join,
  named,
  notice,
  present,
  presses,
  published,
  type Reply,
  smallThumbnail,
} from "../../discord/index.ts";
import { readOwn, requireMade } from "./target.ts";

const askDelete = actionFor(presses.playlist.remove, {
  answer: "private",
  by: "anyone",
  row: "playlists.delete",
  uses: ["playlists.list"],
  run: (ctx, { id }) => questionDelete(ctx, id),
});

const deleteNow = action<{ readonly id: string; readonly title: string }>({
  name: "playlists.delete-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "playlists.delete",
  run: async (ctx, { id, title }) => {
    await ctx.own.call("playlists.delete", { id }, { signal: ctx.signal });
    return notice({
      tone: "good",
      title: ctx.words.say("playlists.delete.done", { playlist: title }),
      text: ctx.words.say("playlists.delete.stay"),
    });
  },
});

export const deleteActions = [askDelete, deleteNow] as const;

/** Says what goes and what stays. */
export async function questionDelete(ctx: Ctx, id: string): Promise<Reply> {
  requireMade(id);
  const { words } = ctx;
  const { snippet, contentDetails, status } = await readOwn(ctx, id);
  const title = snippet?.title ?? words.say("common.untitled");
  const count = contentDetails?.itemCount ?? 0;
  const thumbnail = smallThumbnail(snippet?.thumbnails);
  return ask({
    title: words.say("playlists.delete.ask", { playlist: title }),
    text: join(
      [words.say("playlists.delete.lost", { count }), await ctx.price(["playlists.delete"])],
      "\n\n",
    ),
    fields: present(words, [
      ["cards.videos", words.number(count)],
      ["cards.privacy", named(words, "privacyStatus", status?.privacyStatus)],
      ["cards.created", published(snippet?.publishedAt)],
    ]),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    confirm: {
      label: words.say("playlists.delete.confirm"),
      style: "danger",
      press: deleteNow.press({ id, title }),
    },
  });
}
