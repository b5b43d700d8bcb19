import { createCache } from "../../cache.ts";
import { withTimeout } from "../../clock.ts";
import { BotError } from "../../errors.ts";
import { smallThumbnail, type VideoClient } from "../../video/index.ts";
import { type ListedComment, toHeldComment } from "../listed-comment.ts";
import { type HeldComment, toItemId, toItemRef, type WatchProgress } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { CommentAdviser } from "../rules/judge.ts";
import { matchTexts } from "../rules/match-texts.ts";
import { createUnlistedFollower, type UnlistedOptions } from "./follow-unlisted.ts";
import { listDelayMs, readLists } from "./read-lists.ts";
import { refreshComment, storeNewComments } from "./store-comments.ts";

interface PollOptions extends UnlistedOptions {
  readonly progress: WatchProgress;
  /** Published comments that are older are ignored. */
  readonly since: number;
  /** Read with a key alone, so whatever the rules find is advice. */
  readonly isByKey: boolean;
}

/** What the rules find in a comment, before it is stored. */
type FoundAdvice = Awaited<ReturnType<CommentAdviser>>[number];

export interface PollResult {
  readonly found: number;
  readonly newestAt: number | undefined;
}

/** After this long, comments are shown to people without being matched. */
const matchTimeoutMs = 30_000;

export type Poll = (client: VideoClient, options: PollOptions) => Promise<PollResult | undefined>;

/**
 * Reads a watch's lists and stores new comments. Comments are written before it returns, so nothing is lost when the caller
 * then saves the progress. If a list can't be read, nothing is written. Returns undefined if the watch was removed meanwhile.
 * @throws what `call` throws; ServiceError `store_unavailable`.
 */
export function createPoll(room: ModerationRoom, advise: CommentAdviser): Poll {
  const readTitles = createTitleCache(room.database.now);
  const followUnlisted = createUnlistedFollower(room);
  const passedCache = createPassedCache(room.database.now);

  return async (client, options) => {
    const { spareUnits, isSweep, signal, since, isByKey } = options;
    const known = createKnownComments(room, options);
    const advised = new Map<string, FoundAdvice>();
    const reading = await readLists(client, options.watch, {
      signal,
      isSweep,
      spareUnits,
      since,
      isByKey,
      matching: (listed) =>
        choosePublished(room, { ...options, client, advise, known, passedCache }, listed, advised),
      areKnown: async (ids) => (await known(ids)).every((held) => held !== undefined),
    });
    const { candidates } = reading;
    const stored = await known(candidates.map(({ comment }) => comment.id));
    const fresh: ListedComment[] = [];
    for (const [at, candidate] of candidates.entries()) {
      const held = stored[at];
      if (held !== undefined) await refreshStored(room, options, { held, candidate });
      else if (!(await isDecidedElsewhere(room, options, candidate))) fresh.push(candidate);
    }
    const found = fresh.length === 0 ? 0 : await storeFresh(client, options, { fresh, advised });
    if (found === undefined) return undefined;
    await followUnlisted(client, options, reading);
    const { newestAt } = reading;
    return { found, newestAt: newestAt === undefined ? undefined : Math.max(since, newestAt) };
  };

  /** Returns how many were new; undefined if the watch was removed. */
  async function storeFresh(
    client: VideoClient,
    options: PollOptions,
    { fresh, advised }: FreshComments,
  ): Promise<number | undefined> {
    const { guildId, watch, signal, isByKey } = options;
    const { source } = watch;
    const videoIds = fresh.flatMap(({ comment }) => comment.videoId ?? []);
    const titles = await readTitles(client, { guildId, source, videoIds, signal }).catch(
      (error: unknown) => {
        // Then the cards come without titles.
        if (!(error instanceof BotError)) throw error;
        room.log.debug("videos of new comments were not read", { error });
        return undefined;
      },
    );
    signal.throwIfAborted();
    const now = room.database.now();
    const added = fresh
      .toSorted((one, other) => one.comment.publishedAt - other.comment.publishedAt)
      .map((candidate) => {
        const video = titles?.get(candidate.comment.videoId ?? "");
        const held = toHeldComment(watch, candidate, { now, video });
        const { likeness, advice } = advised.get(candidate.comment.id) ?? {};
        return {
          ...held,
          ...(likeness !== undefined && { likeness }),
          // With a key nothing can be carried out, so the rules have nothing left to do.
          ...(isByKey && { isJudged: true as const, ...(advice && { advice }) }),
        };
      });
    return storeNewComments(room, options, added);
  }
}

interface FreshComments {
  readonly fresh: readonly ListedComment[];
  /** By the comment's id. */
  readonly advised: ReadonlyMap<string, FoundAdvice>;
}

interface ChoiceOptions extends PollOptions {
  readonly client: VideoClient;
  readonly advise: CommentAdviser;
  readonly known: ReturnType<typeof createKnownComments>;
  readonly passedCache: ReturnType<typeof createPassedCache>;
}

/**
 * Which published comments the watch shows; what the rules find in those that are new is added to `advised`. A failure of the
 * rules ends the poll where they choose, because nobody would look at the comments again.
 */
