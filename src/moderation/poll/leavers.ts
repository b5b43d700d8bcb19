import { type Cache, createCache } from "../../cache.ts";
import type { Comment, VideoClient } from "../../video/index.ts";
import type { PartOptions, QueueAt } from "../parts.ts";
import {
  type CommentStatus,
  type CommentsAfter,
  type HeldComment,
  itemIdOf,
  type QueuedComment,
  refOf,
} from "../records/index.ts";
import type { Reading } from "./read-lists.ts";
import { toldEveryMs } from "./take-in.ts";

/** A comment that came so recently may not be in the lists yet. */
const youngMs = 2 * 60_000;
/** A comment that no list tells of, and that waits all the same, is asked for no more often. */
const askEveryMs = 3_600_000;
const mostAsked = 20_000;
const idsOfCall = 50;
const pageSize = 500;

export interface LeaverOptions extends QueueAt {
  readonly isSweep: boolean;
  /** Units beyond one a list. */
  readonly spareUnits: number;
  readonly signal: AbortSignal;
}

/** Comments that the service was asked for by their ids because no list told of them. */
type AskedCache = Cache<true>;

type LeaverDeps = Pick<PartOptions, "database" | "records">;

/**
 * Follows comments that wait here and are in none of the lists any more: they were decided about on the platform, or are
 * gone. @throws what `call` throws; ServiceError `store_unavailable`.
 */
export function createLeavers(deps: LeaverDeps) {
  // One that is forgotten is asked for once more.
  const askedCache: AskedCache = createCache({
    maxSize: mostAsked,
    maxAgeMs: askEveryMs,
    now: deps.database.now,
  });
  return async (client: VideoClient, options: LeaverOptions, reading: Reading): Promise<void> => {
    const leavers = await leaversOf({ ...deps, askedCache }, options, reading);
    const asked = leavers.map(({ comment }) => comment);
    const fates = await fatesOf(client, asked, options.signal);
    for (const held of leavers) {
      options.signal.throwIfAborted();
      askedCache.set(keyOf(options, held.id), true);
      await follow(deps, options.guildId, { held, fate: fates.get(held.comment.id) ?? "waits" });
    }
  };
}

function keyOf({ guildId, watch }: LeaverOptions, itemId: string): string {
  return `${guildId}:${watch.id}:${watch.source}:${itemId}`;
}

/** Those that wait here and are in none of the lists any more, as many as may be asked for. */
async function leaversOf(
  { database, records: { comments }, askedCache }: LeaverDeps & { readonly askedCache: AskedCache },
  options: LeaverOptions,
  { candidates, whole }: Reading,
): Promise<readonly HeldComment[]> {
  const { guildId, watch, isSweep, spareUnits } = options;
  const most = Math.max(0, Math.floor(spareUnits)) * idsOfCall;
  // Published ones leave the first pages by themselves.
  const listedAs = [...whole].filter((state) => state !== "published" || isSweep);
  if (most === 0 || listedAs.length === 0) return [];
  const listed = new Set(candidates.map(({ comment }) => itemIdOf(comment.id)));
  const leavers: HeldComment[] = [];
  let after: CommentsAfter | undefined;
  do {
    const page = await comments.waiting(guildId, {
      ...{ watchId: watch.id, listedAs, limit: pageSize },
      after,
    });
    const unlisted = page
      .map(({ id }) => id)
      .filter((id) => !listed.has(id) && !askedCache.has(keyOf(options, id)));
    const read = await comments.readAll(guildId, watch.id, unlisted);
    leavers.push(...read.filter(({ seenAt }) => database.now() - seenAt >= youngMs));
    after = page.length < pageSize ? undefined : page.at(-1);
  } while (after !== undefined && leavers.length < most);
  return leavers.slice(0, most);
}

async function follow(
  { database, records: { comments } }: LeaverDeps,
  guildId: string,
  { held, fate }: { readonly held: HeldComment; readonly fate: Fate },
): Promise<void> {
  const at = database.now();
  if (fate === "waits") {
    if (at - held.readAt < toldEveryMs) return;
    await comments.note(guildId, refOf(held), (stored) => ({ ...stored, readAt: at }));
    return;
  }
  await comments.change(guildId, refOf(held), (stored) =>
    stored.status === "open" || stored.status === "later"
      ? { ...stored, status: fate, endedAt: at, readAt: at }
      : stored,
  );
}

/** What became of a comment that no list tells of any more. */
type Fate = Extract<CommentStatus, "elsewhere" | "gone"> | "waits";

/**
 * Asks for comments one by one: 50 a unit. One that nobody tells was deleted, or rejected on the platform, and
 * nothing tells which. @throws what `call` throws.
 */
async function fatesOf(
  client: VideoClient,
  comments: readonly Pick<QueuedComment, "id" | "state">[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Fate>> {
  const fates = new Map<string, Fate>();
  for (let from = 0; from < comments.length; from += idsOfCall) {
    const some = comments.slice(from, from + idsOfCall);
    const { items } = await client.call(
      "comments.list",
      { part: ["snippet"], id: some.map(({ id }) => id), textFormat: "plainText" },
      { signal },
    );
    const told = new Map(items.map((comment) => [comment.id ?? "", comment]));
    for (const { id, state } of some) fates.set(id, fateOf(told.get(id), state));
  }
  return fates;
}

function fateOf(comment: Comment | undefined, state: QueuedComment["state"]): Fate {
  if (comment === undefined) return "gone";
  const { moderationStatus } = comment.snippet ?? {};
  if (moderationStatus === "rejected") return "elsewhere";
  return moderationStatus === "published" && state !== "published" ? "elsewhere" : "waits";
}
