import { AccessError, InputError } from "../../errors.ts";
import {
  findSpecialList,
  type Playlist,
  type SpecialList,
  specialPlaylists,
} from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { listError, specialListName, specialListOfChannel } from "./special-list.ts";

export interface PlaylistToChange {
  readonly id: string;
  readonly title: string;
  /** The number of entries; undefined if one of YouTube's own lists does not say. */
  readonly count: number | undefined;
  readonly playlist: Playlist | undefined;
  /** Which of YouTube's own lists it is. */
  readonly special?: SpecialList | undefined;
}

/**
 * Whether it is one of YouTube's own lists or the former favourites. They can accept entries without being
 * readable.
 */
function isKept(id: string): boolean {
  return findSpecialList(id) !== undefined || id.startsWith("FL");
}

const part = ["snippet", "contentDetails", "status"] as const;

/**
 * Refuses YouTube's own lists: only playlists that a person made can be edited and deleted.
 * @throws InputError `playlist_operation_unsupported`
 */
export function requireEditablePlaylist(id: string): void {
  if (isKept(id)) {
    throw new InputError("YouTube keeps this list itself", {
      code: "playlist_operation_unsupported",
    });
  }
}

/**
 * Reads a playlist of the linked channel, as its owner. Costs a unit.
 * @throws InputError `playlist_not_found`; AccessError `playlist_forbidden` for somebody else's
 */
export async function readOwnPlaylist(ctx: Ctx, id: string): Promise<Playlist> {
  const { signal } = ctx;
  const { items } = await ctx.own.call("playlists.list", { part, id: [id] }, { signal });
  const [playlist] = items;
  if (playlist === undefined) {
    throw new InputError("there is no such playlist", {
      code: "playlist_not_found",
      facts: { isNamed: true, given: id },
    });
  }
  const owner = playlist.snippet?.channelId;
  if (owner !== undefined && ctx.channelId !== undefined && owner !== ctx.channelId) {
    throw new AccessError("the playlist belongs to another channel", {
      code: "playlist_forbidden",
      facts: { channel: playlist.snippet?.channelTitle ?? owner },
    });
  }
  return playlist;
}

/**
 * Reads the playlist whose entries change. What can't work is refused before it costs more than a unit.
 * @throws what `readOwnPlaylist` throws; InputError `uploads_not_changeable`
 */
export async function readPlaylistToChange(
  ctx: Ctx,
  id: string,
  method: "playlistItems.insert" | "playlistItems.update" | "playlistItems.delete",
): Promise<PlaylistToChange> {
  const { words, signal } = ctx;
  // The list of uploads can't be edited: docs/services/youtube.md#special-playlists
  if (findSpecialList(id) === "uploads") throw listError("uploads", method);
  const special = specialListOfChannel(ctx, id);
  // One of YouTube's own lists may accept entries although YouTube does not return its id.
  const named = special && (await specialPlaylists(ctx.own, { signal }))[special];
  const ownId = named ?? id;
  const playlist = await readOwnPlaylist(ctx, ownId).catch((error: unknown) => {
    const isHidden = error instanceof InputError && error.code === "playlist_not_found";
    if (isHidden && isKept(ownId)) return undefined;
    throw error;
  });
  const title = playlist?.snippet?.title ?? words.say("common.untitled");
  return {
    id: ownId,
    title: special === undefined ? title : specialListName(special, words),
    count: playlist?.contentDetails?.itemCount,
    playlist,
    special,
  };
}

/**
 * Refuses a position that is too high, before a failed write costs as much as a successful one.
 * `position` starts at 0.
 * @throws InputError `place_too_high`
 */
export function requirePlaylistPlace(
  position: number | undefined,
  places: number | undefined,
): void {
  if (position === undefined || places === undefined || position < places) return;
  throw new InputError(`there is no place ${position + 1} among ${places}`, {
    code: "place_too_high",
    facts: { place: position + 1, most: places },
  });
}
