import { type Ctx, kindOf, videoOf } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { PlaylistItem } from "../../video/index.ts";
import { byName } from "./special.ts";
import type { Target } from "./target.ts";

/** Refers to an entry of a playlist by its own id, or by its video. */
export type EntryRef = { readonly itemId: string } | { readonly videoId: string };

/** The most entries at once (facts: ids of one call). */
export const mostAtOnce = 50;

/**
 * Reads an option for entries: a suggestion's id, or a video's link or id.
 * @throws InputError `option_unreadable`, `id_kind`
 */
export function entryRefOf(text: string, option: string): EntryRef {
  const trimmed = text.trim();
  const videoId = videoOf(trimmed);
  if (videoId !== undefined) return { videoId };
  const given = kindOf(trimmed);
  if (given === undefined && /^[\w=-]{12,200}$/u.test(trimmed)) return { itemId: trimmed };
  throw new InputError(`option ${option} is not an entry of a playlist`, {
    code: given === undefined ? "option_unreadable" : "id_kind",
    facts: { option, wanted: "item", ...(given !== undefined && { given }) },
  });
}

/**
 * Reads several, separated by spaces, commas or lines, without duplicates.
 * @throws InputError `option_unreadable`, `id_kind`, `too_many_values`
 */
export function entryRefsOf(text: string, option: string): readonly EntryRef[] {
  const pieces = text.split(/[\s,;|]+/u).filter(Boolean);
  const refs = (pieces.length === 0 ? [text] : pieces).map((piece) => entryRefOf(piece, option));
  const distinct = [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
  if (distinct.length <= mostAtOnce) return distinct;
  throw new InputError(`option ${option} has ${distinct.length} values`, {
    code: "too_many_values",
    facts: { option, most: mostAtOnce, count: distinct.length },
  });
}

/** An entry with its video's title, for questions and answers. */
export interface Entry {
  readonly id: string;
  readonly videoId: string;
  readonly title: string;
  /** From 0. */
  readonly position: number;
}

const entryPart = ["snippet", "contentDetails"] as const;

/** All entries of some videos in a playlist. Costs a unit for each video or page. */
export async function entriesOf(
  ctx: Ctx,
  target: Target,
  videoIds: readonly string[],
): Promise<readonly Entry[]> {
  const { signal } = ctx;
  const wanted = { part: entryPart, playlistId: target.id, maxResults: 50 };
  const found: PlaylistItem[] = [];
  if (pagesOf(target) < videoIds.length) {
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

/** How many calls `entriesOf` takes for so many videos. */
export function looksFor(target: Pick<Target, "count">, videos: number): number {
  return Math.min(Math.max(1, pagesOf(target)), videos);
}

function pagesOf({ count = Number.POSITIVE_INFINITY }: Pick<Target, "count">): number {
  return Math.ceil(count / 50);
}

/** For a video that does not exist the service answers 404 instead of an empty list. */
async function itemsWith(
  ctx: Ctx,
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

/**
 * The entries meant, in the order of the references; what is not in the playlist is left out.
 * @throws what `byName` throws for a list of the service's own
 */
export function resolve(
  ctx: Ctx,
  target: Target,
  refs: readonly EntryRef[],
): Promise<readonly Entry[]> {
  return byName(target.special, "playlistItems.list", () => resolveIn(ctx, target, refs));
}

async function resolveIn(
  ctx: Ctx,
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
  ctx: Ctx,
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

/** Titles of the videos that exist, by id; one unit for all. */
export async function videoTitles(
  ctx: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = { part: ["snippet"], id: ids } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  return new Map(items.map(({ id = "", snippet }) => [id, snippet?.title ?? id]));
}

export function notInPlaylist({ special }: Pick<Target, "special">): InputError {
  return new InputError("the entry is not in the playlist", {
    code: "not_in_playlist",
    facts: { list: special ?? "" },
  });
}
