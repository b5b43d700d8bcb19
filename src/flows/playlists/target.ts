import type { Ctx } from "../../discord/index.ts";
import { AccessError, InputError } from "../../errors.ts";
import type { Playlist } from "../../video/index.ts";

/** A playlist that is about to be changed. */
export interface Target {
  readonly id: string;
  readonly title: string;
  /** How many entries it has; undefined for a list of the service's own that does not say. */
  readonly count: number | undefined;
  readonly playlist: Playlist | undefined;
}

/** Lists that the service keeps: it may not describe them, and takes entries into some of them. */
const special = /^(?:LL|WL|HL|FL)/u;
const uploads = /^UU/u;

const part = ["snippet", "contentDetails", "status"] as const;

/**
 * A playlist itself can be changed and deleted only where somebody made it.
 * @throws InputError `playlist_operation_unsupported`
 */
export function requireMade(id: string): void {
  if (uploads.test(id) || special.test(id)) throw kept();
}

/**
 * The linked channel's playlist, read as its owner. Costs a unit.
 * @throws InputError `playlist_not_found`; AccessError `playlist_forbidden` for somebody else's
 */
export async function readOwn(ctx: Ctx<unknown>, id: string): Promise<Playlist> {
  const { signal } = ctx;
  const { items } = await ctx.own.call("playlists.list", { part, id: [id] }, { signal });
  const [playlist] = items;
  if (playlist === undefined) throw notFound();
  const owner = playlist.snippet?.channelId;
  if (owner !== undefined && ctx.channelId !== undefined && owner !== ctx.channelId) {
    throw notOwn(playlist.snippet?.channelTitle ?? owner);
  }
  return playlist;
}

/**
 * The playlist whose entries are to change; what can't work is refused before it costs more than a unit.
 * @throws what `readOwn` throws; InputError `playlist_operation_unsupported` for uploads
 */
export async function readTarget(ctx: Ctx<unknown>, id: string): Promise<Target> {
  if (uploads.test(id)) throw kept();
  const playlist = await readOwn(ctx, id).catch((error: unknown) => {
    const isHidden = error instanceof InputError && error.code === "playlist_not_found";
    if (isHidden && special.test(id)) return undefined;
    throw error;
  });
  return {
    id,
    title: playlist?.snippet?.title ?? ctx.words.say("common.untitled"),
    count: playlist?.contentDetails?.itemCount,
    playlist,
  };
}

/**
 * Refused before it costs what a refused write costs.
 * `position` is from 0.
 * @throws InputError `place_too_high`
 */
export function requirePlace(position: number | undefined, places: number | undefined): void {
  if (position === undefined || places === undefined || position < places) return;
  throw new InputError(`there is no place ${position + 1} among ${places}`, {
    code: "place_too_high",
    hint: `Choose a place from 1 to ${places}.`,
    facts: { place: position + 1, most: places },
  });
}

function notFound(): InputError {
  return new InputError("there is no such playlist", {
    code: "playlist_not_found",
    hint: "That playlist can't be found. It may be private or deleted.",
  });
}

function notOwn(channel: string): AccessError {
  return new AccessError("the playlist belongs to another channel", {
    code: "playlist_forbidden",
    hint: "That playlist belongs to somebody else. Only its owner can change it.",
    facts: { channel },
  });
}

function kept(): InputError {
  return new InputError("the service keeps this list itself", {
    code: "playlist_operation_unsupported",
    hint: "This list is kept by the service and can't be changed from here.",
  });
}
