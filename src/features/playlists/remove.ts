import { abortLater } from "../../clock.ts";
import {
  ask,
  type Button,
  cancelGraceMs,
  compact,
  cut,
  describeFailureInLine,
  join,
  notice,
  type Reply,
  type Text,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { SpecialList } from "../../video/index.ts";
import { mayBatchGoOn } from "../batches/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { maxEntriesAtOnce, notInPlaylistError, readEntryRefs, resolveEntries } from "./entries.ts";
import { concernsAllEntries, isEntryRefused } from "./failed-entries.ts";
import { readPlaylistToChange } from "./playlist-to-change.ts";
import { nameRefusedList } from "./special-list.ts";
import {
  formatGroup,
  formatLines,
  formatVideoLine,
  type NamedVideo,
  showVideoProgress,
} from "./video-lines.ts";

const method = "playlistItems.delete";

interface EntriesToRemove {
  readonly playlistId: string;
  readonly playlist: string;
  /** Entries by their own ids, with their videos' titles. */
  readonly entries: readonly { readonly id: string; readonly video: NamedVideo }[];
  /** Which of YouTube's own lists the playlist is. */
  readonly special?: SpecialList | undefined;
}

/**
 * Asks whether to remove the entries.
 * @throws InputError `not_in_playlist` if none of them is there; as `readEntryRefs`
 */
export async function askRemoveEntries(
  ctx: Ctx,
  { playlist, items }: { readonly playlist: string; readonly items: string },
): Promise<Reply> {
  const { words } = ctx;
  const { refs, unread } = readEntryRefs(items, "items");
  const target = await readPlaylistToChange(ctx, playlist, method);
  const entries = (await resolveEntries(ctx, target, refs)).slice(0, maxEntriesAtOnce);
  if (entries.length === 0) throw notInPlaylistError(target, items);
  const count = entries.length;
  await ctx.afford([[method, count]]);
  const found = entries.map(({ videoId, title, position }) =>
    words.md("playlists.place_line", {
      place: position + 1,
      video: formatVideoLine({ id: videoId, title }),
    }),
  );
  const held = new Set(entries.flatMap(({ id, videoId }) => [id, videoId]));
  const missing = refs.flatMap((ref): readonly Text[] => {
    const id = "itemId" in ref ? ref.itemId : ref.videoId;
    if (held.has(id)) return [];
    return ["videoId" in ref ? formatVideoLine({ id, title: id }) : id];
  });
  const absent = [...missing, ...unread.map((piece) => cut(piece, 80))];
  return ask({
    title: words.say("playlists.remove.ask", { count, playlist: target.title }),
    text: join(
      [
        formatLines(found, words),
        ...formatGroup(
          words.say("playlists.remove.absent", { count: absent.length }),
          absent,
          words,
        ),
        words.say("playlists.remove.stay"),
        await ctx.price([method, count]),
      ],
      "\n\n",
    ),
    confirm: {
      label: words.say("playlists.remove.confirm", { count }),
      style: "danger",
      press: removeEntriesNow.press({
        playlistId: target.id,
        playlist: target.title,
        entries: entries.map(({ id, videoId, title }) => ({ id, video: { id: videoId, title } })),
        special: target.special,
      }),
    },
  });
}

/** A list's button for one of its entries. */
export const removeListed = action<{ readonly playlist: string; readonly item: string }>({
  name: "playlists.remove-listed",
  answer: "private",
  by: "anyone",
  method,
  uses: ["channels.list", "playlists.list", "playlistItems.list"],
  run: (ctx, { playlist, item }) => askRemoveEntries(ctx, { playlist, items: item }),
});

/** Removes one entry after the other. An entry that was removed before counts as done. */
export const removeEntriesNow = action<EntriesToRemove>({
  name: "playlists.remove-now",
  isOnce: true,
  method,
  run: removeAll,
});

type RemovableEntry = EntriesToRemove["entries"][number];

interface RemovedEntries {
  /** How many were removed, now or before. */
  readonly done: number;
  readonly failed: readonly { readonly entry: RemovableEntry; readonly error: BotError }[];
  /** The entries that were not tried. */
  readonly rest: readonly RemovableEntry[];
}

async function removeAll(ctx: Ctx, removing: EntriesToRemove): Promise<Reply> {
  const signal = abortLater(ctx.signal, cancelGraceMs);
  const { entries, special } = removing;
  await ctx.afford([[method, entries.length]]);
  let done = 0;
  let tried = 0;
  const failed: { entry: RemovableEntry; error: BotError }[] = [];
  let failuresInRow: readonly BotError[] = [];
  const title = ctx.words.say("playlists.remove.removing", { playlist: removing.playlist });
  const videos = entries.map(({ video }) => video);
  for (const entry of entries) {
    if (ctx.signal.aborted || !mayBatchGoOn(failuresInRow, concernsAllEntries)) break;
    const { id, video } = entry;
    ctx.named(id, { title: video.title, videoId: video.id, playlistId: removing.playlistId });
    if (entries.length > 1) showVideoProgress(ctx, videos, { title, done: tried });
    tried += 1;
    try {
      await nameRefusedList(special, method, () => ctx.own.call(method, { id }, { signal }));
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      if (error.code !== "playlist_item_not_found") {
        const isAlone = entries.length === 1 || (tried === 1 && concernsAllEntries(error));
        if (isAlone && !ctx.signal.aborted) throw error;
        failed.push({ entry, error });
        failuresInRow = [...failuresInRow, error];
        continue;
      }
    }
    done += 1;
    failuresInRow = [];
  }
  return drawDone(ctx, removing, { done, failed, rest: entries.slice(tried) });
}

function drawDone(
  ctx: Ctx,
  removing: EntriesToRemove,
  { done, failed, rest }: RemovedEntries,
): Reply {
  const { words, signal } = ctx;
  const { playlistId, playlist } = removing;
  const isWhole = failed.length === 0 && rest.length === 0;
  // An entry whose removal was stopped midway was not refused.
  const refused = signal.aborted ? [] : failed;
  const mayPass = failed.filter(({ error }) => signal.aborted || !isEntryRefused(error));
  const again = mayPass.map(({ entry }) => entry);
  const untried = signal.aborted ? [...again, ...rest] : rest;
  const left = [...again, ...rest];
  return notice({
    tone: isWhole ? "good" : "warning",
    title: words.say("playlists.remove.done", { count: done, playlist }),
    text: join(
      [
        isWhole && words.say("playlists.remove.stay"),
        ...formatGroup(
          words.say("playlists.remove.failed", { count: refused.length }),
          refused.map(({ entry, error }) =>
            words.md("playlists.failed_line", {
              video: formatVideoLine(entry.video),
              reason: describeFailureInLine(error, words),
            }),
          ),
          words,
        ),
        ...formatGroup(
          words.say("playlists.remove.left", { count: untried.length }),
          untried.map(({ video }) => formatVideoLine(video)),
          words,
        ),
      ],
      "\n\n",
    ),
    buttons: compact<Button>([
      left.length > 0 && {
        label: words.say("playlists.remove.go_on", { count: left.length }),
        style: "danger",
        press: removeEntriesNow.press({ ...removing, entries: left }),
      },
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(playlistId) },
    ]),
  });
}
