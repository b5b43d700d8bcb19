import { LRUCache } from "lru-cache";
import { BotError } from "../../errors.ts";
import type { VideoClient } from "../../video/index.ts";
import type { ModerationOptions } from "../parts.ts";
import {
  type CommentsAfter,
  type HeldComment,
  itemIdOf,
  type Watch,
  type WatchProgress,
} from "../records/index.ts";
import { within } from "../within.ts";
import { fatesOf } from "./leavers.ts";
import { type Reading, readLists } from "./read-lists.ts";
import { refreshed, type TakeInDeps, takeIn, toldEveryMs } from "./take-in.ts";
import { createTitleCache } from "./titles.ts";
import { type Candidate, heldCommentOf } from "./to-comment.ts";

export interface PollDeps extends TakeInDeps, Pick<ModerationOptions, "clock" | "log"> {
  /** Which texts hold what is looked for in published comments. */
  readonly matches: (
    guildId: string,
    matching: { readonly wanted: readonly string[]; readonly texts: readonly string[] },
  ) => Promise<readonly boolean[]>;
}

export interface PollOptions {
  readonly guildId: string;
  readonly watch: Watch;
  readonly progress: WatchProgress;
  readonly isSweep: boolean;
  /** Units beyond one a list. */
  readonly spareUnits: number;
  readonly signal: AbortSignal;
}

export interface Polled {
  readonly found: number;
  readonly newestAt?: number;
}

/** One that is so young may not be in the lists yet. */
const youngMs = 2 * 60_000;
/** One that no list tells and that waits all the same is asked for no more often. */
const askEveryMs = 3_600_000;
const mostAsked = 20_000;
/** What was not found by then goes to people. */
const matchMs = 30_000;
const idsOfCall = 50;
const pageSize = 500;

export type Poll = (client: VideoClient, options: PollOptions) => Promise<Polled | undefined>;

/**
 * Reads a watch's lists and takes in what is new. Comments are written before this answers, so that whoever moves on after
 * it loses nothing; nothing is written when a list can't be read. Answers undefined where the watch was stopped meanwhile.
 * @throws what `call` throws; ServiceError `store_unavailable`.
 */
