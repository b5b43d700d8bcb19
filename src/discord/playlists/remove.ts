import { BotError, InputError } from "../../errors.ts";
import { action, type Ctx } from "../command.ts";
import { inShort } from "../explain.ts";
import { type Extra, noExtra, withExtra } from "../extra.ts";
import { presses } from "../presses.ts";
import { ask, notice, type Reply } from "../reply.ts";
import { join } from "../text.ts";
import { group, lines, type Named, videoLine } from "./lines.ts";
import { lingering, lingerMs } from "./linger.ts";
import { readTarget, resolve } from "./read.ts";
import { entryRefsOf, mostAtOnce } from "./refs.ts";

const method = "playlistItems.delete";

interface Removing {
  readonly playlistId: string;
  readonly playlist: string;
  /** Entries by their own ids, with what they are called. */
  readonly entries: readonly { readonly id: string; readonly video: Named }[];
  readonly extra: Extra;
}

/**
 * Asks about the entries that are to go.
 * @throws InputError `not_in_playlist` when none of them is there; what the option is refused for
 */
export async function questionRemove(
  ctx: Ctx<unknown>,
  { playlist, items }: { readonly playlist: string; readonly items: string },
  extra: Extra = noExtra,
): Promise<Reply> {
  const { words } = ctx;
  const refs = entryRefsOf(items, "items");
  const target = await readTarget(ctx, playlist);
  const entries = (await resolve(ctx, target, refs)).slice(0, mostAtOnce);
  if (entries.length === 0) throw notIn();
  const count = entries.length;
  const found = entries.map(({ videoId, title, position }) =>
    words.md("playlists.place_line", {
      place: position + 1,
      video: videoLine({ id: videoId, title }),
    }),
  );
  const held = new Set(entries.flatMap(({ id, videoId }) => [id, videoId]));
  const absent = refs.flatMap((ref) => {
    const id = "itemId" in ref ? ref.itemId : ref.videoId;
    if (held.has(id)) return [];
    return ["videoId" in ref ? videoLine({ id, title: id }) : id];
  });
  return ask({
    title: words.say("playlists.remove.ask", { count, playlist: target.title }),
    text: join(
      [
        lines(found, words),
        ...group(words.say("playlists.remove.absent", { count: absent.length }), absent, words),
        words.say("playlists.remove.stay"),
        await ctx.price(method, count),
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
        extra,
      }),
    },
  });
}

/** One after the other; what is gone already counts as done. */
export const removeNow = action<Removing>({
  name: "playlists.remove-now",
  answer: "update",
  by: "requester",
  row: method,
  run: removeAll,
});

async function removeAll(ctx: Ctx<unknown>, removing: Removing): Promise<Reply> {
  const { words } = ctx;
  const { playlistId, playlist, entries, extra } = removing;
  const signal = lingering(ctx.signal, lingerMs);
  let done = 0;
  let failure: BotError | undefined;
  for (const { id, video } of entries) {
    if (ctx.signal.aborted) break;
    if (entries.length > 1) {
      ctx.progress({
        title: words.say("playlists.remove.removing", { playlist }),
        text: words.md("playlists.add.so_far", { done, count: entries.length, title: video.title }),
        done: done / entries.length,
      });
    }
    try {
      await ctx.own.call(method, withExtra({ id }, extra), { signal });
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      if (error.code !== "playlist_item_not_found") {
        if (done === 0 && !ctx.signal.aborted) throw error;
        failure = error;
        break;
      }
    }
    done += 1;
  }
  const left = entries.slice(done);
  return notice({
    tone: left.length === 0 ? "good" : "warning",
    title: words.say("playlists.remove.done", { count: done, playlist }),
    text: join(
      [
        ...(left.length === 0 ? [words.say("playlists.remove.stay")] : []),
        ...(failure === undefined || ctx.signal.aborted ? [] : [inShort(failure, words)]),
        ...group(
          words.say("playlists.remove.left", { count: left.length }),
          left.map(({ video }) => videoLine(video)),
          words,
        ),
      ],
      "\n\n",
    ),
    buttons: [
      ...(left.length === 0
        ? []
        : [
            {
              label: words.say("playlists.remove.go_on", { count: left.length }),
              style: "danger" as const,
              press: removeNow.press({ ...removing, entries: left }),
            },
          ]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(playlistId) },
    ],
  });
}

function notIn(): InputError {
  return new InputError("none of the entries is in the playlist", {
    code: "not_in_playlist",
    hint: "Choose one of the suggestions, or check whether the video is in this playlist.",
  });
}
