import { abortedLater } from "../../clock.ts";
import {
  action,
  ask,
  type Button,
  type Ctx,
  cancelGraceMs,
  inShort,
  join,
  notice,
  presses,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { SpecialList } from "../../video/index.ts";
import {
  type Entry,
  type EntryRef,
  entryRefsOf,
  mostAtOnce,
  notInPlaylist,
  resolve,
} from "./entries.ts";
import { group, lines, type Named, videoLine } from "./lines.ts";
import { byName } from "./special.ts";
import { readTarget } from "./target.ts";

const method = "playlistItems.delete";

interface Removing {
  readonly playlistId: string;
  readonly playlist: string;
  /** Entries by their own ids, with their videos' titles. */
  readonly entries: readonly { readonly id: string; readonly video: Named }[];
  /** Which of the service's own lists it is. */
  readonly special?: SpecialList | undefined;
}

/**
 * Asks about the entries that are to go.
 * @throws InputError `not_in_playlist` when none of them is there; what the option is refused for
 */
export async function questionRemove(
  ctx: Ctx,
  { playlist, items }: { readonly playlist: string; readonly items: string },
): Promise<Reply> {
  const { words } = ctx;
  const refs = entryRefsOf(items, "items");
  const target = await readTarget(ctx, playlist, method);
  const entries = (await resolve(ctx, target, refs)).slice(0, mostAtOnce);
  if (entries.length === 0) throw notInPlaylist(target);
  const count = entries.length;
  await ctx.afford([[method, count]]);
  const found = entries.map(({ videoId, title, position }) =>
    words.md("playlists.place_line", {
      place: position + 1,
      video: videoLine({ id: videoId, title }),
    }),
  );
  const absent = absentOf(refs, entries);
  return ask({
    title: words.say("playlists.remove.ask", { count, playlist: target.title }),
    text: join(
      [
        lines(found, words),
        ...group(words.say("playlists.remove.absent", { count: absent.length }), absent, words),
        words.say("playlists.remove.stay"),
        await ctx.price([method, count]),
      ],
      "\n\n",
    ),
    confirm: {
      label: words.say("playlists.remove.confirm", { count }),
      style: "danger",
      press: removeNow.press({
        playlistId: target.id,
        playlist: target.title,
        entries: entries.map(({ id, videoId, title }) => ({ id, video: { id: videoId, title } })),
        special: target.special,
      }),
    },
  });
}

/** What was named but is not in the playlist. */
function absentOf(refs: readonly EntryRef[], entries: readonly Entry[]): readonly Text[] {
  const held = new Set(entries.flatMap(({ id, videoId }) => [id, videoId]));
  return refs.flatMap((ref) => {
    const id = "itemId" in ref ? ref.itemId : ref.videoId;
    if (held.has(id)) return [];
    return ["videoId" in ref ? videoLine({ id, title: id }) : id];
  });
}

/** One after the other; an entry that is gone already counts as done. */
export const removeNow = action<Removing>({
  name: "playlists.remove-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: method,
  run: removeAll,
});

interface Removed {
  /** Taken out, or gone already. */
  readonly done: number;
  /** Why the rest is still there. */
  readonly failure?: BotError;
}

async function removeAll(ctx: Ctx, removing: Removing): Promise<Reply> {
  const signal = abortedLater(ctx.signal, cancelGraceMs);
  const { entries, special } = removing;
  await ctx.afford([[method, entries.length]]);
  let done = 0;
  for (const { id } of entries) {
    if (ctx.signal.aborted) break;
    if (entries.length > 1) showProgress(ctx, removing, done);
    try {
      await byName(special, method, () => ctx.own.call(method, { id }, { signal }));
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      if (error.code !== "playlist_item_not_found") {
        if (done === 0 && !ctx.signal.aborted) throw error;
        return told(ctx, removing, { done, failure: error });
      }
    }
    done += 1;
  }
  return told(ctx, removing, { done });
}

function showProgress(ctx: Ctx, { entries, playlist }: Removing, done: number): void {
  const { words } = ctx;
  const count = entries.length;
  const title = entries[done]?.video.title ?? "";
  ctx.progress({
    title: words.say("playlists.remove.removing", { playlist }),
    text: words.md("playlists.add.so_far", { done, count, title }),
    done: done / count,
  });
}

function told(ctx: Ctx, removing: Removing, { done, failure }: Removed): Reply {
  const { words, signal } = ctx;
  const { playlistId, playlist, entries } = removing;
  const left = entries.slice(done);
  const isTold = failure !== undefined && !signal.aborted;
  return notice({
    tone: left.length === 0 ? "good" : "warning",
    title: words.say("playlists.remove.done", { count: done, playlist }),
    text: join(
      [
        left.length === 0 && words.say("playlists.remove.stay"),
        isTold && inShort(failure, words),
        ...group(
          words.say("playlists.remove.left", { count: left.length }),
          left.map(({ video }) => videoLine(video)),
          words,
        ),
      ],
      "\n\n",
    ),
    buttons: [
      ...(left.length === 0 ? [] : [goOnButton({ ...removing, entries: left }, words)]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(playlistId) },
    ],
  });
}

function goOnButton(removing: Removing, words: Words): Button {
  const label = words.say("playlists.remove.go_on", { count: removing.entries.length });
  return { label, style: "danger", press: removeNow.press(removing) };
}
