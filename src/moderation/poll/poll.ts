import { BotError } from "../../errors.ts";
import type { QueueItem, Watch, WatchProgress } from "../../store/index.ts";
import type { VideoClient } from "../../video/index.ts";
import type { AuthorBook } from "../audit/index.ts";
import { inGroups } from "../in-groups.ts";
import { itemIdOf } from "../items.ts";
import type { PartOptions } from "../parts.ts";
import { within } from "../within.ts";
import { fatesOf } from "./leavers.ts";
import { type Reading, readLists } from "./read-lists.ts";
import { refreshed, takeIn, toldEveryMs } from "./take-in.ts";
import { createTitles } from "./titles.ts";
import { type Candidate, itemOf } from "./to-item.ts";

export interface PollParts
  extends Pick<PartOptions, "store" | "video" | "clock" | "log" | "items" | "announcer"> {
  readonly authors: AuthorBook;
  /** Which texts hold what is looked for in published comments. */
  readonly matches: (
    guildId: string,
    matching: { readonly wanted: readonly string[]; readonly texts: readonly string[] },
  ) => Promise<readonly boolean[]>;
}

/** An item that waits for people, as far as a poll has to know it. */
export interface Waiting {
  readonly id: string;
  readonly commentId: string;
  readonly state: QueueItem["comment"]["state"];
  readonly seenAt: number;
}

/** What a process remembers of a watch's lists from poll to poll; all of it can be forgotten. */
export interface PollMemory {
  /** Items that the lists told, as they told them. */
  readonly told: Map<string, Told>;
  /** When the service was asked for one that no list told. */
  readonly askedAt: Map<string, number>;
}

type Known = (commentId: string) => Promise<QueueItem | undefined>;

interface Told {
  readonly updatedAt: number;
  readonly state: string;
  /** When it was written down that it was told. */
  readonly notedAt: number;
}

export interface PollOptions {
  readonly guildId: string;
  readonly watch: Watch;
  readonly progress: WatchProgress;
  readonly waiting: readonly Waiting[];
  readonly memory: PollMemory;
  readonly isSweep: boolean;
  /** Units beyond one a list. */
  readonly spare: number;
  readonly signal: AbortSignal;
  /** Told of every item as it is written. */
  readonly onItem: (item: QueueItem) => void;
}

export interface Polled {
  readonly found: number;
  readonly newestAt?: number;
}

/** One that is so young may not be in the lists yet. */
const youngMs = 2 * 60_000;
/** One that no list tells and that waits all the same is asked for no more often. */
const askEveryMs = 3_600_000;
const mostRemembered = 5_000;
/** What was not found by then goes to people. */
const matchMs = 30_000;

export type Poll = (client: VideoClient, options: PollOptions) => Promise<Polled>;

/**
 * Reads a watch's lists and takes in what is new. Items are written before this answers, so that whoever moves on after
 * it loses nothing; nothing is written when a list can't be read. @throws what `call` throws; ServiceError
 * `store_unavailable`.
 */