export function createPoll(deps: PollDeps): Poll {
  const { clock, log } = deps;
  const { comments } = deps.records;
  const { now } = deps.database;
  const titles = createTitleCache(now);
  /** Which comments the service was asked for that no list told. One that is forgotten is asked for once more. */
  const askedCache = new LRUCache<string, true>({
    ...{ max: mostAsked, ttl: askEveryMs, ttlResolution: 0, perf: { now } },
  });

  /** Where nobody can tell, people see too much rather than too little. */
  async function matching(
    { guildId, watch, signal }: PollOptions,
    texts: readonly string[],
  ): Promise<readonly boolean[]> {
    const { match: wanted = [] } = watch;
    if (wanted.length === 0 || texts.length === 0) return texts.map(() => true);
    try {
      return await within(clock, { ms: matchMs, signal }, () =>
        deps.matches(guildId, { wanted, texts }),
      );
    } catch (error) {
      signal.throwIfAborted();
      log.error("published comments could not be looked through", { guildId, error });
      return texts.map(() => true);
    }
  }

  /** The queue's own, as they are; each is read once a poll. */
  function knownIn({ guildId, watch }: PollOptions) {
    const read = new Map<string, HeldComment | undefined>();
    return async (commentIds: readonly string[]) => {
      const ids = commentIds.map(itemIdOf);
      const missing = ids.filter((id) => !read.has(id));
      for (const id of missing) read.set(id, undefined);
      for (const held of await comments.readAll(guildId, watch.id, missing))
        read.set(held.id, held);
      return ids.map((id) => read.get(id));
    };
  }

  /** Answers how many were new; undefined where the watch was stopped. */
  async function takeAllIn(
    client: VideoClient,
    options: PollOptions,
    { candidates, known }: { readonly candidates: readonly Candidate[]; readonly known: Known },
  ): Promise<number | undefined> {
    const { watch, signal } = options;
    const fresh: Candidate[] = [];
    for (const [index, held] of (
      await known(candidates.map(({ comment }) => comment.id))
    ).entries()) {
      const candidate = candidates[index];
      if (candidate === undefined) continue;
      if (held === undefined) fresh.push(candidate);
      else await refresh(options, held, candidate);
    }
    if (fresh.length === 0) return 0;
    const shown = await shownVideos(client, options, fresh);
    signal.throwIfAborted();
    const at = now();
    const added = fresh.sort(byAge).map((candidate) => {
      const video = shown.get(candidate.comment.videoId ?? "");
      return heldCommentOf(watch, candidate, { now: at, video });
    });
    return takeIn(deps, options, added);
  }

  /** Most are as they were, and to write costs more than to read. */
  async function refresh(
    { guildId, watch, signal }: PollOptions,
    held: HeldComment,
    candidate: Candidate,
  ): Promise<void> {
    const at = now();
    const found = refreshed(held, candidate, at);
    if (found === undefined) return;
    signal.throwIfAborted();
    const ref = { watchId: watch.id, itemId: held.id };
    const make = (stored: HeldComment) => refreshed(stored, candidate, at)?.comment ?? stored;
    await (found.isShown ? comments.change(guildId, ref, make) : comments.note(guildId, ref, make));
  }

  /** A card without its video's title is better than none. */
  async function shownVideos(
    client: VideoClient,
    { guildId, watch, signal }: PollOptions,
    candidates: readonly Candidate[],
  ) {
    const videoIds = candidates.flatMap(({ comment }) => comment.videoId ?? []);
    try {
      return await titles(client, { guildId, source: watch.source, videoIds, signal });
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      log.debug("videos of new comments were not read", { error });
      return new Map<string, NonNullable<HeldComment["video"]>>();
    }
  }

  /** Those that wait here and are in none of the lists any more, as many as may be asked for. */
  async function leaversOf(
    { guildId, watch, isSweep, spareUnits }: PollOptions,
    { candidates, whole }: Reading,
  ): Promise<readonly HeldComment[]> {
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
        .filter(({ id }) => !listed.has(id) && !askedCache.has(keyOf(guildId, watch, id)))
        .map(({ id }) => id);
      const read = await comments.readAll(guildId, watch.id, unlisted);
      leavers.push(...read.filter(({ seenAt }) => now() - seenAt >= youngMs));
      after = page.length < pageSize ? undefined : page.at(-1);
    } while (after !== undefined && leavers.length < most);
    return leavers.slice(0, most);
  }

  async function followLeavers(
    client: VideoClient,
    { guildId, watch, signal }: PollOptions,
    leavers: readonly HeldComment[],
  ): Promise<void> {
    const fates = await fatesOf(
      client,
      leavers.map(({ comment }) => comment),
      signal,
    );
    for (const { id: itemId, comment, readAt } of leavers) {
      signal.throwIfAborted();
      const ref = { watchId: watch.id, itemId };
      const fate = fates.get(comment.id) ?? "waits";
      const at = now();
      askedCache.set(keyOf(guildId, watch, itemId), true);
      if (fate === "waits") {
        if (at - readAt < toldEveryMs) continue;
        await comments.note(guildId, ref, (held) => ({ ...held, readAt: at }));
        continue;
      }
      await comments.change(guildId, ref, (held) =>
        held.status === "open" || held.status === "later"
          ? { ...held, status: fate, endedAt: at, readAt: at }
          : held,
      );
    }
  }

  return async (client, options) => {
    const { watch, progress, spareUnits, isSweep, signal } = options;
    const since = progress.newestAt ?? watch.addedAt;
    const known = knownIn(options);
    const reading = await readLists(client, watch, {
      ...{ signal, isSweep, spareUnits, since },
      matching: (texts) => matching(options, texts),
      areKnown: async (ids) => (await known(ids)).every((held) => held !== undefined),
    });
    const { candidates } = reading;
    const found = await takeAllIn(client, options, { candidates, known });
    if (found === undefined) return undefined;
    await followLeavers(client, options, await leaversOf(options, reading));
    const newestAt = newestOf(candidates, since);
    return { found, ...(newestAt !== undefined && { newestAt }) };
  };
}

type Known = (commentIds: readonly string[]) => Promise<readonly (HeldComment | undefined)[]>;

function keyOf(guildId: string, { id, source }: Watch, itemId: string): string {
  return `${guildId}:${id}:${source}:${itemId}`;
}

function newestOf(candidates: readonly Candidate[], since: number): number | undefined {
  const published = candidates.filter(({ comment }) => comment.state === "published");
  if (published.length === 0) return undefined;
  return Math.max(since, ...published.map(({ comment }) => comment.publishedAt));
}

function byAge(one: Candidate, other: Candidate): number {
  return one.comment.publishedAt - other.comment.publishedAt;
}