async function choosePublished(
  room: ModerationRoom,
  options: ChoiceOptions,
  listed: readonly ListedComment[],
  advised: Map<string, FoundAdvice>,
): Promise<readonly boolean[]> {
  const { guildId, watch, isByKey, client, advise, known, passedCache } = options;
  const { match, isRuledOnly = false } = watch;
  const isMatch = await matchPublished(
    room,
    options,
    listed.map(({ comment }) => comment.text),
  );
  const isMatched = (at: number) => isMatch[at] === true && (match !== undefined || !isRuledOnly);
  if (!isRuledOnly && !isByKey) return isMatch;
  const stored = await known(listed.map(({ comment }) => comment.id));
  const key = ({ comment: { id, updatedAt } }: ListedComment) => `${watch.id} ${id} ${updatedAt}`;
  const fresh = listed.filter(
    (one, at) =>
      stored[at] === undefined &&
      (isRuledOnly ? !passedCache.has(key(one)) : isMatched(at)) &&
      !advised.has(one.comment.id),
  );
  const now = room.database.now();
  const items = fresh.map((one) => toHeldComment(watch, one, { now, video: undefined }));
  const found = await advise({ guildId, watch, client: isByKey ? client : undefined }, items);
  for (const [at, one] of fresh.entries()) {
    const result = found[at] ?? {};
    advised.set(one.comment.id, result);
    if (result.advice === undefined) passedCache.set(key(one), true);
  }
  return listed.map(
    (one, at) =>
      stored[at] !== undefined ||
      isMatched(at) ||
      (isRuledOnly && advised.get(one.comment.id)?.advice !== undefined),
  );
}

const maxPassed = 50_000;

/** Comments in which the rules found nothing. They are in YouTube's lists for some time, and are not judged at each poll. */
function createPassedCache(now: () => number) {
  return createCache<true>({ maxSize: maxPassed, maxAgeMs: 2 * listDelayMs, now });
}

/** If matching fails, people see too many comments rather than too few. */
async function matchPublished(
  { engine, clock, log }: ModerationRoom,
  { guildId, watch, signal }: PollOptions,
  texts: readonly string[],
): Promise<readonly boolean[]> {
  const { match: wanted = [] } = watch;
  if (wanted.length === 0 || texts.length === 0) return texts.map(() => true);
  try {
    return await withTimeout(() => matchTexts(engine, guildId, { wanted, texts }), {
      timeoutMs: matchTimeoutMs,
      clock,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    log.error("published comments could not be looked through", { guildId, error });
    return texts.map(() => true);
  }
}

/** Looks up stored comments; each is read at most once per poll. */
function createKnownComments(
  { records: { comments } }: ModerationRoom,
  { guildId, watch }: PollOptions,
) {
  const read = new Map<string, HeldComment | undefined>();
  return async (commentIds: readonly string[]) => {
    const ids = commentIds.map(toItemId);
    const missing = ids.filter((id) => !read.has(id));
    for (const id of missing) read.set(id, undefined);
    for (const held of await comments.readAll(guildId, watch.id, missing)) read.set(held.id, held);
    return ids.map((id) => read.get(id));
  };
}

/** Whether it is published, and people of this server have approved or answered it without the queue. */
async function isDecidedElsewhere(
  { records: { audit } }: ModerationRoom,
  { guildId }: PollOptions,
  { comment: { id, state } }: ListedComment,
): Promise<boolean> {
  if (state !== "published") return false;
  const entries = await audit.ofComment(guildId, id);
  return entries.some(
    ({ act, answer }) => answer === "done" && (act === "approved" || act === "replied"),
  );
}

/** Writes only what changed: most comments stay the same, and a write costs more than a read. */
async function refreshStored(
  { database, records: { authors, comments } }: ModerationRoom,
  { guildId, signal }: PollOptions,
  { held, candidate }: { readonly held: HeldComment; readonly candidate: ListedComment },
): Promise<void> {
  const at = database.now();
  const found = refreshComment(held, candidate, at);
  if (found === undefined) return;
  signal.throwIfAborted();
  const change = found.isShown ? comments.change : comments.changeSilently;
  await change(
    guildId,
    toItemRef(held),
    (stored) => refreshComment(stored, candidate, at)?.comment ?? stored,
  );
  // It waits again, so it counts as approved no longer.
  if (held.status === "approved" && found.comment.status === "open") {
    await authors.add(guildId, held.comment.authorId, { approved: -1 });
  }
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
    const key = (id: string) => `${guildId} ${source} ${id}`;
    const wanted = [...new Set(videoIds)];
    const shown = new Map(wanted.map((id) => [id, cache.get(key(id))]));
    const missing = wanted.filter((id) => shown.get(id) === undefined);
    for (let from = 0; from < missing.length; from += idsOfCall) {
      const id = missing.slice(from, from + idsOfCall);
      const { items } = await client.call("videos.list", { part: ["snippet"], id }, { signal });
      const found = new Map(items.map((video) => [video.id, video.snippet]));
      for (const one of id) {
        const { title, thumbnails } = found.get(one) ?? {};
        const thumbnailUrl = smallThumbnail(thumbnails);
        const entry = { shown: title === undefined ? undefined : { title, thumbnailUrl } };
        shown.set(one, entry);
        cache.set(key(one), entry);
      }
    }
    return new Map([...shown].flatMap(([id, one]) => (one?.shown ? [[id, one.shown]] : [])));
  };
}
