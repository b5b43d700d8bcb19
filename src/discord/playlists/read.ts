import { AccessError, InputError } from "../../errors.ts";
import type { Playlist, PlaylistItem } from "../../video/index.ts";
import type { Ctx } from "../command.ts";
import type { EntryRef } from "./refs.ts";

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

/** An entry with what questions and answers name it by. */
export interface Entry {
  readonly id: string;
  readonly videoId: string;
  readonly title: string;
  /** From 0. */
  readonly position: number;
}

const entryPart = ["snippet", "contentDetails"] as const;

/** What a playlist holds of some videos, each in every place that it has. Costs a unit for each video or page. */
export async function entriesOf(
  ctx: Ctx<unknown>,
  target: Target,
  videoIds: readonly string[],
): Promise<readonly Entry[]> {
  const { signal } = ctx;
  const wanted = { part: entryPart, playlistId: target.id, maxResults: 50 };
  const pages = Math.ceil((target.count ?? Number.POSITIVE_INFINITY) / 50);
  const found: PlaylistItem[] = [];
  if (pages < videoIds.length) {
    for await (const page of ctx.own.pages("playlistItems.list", wanted, { signal })) {
      found.push(...page.items);
    }
  } else {
    for (const videoId of videoIds) {
      found.push(...(await itemsWith(ctx, { ...wanted, videoId })));
    }
  }
  return found.map(entryOf).filter(({ videoId }) => videoIds.includes(videoId));
}

/** The service answers 404 for a video that is nowhere, instead of nothing. */
async function itemsWith(
  ctx: Ctx<unknown>,
  wanted: { part: typeof entryPart; playlistId: string; maxResults: number; videoId: string },
): Promise<readonly PlaylistItem[]> {
  try {
    const { items } = await ctx.own.call("playlistItems.list", wanted, { signal: ctx.signal });
    return items;
  } catch (error) {
    if (error instanceof InputError && error.code === "video_not_found") return [];
    throw error;
  }
}

/** The entries meant, in the order of the references; what is not in the playlist is left out. */
export async function resolve(
  ctx: Ctx<unknown>,
  target: Target,
  refs: readonly EntryRef[],
): Promise<readonly Entry[]> {
  const ids = refs.flatMap((ref) => ("itemId" in ref ? [ref.itemId] : []));
  const videoIds = refs.flatMap((ref) => ("videoId" in ref ? [ref.videoId] : []));
  const byId = ids.length === 0 ? [] : await entriesById(ctx, target, ids);
  const byVideo = videoIds.length === 0 ? [] : await entriesOf(ctx, target, videoIds);
  const meant = refs.flatMap((ref) =>
    "itemId" in ref
      ? byId.filter(({ id }) => id === ref.itemId)
      : byVideo.filter(({ videoId }) => videoId === ref.videoId),
  );
  return [...new Map(meant.map((entry) => [entry.id, entry])).values()];
}

async function entriesById(
  ctx: Ctx<unknown>,
  target: Target,
  id: readonly string[],
): Promise<readonly Entry[]> {
  const { signal } = ctx;
  const { items } = await ctx.own.call("playlistItems.list", { part: entryPart, id }, { signal });
  return items.filter(({ snippet }) => snippet?.playlistId === target.id).map(entryOf);
}

function entryOf({ id = "", snippet, contentDetails }: PlaylistItem): Entry {
  const videoId = contentDetails?.videoId ?? snippet?.resourceId?.videoId ?? "";
  return { id, videoId, title: snippet?.title ?? videoId, position: snippet?.position ?? 0 };
}

/** Titles by id, of the videos that are there; a unit for all of them. */
export async function videoTitles(
  ctx: Ctx<unknown>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = { part: ["snippet"], id: ids } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  return new Map(items.map(({ id = "", snippet }) => [id, snippet?.title ?? id]));
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
  return new InputError("the list of uploads can't be changed", {
    code: "playlist_operation_unsupported",
    hint: "This list is kept by the service and can't be changed from here.",
  });
}
