import type { Ctx } from "../../discord/index.ts";
import { AccessError, InputError } from "../../errors.ts";
import {
  type Playlist,
  type SpecialList,
  specialListOf,
  specialPlaylists,
} from "../../video/index.ts";
import { ownSpecial, refusedList, specialName } from "./special.ts";

/** A playlist that is about to be changed. */
export interface Target {
  readonly id: string;
  readonly title: string;
  /** How many entries it has; undefined where one of the service's own lists does not say. */
  readonly count: number | undefined;
  readonly playlist: Playlist | undefined;
  /** Which of the service's own lists it is. */
  readonly special?: SpecialList | undefined;
}

/** One of the service's own lists, former favourites included: it may have no description and still accept entries. */
function isKept(id: string): boolean {
  return specialListOf(id) !== undefined || id.startsWith("FL");
}

const part = ["snippet", "contentDetails", "status"] as const;

/**
 * Only playlists that somebody made can themselves be changed and deleted.
 * @throws InputError `playlist_operation_unsupported`
 */
export function requireMade(id: string): void {
  if (isKept(id)) {
    throw new InputError("the service keeps this list itself", {
      code: "playlist_operation_unsupported",
    });
  }
}

/**
 * The linked channel's playlist, read as its owner. Costs a unit.
 * @throws InputError `playlist_not_found`; AccessError `playlist_forbidden` for somebody else's
 */
export async function readOwn(ctx: Ctx, id: string): Promise<Playlist> {
  const { signal } = ctx;
  const { items } = await ctx.own.call("playlists.list", { part, id: [id] }, { signal });
  const [playlist] = items;
  if (playlist === undefined) {
    throw new InputError("there is no such playlist", {
      code: "playlist_not_found",
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
 * The playlist whose entries change; what can't work is refused before it costs more than a unit.
 * @throws what `readOwn` throws; InputError `uploads_not_changeable`
 */
export async function readTarget(
  ctx: Ctx,
  id: string,
  method: "playlistItems.insert" | "playlistItems.update" | "playlistItems.delete",
): Promise<Target> {
  const { words, signal } = ctx;
  // Facts: the list of uploads can't be edited.
  if (specialListOf(id) === "uploads") throw refusedList("uploads", method);
  const special = ownSpecial(ctx, id);
  // A list of the service's own whose id it does not return may still accept entries.
  const named = special && (await specialPlaylists(ctx.own, { signal }))[special];
  const ownId = named ?? id;
  const playlist = await readOwn(ctx, ownId).catch((error: unknown) => {
    const isHidden = error instanceof InputError && error.code === "playlist_not_found";
    if (isHidden && isKept(ownId)) return undefined;
    throw error;
  });
  const title = playlist?.snippet?.title ?? words.say("common.untitled");
  return {
    id: ownId,
    title: special === undefined ? title : specialName(special, words),
    count: playlist?.contentDetails?.itemCount,
    playlist,
    special,
  };
}

/**
 * Refuses a position that is too high, before a failed write costs as much as a successful one.
 * `position` is from 0.
 * @throws InputError `place_too_high`
 */
export function requirePlace(position: number | undefined, places: number | undefined): void {
  if (position === undefined || places === undefined || position < places) return;
  throw new InputError(`there is no place ${position + 1} among ${places}`, {
    code: "place_too_high",
    facts: { place: position + 1, most: places },
  });
}
