import type { Ctx, PlannedCall } from "../context/index.ts";
import { countEntryCalls, readEntriesOfVideos, readVideoTitles } from "./entries.ts";
import {
  type PlaylistToChange,
  readPlaylistToChange,
  requirePlaylistPlace,
} from "./playlist-to-change.ts";
import { isListClosed } from "./special-list.ts";
import type { NamedVideo } from "./video-lines.ts";

/** docs/services/youtube.md#ids-of-one-call */
const maxIdsPerCall = 50;

/** Which videos to add to which playlist; JSON-shaped. */
export interface PlaylistAddition {
  readonly playlistId: string;
  readonly videos: readonly string[];
  /** The first video's position, from 0; absent: at the end. */
  readonly position?: number | undefined;
  readonly note?: string | undefined;
  /** Adds videos that are in the playlist already once more. */
  readonly again?: boolean | undefined;
  /** Videos of the same list that come after these. */
  readonly later?: readonly string[] | undefined;
  /** Entries of the list that name no video. */
  readonly unread?: readonly string[] | undefined;
}

/** What there is to add, read before anything is written. */
export interface AdditionPlan {
  readonly target: PlaylistToChange;
  readonly todo: readonly NamedVideo[];
  readonly there: readonly NamedVideo[];
  /** Ids of videos that do not exist. */
  readonly unknown: readonly string[];
  /** As in `PlaylistAddition`. */
  readonly later: readonly string[];
  readonly unread: readonly string[];
}

/**
 * The calls that it takes to add so many videos. The playlist is read again before, because somebody may have changed
 * it.
 */
export function listAdditionCalls(
  target: Pick<PlaylistToChange, "count" | "special">,
  videos: number,
  again = false,
): readonly PlannedCall[] {
  return [
    ["channels.list", target.special === undefined ? 0 : 1],
    ["playlists.list"],
    ["videos.list", Math.ceil(videos / maxIdsPerCall)],
    ["playlistItems.list", again ? 0 : countEntryCalls(target, videos)],
    ["playlistItems.insert", videos],
  ];
}

/** @throws InputError `place_too_high`, and what `readPlaylistToChange` throws */
export async function planAddition(ctx: Ctx, adding: PlaylistAddition): Promise<AdditionPlan> {
  const target = await readPlaylistToChange(ctx, adding.playlistId, "playlistItems.insert");
  requirePlaylistPlace(adding.position, target.count === undefined ? undefined : target.count + 1);
  const titles = await readVideoTitles(ctx, adding.videos);
  const known = adding.videos.filter((id) => titles.has(id));
  const entries = adding.again === true ? [] : await entriesIn(ctx, target, known);
  const present = new Set(entries.map(({ videoId }) => videoId));
  const named = known.map((id) => ({ id, title: titles.get(id) ?? id }));
  return {
    target,
    todo: named.filter(({ id }) => !present.has(id)),
    there: named.filter(({ id }) => present.has(id)),
    unknown: adding.videos.filter((id) => !titles.has(id)),
    later: adding.later ?? [],
    unread: adding.unread ?? [],
  };
}

/** One of YouTube's own lists may accept videos although it can't be read. */
async function entriesIn(ctx: Ctx, target: PlaylistToChange, videoIds: readonly string[]) {
  try {
    return await readEntriesOfVideos(ctx, target, videoIds);
  } catch (error) {
    if (target.special !== undefined && isListClosed(error)) return [];
    throw error;
  }
}