export function createPoll(parts: PollParts): Poll {
  const { store, clock, log, items, announcer, authors } = parts;
  const rows = store.moderation;
  const titles = createTitles(clock.now);

  /** Where nobody can tell, people see too much rather than too little. */
  async function matching(
    { guildId, watch, signal }: PollOptions,
    texts: readonly string[],
  ): Promise<readonly boolean[]> {
    const { match: wanted = [] } = watch;
    if (wanted.length === 0 || texts.length === 0) return texts.map(() => true);
    try {
      return await within(clock, { ms: matchMs, signal }, () =>
        parts.matches(guildId, { wanted, texts }),
      );
    } catch (error) {
      signal.throwIfAborted();
      log.error("published comments could not be looked through", { guildId, error });
      return texts.map(() => true);
    }
  }

  /** The queue's own, as it is; read once a poll. */
  function knownIn({ guildId, watch }: PollOptions): Known {
    const read = new Map<string, Promise<QueueItem | undefined>>();
    return (commentId) => {
      const itemId = itemIdOf(commentId);
      const known = read.get(itemId) ?? items.read(guildId, { watchId: watch.id, itemId });
      read.set(itemId, known);
      return known;
    };
  }

  async function takeAllIn(
    client: VideoClient,
    options: PollOptions,
    { candidates, known }: { readonly candidates: readonly Candidate[]; readonly known: Known },
  ): Promise<number> {
    const { guildId, watch, memory, signal } = options;
    const told = candidates.filter(
      (one) => !isUnchanged(memory.told.get(itemIdOf(one.comment.id)), one, clock.now()),
    );
    const fresh: Candidate[] = [];
    await inGroups(told, signal, async (candidate) => {
      const item = await known(candidate.comment.id);
      if (item === undefined) fresh.push(candidate);
      else await refresh(options, item, candidate);
    });
    if (fresh.length === 0) return 0;
    const shown = await shownVideos(client, options, fresh);
    const added: QueueItem[] = [];
    await inGroups(fresh.sort(byAge), signal, async (candidate) => {
      const video = shown.get(candidate.comment.videoId ?? "");
      const item = itemOf(watch, candidate, { now: clock.now(), video });
      const taken = await takeIn(rows, guildId, item);
      if (taken.isNew) added.push(taken.item);
      options.onItem(taken.item);
      remember(memory, candidate, clock.now());
    });
    await authors.seen(
      guildId,
      added.map(({ comment }) => comment),
    );
    return added.length;
  }

  async function refresh(
    { guildId, watch, memory, onItem }: PollOptions,
    known: QueueItem,
    candidate: Candidate,
  ): Promise<void> {
    const now = clock.now();
    remember(memory, candidate, now);
    // Most are as they were, and to write costs more than to read.
    if (refreshed(known, candidate, now) === known) return;
    const ref = { watchId: watch.id, itemId: known.id };
    let was: QueueItem | undefined;
    const item = await rows.items.update(guildId, `${watch.id}:${known.id}`, (stored) => {
      was = stored;
      return stored && refreshed(stored, candidate, now);
    });
    if (item === undefined) return;
    onItem(item);
    if (item.revision !== was?.revision) announcer.changed(guildId, ref);
  }

  /** A card without its video's title is better than none. */
  async function shownVideos(
    client: VideoClient,
    { guildId, watch, signal }: PollOptions,
    candidates: readonly Candidate[],
  ) {
    const videoIds = candidates.flatMap(({ comment }) => comment.videoId ?? []);
    try {
      return await titles.of(client, { guildId, source: watch.source, videoIds, signal });
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      log.debug("videos of new comments were not read", { error });
      return new Map<string, NonNullable<QueueItem["video"]>>();
    }
  }

  /** Those that wait here and are in none of the lists any more. */
  function leaversOf(options: PollOptions, { candidates, whole }: Reading): readonly Waiting[] {
    const { waiting, memory, isSweep } = options;
    const now = clock.now();
    const listed = new Set(candidates.map(({ comment }) => itemIdOf(comment.id)));
    return waiting.filter(({ id, state, seenAt }) => {
      if (listed.has(id) || now - seenAt < youngMs) return false;
      if (now - (memory.askedAt.get(id) ?? 0) < askEveryMs) return false;
      // Published ones leave the first pages by themselves.
      return state === "published" ? isSweep : whole.has(state);
    });
  }

  async function followLeavers(
    client: VideoClient,
    options: PollOptions,
    leavers: readonly Waiting[],
  ): Promise<void> {
    const { guildId, watch, memory, signal } = options;
    const some = leavers.slice(0, Math.max(0, Math.floor(options.spare)) * 50);
    const asked = some.map(({ commentId, state }) => ({ id: commentId, state }));
    const fates = await fatesOf(client, asked, signal);
    for (const { id: itemId, commentId } of some) {
      const ref = { watchId: watch.id, itemId };
      const fate = fates.get(commentId) ?? "waits";
      const now = clock.now();
      memory.askedAt.set(itemId, now);
      if (fate === "waits") {
        const told = (item: QueueItem) =>
          now - item.readAt < toldEveryMs ? item : { ...item, readAt: now };
        await items.note(guildId, ref, told);
        continue;
      }
      memory.told.delete(itemId);
      const changed = await items.change(guildId, ref, (item) =>
        item.status === "open" || item.status === "later"
          ? { ...item, status: fate, endedAt: now, readAt: now }
          : item,
      );
      if (changed === undefined) continue;
      options.onItem(changed.item);
      if (changed.isChanged) announcer.changed(guildId, ref);
    }
  }

  return async (client, options) => {
    const { watch, progress, memory, spare, isSweep, signal } = options;
    const since = progress.newestAt ?? watch.addedAt;
    const known = knownIn(options);
    const reading = await readLists(client, watch, {
      ...{ signal, isSweep, spare, since },
      matching: (texts) => matching(options, texts),
      isKnown: async (commentId) =>
        memory.told.has(itemIdOf(commentId)) || (await known(commentId)) !== undefined,
    });
    const { candidates } = reading;
    const found = await takeAllIn(client, options, { candidates, known });
    await followLeavers(client, options, leaversOf(options, reading));
    forget(memory, clock.now());
    const newestAt = newestOf(candidates, since);
    return { found, ...(newestAt !== undefined && { newestAt }) };
  };
}

function isUnchanged(told: Told | undefined, { comment }: Candidate, now: number): boolean {
  return (
    told !== undefined &&
    told.updatedAt === comment.updatedAt &&
    told.state === comment.state &&
    now - told.notedAt < toldEveryMs
  );
}

function remember({ told }: PollMemory, { comment }: Candidate, now: number): void {
  const { updatedAt, state } = comment;
  told.set(itemIdOf(comment.id), { updatedAt, state, notedAt: now });
}

/** What is forgotten is read from the store when it is told again. */
function forget({ told, askedAt }: PollMemory, now: number): void {
  if (told.size > mostRemembered) told.clear();
  for (const [id, at] of askedAt) if (now - at >= askEveryMs) askedAt.delete(id);
}

function newestOf(candidates: readonly Candidate[], since: number): number | undefined {
  const published = candidates.filter(({ comment }) => comment.state === "published");
  if (published.length === 0) return undefined;
  return Math.max(since, ...published.map(({ comment }) => comment.publishedAt));
}

function byAge(one: Candidate, other: Candidate): number {
  return one.comment.publishedAt - other.comment.publishedAt;
}
