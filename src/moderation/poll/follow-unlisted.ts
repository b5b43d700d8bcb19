import { type Cache, createCache } from "../../cache.ts";
import type { VideoClient } from "../../video/index.ts";
import {
  type CommentCursor,
  type HeldComment,
  type HeldCommentStatus,
  isWaiting,
  type QueuedComment,
  toItemId,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";
import type { ReadListsResult } from "./read-lists.ts";
import { noteReadEveryMs } from "./store-comments.ts";

/** A comment that is younger may not be in YouTube's lists yet. */
const youngMs = 2 * 60_000;
/** How often an unlisted comment that still waits is read by its id. */
const askAgainMs = 3_600_000;
const maxAskedCached = 20_000;
const idsOfCall = 50;
const pageSize = 500;

export interface UnlistedOptions extends ServerWatch {
  readonly isSweep: boolean;
  /** Units that may be spent beyond one per list. */
  readonly spareUnits: number;
  readonly signal: AbortSignal;
}

/**
 * Settles comments that wait here but are in none of YouTube's lists any more: they were decided about on YouTube, or are gone.
 * @throws what `call` throws; ServiceError `store_unavailable`.
 */
export function createUnlistedFollower(room: ModerationRoom) {
  const { comments } = room.records;
  const { now } = room.database;
  // Comments that were lately read by their ids. One that drops out of the cache is simply read once more.
  const askedCache: Cache<true> = createCache({
    maxSize: maxAskedCached,
    maxAgeMs: askAgainMs,
    now,
  });
  return async (
    client: VideoClient,
    options: UnlistedOptions,
    reading: ReadListsResult,
  ): Promise<void> => {
    const unlisted = await findUnlisted(room, options, { ...reading, askedCache });
    const { guildId, signal } = options;
    const wanted = unlisted.map(({ comment }) => comment);
    const fates = await readFates(client, wanted, signal);
    for (const held of unlisted) {
      signal.throwIfAborted();
      askedCache.set(cacheKey(options, held.id), true);
      const fate = fates.get(held.comment.id) ?? "waits";
      const ref = toItemRef(held);
      const readAt = now();
      if (fate !== "waits") {
        await comments.change(guildId, ref, (stored) =>
          isWaiting(stored) ? { ...stored, status: fate, endedAt: readAt, readAt } : stored,
        );
      } else if (readAt - held.readAt >= noteReadEveryMs) {
        await comments.changeSilently(guildId, ref, (stored) => ({ ...stored, readAt }));
      }
    }
  };
}

function cacheKey({ guildId, watch }: UnlistedOptions, itemId: string): string {
  return `${guildId}:${watch.id}:${watch.source}:${itemId}`;
}

/** Comments that wait here but are in none of the lists, as many as the units allow to read. */
async function findUnlisted(
  { database, records: { comments } }: ModerationRoom,
  options: UnlistedOptions,
  {
    candidates,
    whole,
    askedCache,
  }: Pick<ReadListsResult, "candidates" | "whole"> & {
    readonly askedCache: Cache<true>;
  },
): Promise<readonly HeldComment[]> {
  const { guildId, watch, isSweep, spareUnits } = options;
  const most = Math.max(0, Math.floor(spareUnits)) * idsOfCall;
  // Published comments leave the first pages simply by getting older, so they are read by their ids, once per sweep.
  const listedAs = watch.states.filter((one) => (one === "published" ? isSweep : whole.has(one)));
  if (most === 0 || listedAs.length === 0) return [];
  const listed = new Set(candidates.map(({ comment }) => toItemId(comment.id)));
  const found: HeldComment[] = [];
  let after: CommentCursor | undefined;
  do {
    const wanted = { watchId: watch.id, listedAs, limit: pageSize, after };
    const page = await comments.readWaiting(guildId, wanted);
    const ids = page
      .map(({ id }) => id)
      .filter((id) => !listed.has(id) && !askedCache.has(cacheKey(options, id)));
    const read = await comments.readAll(guildId, watch.id, ids);
    found.push(...read.filter(({ seenAt }) => database.now() - seenAt >= youngMs));
    after = page.length < pageSize ? undefined : page.at(-1);
  } while (after !== undefined && found.length < most);
  return found.slice(0, most);
}

type UnlistedFate = Extract<HeldCommentStatus, "elsewhere" | "gone"> | "waits";

/**
 * Reads comments by their ids, 50 for one unit. A comment that is missing in the answer was deleted or rejected on YouTube;
 * there is no way to know which. @throws what `call` throws.
 */
async function readFates(
  client: VideoClient,
  comments: readonly Pick<QueuedComment, "id" | "state">[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnlistedFate>> {
  const fates = new Map<string, UnlistedFate>();
  for (let from = 0; from < comments.length; from += idsOfCall) {
    const some = comments.slice(from, from + idsOfCall);
    const { items } = await client.call(
      "comments.list",
      { part: ["snippet"], id: some.map(({ id }) => id), textFormat: "plainText" },
      { signal },
    );
    const byId = new Map(items.map((comment) => [comment.id ?? "", comment]));
    for (const { id, state } of some) {
      const status = byId.get(id)?.snippet?.moderationStatus;
      const isApproved = status === "published" && state !== "published";
      const fate = isApproved || status === "rejected" ? "elsewhere" : "waits";
      fates.set(id, byId.has(id) ? fate : "gone");
    }
  }
  return fates;
}
