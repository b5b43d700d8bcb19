import { createCache } from "../../cache.ts";
import { withTimeout } from "../../clock.ts";
import { BotError } from "../../errors.ts";
import { smallThumbnail, type Video, type VideoClient } from "../../video/index.ts";
import type { ModerationDeps } from "../deps.ts";
import { type HeldComment, toItemId, type WatchProgress } from "../records/index.ts";
import { createUnlistedFollower, type UnlistedOptions } from "./follow-unlisted.ts";
import { type ListedComment, toHeldComment } from "./listed-comment.ts";
import { readLists } from "./read-lists.ts";
import { refreshComment, type StoreCommentsDeps, storeNewComments } from "./store-comments.ts";

interface PollDeps extends StoreCommentsDeps, Pick<ModerationDeps, "clock" | "log"> {
  /** Which texts contain what the watch looks for in published comments. */
  readonly matches: (
    guildId: string,
    matching: { readonly wanted: readonly string[]; readonly texts: readonly string[] },
  ) => Promise<readonly boolean[]>;
}

interface PollOptions extends UnlistedOptions {
  readonly progress: WatchProgress;
}

export interface PollResult {
  readonly found: number;
  readonly newestAt?: number;
}

/** After this long, comments are shown to people without being matched. */
const matchTimeoutMs = 30_000;

export type Poll = (client: VideoClient, options: PollOptions) => Promise<PollResult | undefined>;

interface PollContext extends PollDeps {
  readonly titles: ReturnType<typeof createTitleCache>;
}

/**
 * Reads a watch's lists and stores new comments. Comments are written before it returns, so nothing is lost when the caller
 * then saves the progress. If a list can't be read, nothing is written. Returns undefined if the watch was removed meanwhile.
 * @throws what `call` throws; ServiceError `store_unavailable`.
 */
export function createPoll(deps: PollDeps): Poll {
  const parts: PollContext = { ...deps, titles: createTitleCache(deps.database.now) };
  const followLeavers = createUnlistedFollower(deps);

  return async (client, options) => {
    const { watch, progress, spareUnits, isSweep, signal } = options;
    const since = progress.newestAt ?? watch.addedAt;
    const known = createKnownComments(deps, options);
    const reading = await readLists(client, watch, {
      signal,
      isSweep,
      spareUnits,
      since,
      matching: (texts) => matchPublished(deps, options, texts),
      areKnown: async (ids) => (await known(ids)).every((held) => held !== undefined),
    });
    const { candidates } = reading;
    const found = await storeCandidates(parts, client, { ...options, candidates, known });
    if (found === undefined) return undefined;
    await followLeavers(client, options, reading);
    const newestAt = newestOf(candidates, since);
    return { found, ...(newestAt !== undefined && { newestAt }) };
  };
}

/** If matching fails, people see too many comments rather than too few. */
async function matchPublished(
  { matches, clock, log }: PollDeps,
  { guildId, watch, signal }: PollOptions,
  texts: readonly string[],
): Promise<readonly boolean[]> {
  const { match: wanted = [] } = watch;
  if (wanted.length === 0 || texts.length === 0) return texts.map(() => true);
  try {
    const find = () => matches(guildId, { wanted, texts });
    return await withTimeout(find, { timeoutMs: matchTimeoutMs, clock, signal });
  } catch (error) {
    signal.throwIfAborted();
    log.error("published comments could not be looked through", { guildId, error });
    return texts.map(() => true);
  }
}

type KnownComments = (
  commentIds: readonly string[],
) => Promise<readonly (HeldComment | undefined)[]>;

/** Looks up stored comments; each is read at most once per poll. */
function createKnownComments(
  { records: { comments } }: PollDeps,
  { guildId, watch }: PollOptions,
): KnownComments {
  const read = new Map<string, HeldComment | undefined>();
  return async (commentIds) => {
    const ids = commentIds.map(toItemId);
    const missing = ids.filter((id) => !read.has(id));
    for (const id of missing) read.set(id, undefined);
    for (const held of await comments.readAll(guildId, watch.id, missing)) read.set(held.id, held);
    return ids.map((id) => read.get(id));
  };
}

interface StoreOptions extends PollOptions {
  readonly candidates: readonly ListedComment[];
  readonly known: KnownComments;
}

/** Stores new comments and refreshes known ones. Returns how many were new; undefined if the watch was removed. */
async function storeCandidates(
  parts: PollContext,
  client: VideoClient,
  options: StoreOptions,
): Promise<number | undefined> {
  const { watch, signal, candidates, known } = options;
  const fresh: ListedComment[] = [];
  const all = await known(candidates.map(({ comment }) => comment.id));
  for (const [index, held] of all.entries()) {
    const candidate = candidates[index];
    if (candidate === undefined) continue;
    if (held === undefined) fresh.push(candidate);
    else await refreshStored(parts, options, { held, candidate });
  }
  const undecided = await withoutDecided(parts, options, fresh);
  if (undecided.length === 0) return 0;
  const shown = await readVideoTitles(parts, client, { ...options, candidates: undecided });
  signal.throwIfAborted();
  const at = parts.database.now();
  const added = undecided.sort(byAge).map((candidate) => {
    const video = shown.get(candidate.comment.videoId ?? "");
    return toHeldComment(watch, candidate, { now: at, video });
  });
  return storeNewComments(parts, options, added);
}

