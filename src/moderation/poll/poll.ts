import { withTimeout } from "../../clock.ts";
import { BotError } from "../../errors.ts";
import type { VideoClient } from "../../video/index.ts";
import type { ModerationOptions } from "../parts.ts";
import { type HeldComment, itemIdOf, type WatchProgress } from "../records/index.ts";
import { createLeavers, type LeaverOptions } from "./leavers.ts";
import { readLists } from "./read-lists.ts";
import { refreshed, type TakeInDeps, takeIn } from "./take-in.ts";
import { createTitleCache } from "./titles.ts";
import { type Candidate, heldCommentOf } from "./to-comment.ts";

export interface PollDeps extends TakeInDeps, Pick<ModerationOptions, "clock" | "log"> {
  /** Which texts hold what is looked for in published comments. */
  readonly matches: (
    guildId: string,
    matching: { readonly wanted: readonly string[]; readonly texts: readonly string[] },
  ) => Promise<readonly boolean[]>;
}

interface PollOptions extends LeaverOptions {
  readonly progress: WatchProgress;
}

export interface Polled {
  readonly found: number;
  readonly newestAt?: number;
}

/** What was not found by then goes to people. */
const matchMs = 30_000;

export type Poll = (client: VideoClient, options: PollOptions) => Promise<Polled | undefined>;

interface PollParts extends PollDeps {
  readonly titles: ReturnType<typeof createTitleCache>;
}

/**
 * Reads a watch's lists and takes in what is new. Comments are written before this answers, so that whoever moves on after
 * it loses nothing; nothing is written when a list can't be read. Answers undefined where the watch was stopped meanwhile.
 * @throws what `call` throws; ServiceError `store_unavailable`.
 */
export function createPoll(deps: PollDeps): Poll {
  const parts: PollParts = { ...deps, titles: createTitleCache(deps.database.now) };
  const followLeavers = createLeavers(deps);

  return async (client, options) => {
    const { watch, progress, spareUnits, isSweep, signal } = options;
    const since = progress.newestAt ?? watch.addedAt;
    const known = knownIn(deps, options);
    const reading = await readLists(client, watch, {
      ...{ signal, isSweep, spareUnits, since },
      matching: (texts) => matching(deps, options, texts),
      areKnown: async (ids) => (await known(ids)).every((held) => held !== undefined),
    });
    const { candidates } = reading;
    const found = await takeAllIn(parts, client, { ...options, candidates, known });
    if (found === undefined) return undefined;
    await followLeavers(client, options, reading);
    const newestAt = newestOf(candidates, since);
    return { found, ...(newestAt !== undefined && { newestAt }) };
  };
}

/** Where nobody can tell, people see too much rather than too little. */
async function matching(
  { matches, clock, log }: PollDeps,
  { guildId, watch, signal }: PollOptions,
  texts: readonly string[],
): Promise<readonly boolean[]> {
  const { match: wanted = [] } = watch;
  if (wanted.length === 0 || texts.length === 0) return texts.map(() => true);
  try {
    const find = () => matches(guildId, { wanted, texts });
    return await withTimeout(find, { ms: matchMs, clock, signal });
  } catch (error) {
    signal.throwIfAborted();
    log.error("published comments could not be looked through", { guildId, error });
    return texts.map(() => true);
  }
}

type Known = (commentIds: readonly string[]) => Promise<readonly (HeldComment | undefined)[]>;

/** The queue's own, as they are; each is read once a poll. */
function knownIn({ records: { comments } }: PollDeps, { guildId, watch }: PollOptions): Known {
  const read = new Map<string, HeldComment | undefined>();
  return async (commentIds) => {
    const ids = commentIds.map(itemIdOf);
    const missing = ids.filter((id) => !read.has(id));
    for (const id of missing) read.set(id, undefined);
    for (const held of await comments.readAll(guildId, watch.id, missing)) read.set(held.id, held);
    return ids.map((id) => read.get(id));
  };
}

interface TakeAllIn extends PollOptions {
  readonly candidates: readonly Candidate[];
  readonly known: Known;
}

/** Answers how many were new; undefined where the watch was stopped. */
async function takeAllIn(
  parts: PollParts,
  client: VideoClient,
  options: TakeAllIn,
): Promise<number | undefined> {
  const { watch, signal, candidates, known } = options;
  const fresh: Candidate[] = [];
  const all = await known(candidates.map(({ comment }) => comment.id));
  for (const [index, held] of all.entries()) {
    const candidate = candidates[index];
    if (candidate === undefined) continue;
    if (held === undefined) fresh.push(candidate);
    else await refresh(parts, options, { held, candidate });
  }
  if (fresh.length === 0) return 0;
  const shown = await shownVideos(parts, client, { ...options, candidates: fresh });
  signal.throwIfAborted();
  const at = parts.database.now();
  const added = fresh.sort(byAge).map((candidate) => {
    const video = shown.get(candidate.comment.videoId ?? "");
    return heldCommentOf(watch, candidate, { now: at, video });
  });
  return takeIn(parts, options, added);
}

/** Most are as they were, and to write costs more than to read. */
async function refresh(
  { database, records: { comments } }: PollDeps,
  { guildId, watch, signal }: PollOptions,
  { held, candidate }: { readonly held: HeldComment; readonly candidate: Candidate },
): Promise<void> {
  const at = database.now();
  const found = refreshed(held, candidate, at);
  if (found === undefined) return;
  signal.throwIfAborted();
  const ref = { watchId: watch.id, itemId: held.id };
  const make = (stored: HeldComment) => refreshed(stored, candidate, at)?.comment ?? stored;
  await (found.isShown ? comments.change(guildId, ref, make) : comments.note(guildId, ref, make));
}

/** A card without its video's title is better than none. */
async function shownVideos(
  { titles, log }: PollParts,
  client: VideoClient,
  { guildId, watch, signal, candidates }: Omit<TakeAllIn, "known">,
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

function newestOf(candidates: readonly Candidate[], since: number): number | undefined {
  const published = candidates.filter(({ comment }) => comment.state === "published");
  if (published.length === 0) return undefined;
  return Math.max(since, ...published.map(({ comment }) => comment.publishedAt));
}

function byAge(one: Candidate, other: Candidate): number {
  return one.comment.publishedAt - other.comment.publishedAt;
}
