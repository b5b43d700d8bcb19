import { typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { PlaylistItem } from "../../video/index.ts";
import { listedValues, readLinkKind, readVideoRef } from "../../video-links/index.ts";
import type { Ctx } from "../context/index.ts";
import type { PlaylistToChange } from "./playlist-to-change.ts";
import { nameRefusedList } from "./special-list.ts";

/** Refers to an entry of a playlist by its own id, or by its video. */
export type EntryRef = { readonly itemId: string } | { readonly videoId: string };

/** The most entries in one command: docs/services/youtube.md#ids-of-one-call */
export const maxEntriesAtOnce = 50;

/**
 * Reads one entry from an option: a suggestion's id, or a video's link or id.
 * @throws InputError `option_unreadable`, `id_kind`
 */
export function readEntryRef(text: string, option: string): EntryRef {
  const trimmed = text.trim();
  const videoId = readVideoRef(trimmed);
  if (videoId !== undefined) return { videoId };
  const kind = readLinkKind(trimmed);
  if (kind === undefined && /^[\w=-]{12,200}$/u.test(trimmed)) return { itemId: trimmed };
  const typed = typedText(trimmed);
  throw new InputError(`option ${option} is not an entry of a playlist`, {
    code: kind === undefined ? "option_unreadable" : "id_kind",
    facts: { option, wanted: "item", given: kind ?? typed, typed },
  });
}

/** The entries that several references mean. */
interface EntryRefs {
  readonly refs: readonly EntryRef[];
  /** What was typed and means no entry. */
  readonly unread: readonly string[];
}

/**
 * Reads several entries, separated by spaces, commas or lines, without duplicates.
 * @throws InputError `too_many_values`; `option_unreadable` or `id_kind` if nothing of it is an entry
 */
export function readEntryRefs(text: string, option: string): EntryRefs {
  const pieces = listedValues(text);
  const read = (pieces.length === 0 ? [text] : pieces).map((piece) => {
    try {
      return { piece, ref: readEntryRef(piece, option) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { piece, error };
    }
  });
  const refs = read.flatMap(({ ref }) => ref ?? []);
  const [failed] = read.flatMap(({ error }) => error ?? []);
  if (refs.length === 0 && failed !== undefined) throw failed;
  const distinct = [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
  const unread = read.flatMap(({ piece, error }) => (error === undefined ? [] : [piece]));
  if (distinct.length <= maxEntriesAtOnce) return { refs: distinct, unread };
  throw new InputError(`option ${option} has ${distinct.length} values`, {
    code: "too_many_values",
    facts: { option, most: maxEntriesAtOnce, count: distinct.length },
  });
}

export interface NamedPlaylistEntry {
  readonly id: string;
  readonly videoId: string;
  readonly title: string;
  /** From 0. */
  readonly position: number;
}

const entryPart = ["snippet", "contentDetails"] as const;

/** All entries with one of these videos. Costs a unit for each video or for each page, whichever is less. */
export async function readEntriesOfVideos(
  ctx: Ctx,
  target: PlaylistToChange,
  videoIds: readonly string[],
): Promise<readonly NamedPlaylistEntry[]> {
  const { signal } = ctx;
  const wanted = { part: entryPart, playlistId: target.id, maxResults: 50 };
  const found: PlaylistItem[] = [];
  if (countPages(target) < videoIds.length) {
    for await (const page of ctx.own.pages("playlistItems.list", wanted, { signal })) {
      found.push(...page.items);
    }
  } else {
    for (const videoId of videoIds) {
      found.push(...(await itemsWith(ctx, { ...wanted, videoId })));
    }
  }
  return found.map(readEntry).filter(({ videoId }) => videoIds.includes(videoId));
}

/** How many calls `readEntriesOfVideos` makes for so many videos. */
export function countEntryCalls(target: Pick<PlaylistToChange, "count">, videos: number): number {
  return Math.min(Math.max(1, countPages(target)), videos);
}

function countPages({ count = Number.POSITIVE_INFINITY }: Pick<PlaylistToChange, "count">): number {
  return Math.ceil(count / 50);
}

/** If the video does not exist, YouTube answers 404 instead of an empty list. */
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
 * The entries that the references mean, in their order. What is not in the playlist is left out.
 * @throws what `nameRefusedList` throws for one of YouTube's own lists
 */
export function resolveEntries(
  ctx: Ctx,
  target: PlaylistToChange,
  refs: readonly EntryRef[],
): Promise<readonly NamedPlaylistEntry[]> {
  return nameRefusedList(target.special, "playlistItems.list", async () => {
    const ids = refs.flatMap((ref) => ("itemId" in ref ? [ref.itemId] : []));
    const videoIds = refs.flatMap((ref) => ("videoId" in ref ? [ref.videoId] : []));
    const byId = ids.length === 0 ? [] : await entriesById(ctx, target, ids);
    const byVideo = videoIds.length === 0 ? [] : await readEntriesOfVideos(ctx, target, videoIds);
    const meant = refs.flatMap((ref) =>
      "itemId" in ref
        ? byId.filter(({ id }) => id === ref.itemId)
        : byVideo.filter(({ videoId }) => videoId === ref.videoId),
    );
    return [...new Map(meant.map((entry) => [entry.id, entry])).values()];
  });
}

async function entriesById(
  ctx: Ctx,
  target: PlaylistToChange,
  id: readonly string[],
): Promise<readonly NamedPlaylistEntry[]> {
  const { signal } = ctx;
  const { items } = await ctx.own.call("playlistItems.list", { part: entryPart, id }, { signal });
  return items.filter(({ snippet }) => snippet?.playlistId === target.id).map(readEntry);
}

function readEntry({ id = "", snippet, contentDetails }: PlaylistItem): NamedPlaylistEntry {
  const videoId = contentDetails?.videoId ?? snippet?.resourceId?.videoId ?? "";
  return { id, videoId, title: snippet?.title ?? videoId, position: snippet?.position ?? 0 };
}

/** The titles of the videos that exist, by id. Costs one unit. */
export async function readVideoTitles(
  ctx: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = { part: ["snippet"], id: ids } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  return new Map(items.map(({ id = "", snippet }) => [id, snippet?.title ?? id]));
}

/** The error repeats what was typed for the entry. */
export function notInPlaylistError(
  { special }: Pick<PlaylistToChange, "special">,
  typed: string,
): InputError {
  return new InputError("the entry is not in the playlist", {
    code: "not_in_playlist",
    facts: { list: special ?? "", given: typedText(typed) },
  });
}