/** Comments that are new here, except published ones that people of this server have approved or answered elsewhere. */
async function withoutDecided(
  { records: { audit } }: PollDeps,
  { guildId }: PollOptions,
  fresh: readonly ListedComment[],
): Promise<ListedComment[]> {
  const undecided: ListedComment[] = [];
  for (const candidate of fresh) {
    const { id, state } = candidate.comment;
    const entries = state === "published" ? await audit.ofComment(guildId, id) : [];
    const isDecided = entries.some(
      ({ act, answer }) => answer === "done" && (act === "approved" || act === "replied"),
    );
    if (!isDecided) undecided.push(candidate);
  }
  return undecided;
}

/** Writes only what changed: most comments stay the same, and a write costs more than a read. */
async function refreshStored(
  { database, records: { authors, comments } }: PollDeps,
  { guildId, watch, signal }: PollOptions,
  { held, candidate }: { readonly held: HeldComment; readonly candidate: ListedComment },
): Promise<void> {
  const at = database.now();
  const found = refreshComment(held, candidate, at);
  if (found === undefined) return;
  signal.throwIfAborted();
  const ref = { watchId: watch.id, itemId: held.id };
  const make = (stored: HeldComment) => refreshComment(stored, candidate, at)?.comment ?? stored;
  await (found.isShown
    ? comments.change(guildId, ref, make)
    : comments.changeSilently(guildId, ref, make));
  // It waits again, so it counts as approved no longer.
  if (held.status === "approved" && found.comment.status === "open") {
    await authors.add(guildId, held.comment.authorId, { approved: -1 });
  }
}

/** Titles of the comments' videos. If reading them fails, cards come without titles. */
async function readVideoTitles(
  { titles, log }: PollContext,
  client: VideoClient,
  { guildId, watch, signal, candidates }: Omit<StoreOptions, "known">,
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

function newestOf(candidates: readonly ListedComment[], since: number): number | undefined {
  const published = candidates.filter(({ comment }) => comment.state === "published");
  if (published.length === 0) return undefined;
  return Math.max(since, ...published.map(({ comment }) => comment.publishedAt));
}

function byAge(one: ListedComment, other: ListedComment): number {
  return one.comment.publishedAt - other.comment.publishedAt;
}

type VideoTitle = NonNullable<HeldComment["video"]>;

interface TitleRequest {
  readonly guildId: string;
  readonly source: string;
  readonly videoIds: readonly string[];
  readonly signal: AbortSignal;
}

const titleMaxAgeMs = 24 * 3_600_000;
const maxTitles = 2_000;
const idsOfCall = 50;

/**
 * Reads titles of videos and caches them for a day. Returns them by video id; 50 that are not cached cost one unit.
 * @throws what `call` throws.
 */
export function createTitleCache(now: () => number) {
  /**
   * By server, linked channel and video: a title that one server may read, such as a private video's, must not be shown in
   * another server that has linked the same channel.
   */
  const cache = createCache<{ readonly shown: VideoTitle | undefined }>({
    maxSize: maxTitles,
    maxAgeMs: titleMaxAgeMs,
    now,
  });

  return async (
    client: VideoClient,
    { guildId, source, videoIds, signal }: TitleRequest,
  ): Promise<ReadonlyMap<string, VideoTitle>> => {
    const keyOf = (id: string) => `${guildId} ${source} ${id}`;
    const wanted = [...new Set(videoIds)];
    const shown = new Map(
      wanted.flatMap((id) => {
        const known = cache.get(keyOf(id));
        return known === undefined ? [] : [[id, known.shown] as const];
      }),
    );
    const missing = wanted.filter((id) => !shown.has(id));
    for (let from = 0; from < missing.length; from += idsOfCall) {
      const id = missing.slice(from, from + idsOfCall);
      const { items } = await client.call("videos.list", { part: ["snippet"], id }, { signal });
      const found = new Map(items.map((video) => [video.id ?? "", videoTitleOf(video)]));
      for (const one of id) {
        shown.set(one, found.get(one));
        cache.set(keyOf(one), { shown: found.get(one) });
      }
    }
    return new Map([...shown].flatMap(([id, one]) => (one === undefined ? [] : [[id, one]])));
  };
}

function videoTitleOf({ snippet }: Video): VideoTitle | undefined {
  if (snippet?.title === undefined) return undefined;
  return { title: snippet.title, thumbnailUrl: smallThumbnail(snippet.thumbnails) };
}
