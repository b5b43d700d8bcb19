import { InputError } from "../errors.ts";
import type { FeedWorkDeps } from "./deps.ts";
import { type FeedRef, newFeedId, type StoredFeed } from "./feed-records.ts";
import { looksADay, usualInterval } from "./pace.ts";
import type { Feed, FeedProgress, ReleaseKind } from "./record.ts";
import { postSample } from "./sample.ts";
import { switchedOn } from "./switch-off.ts";
import type { FeedStatus, PlacesChange } from "./types.ts";

/** More than a server follows, and one project can still pay for. */
const mostFeeds = 25;

export type GuildFeeds = ReturnType<typeof createGuildFeeds>;

/** One guild's. All of it throws ServiceError `store_unavailable`. */
export function createGuildFeeds(deps: FeedWorkDeps, guildId: string) {
  const { database, feeds } = deps;
  return {
    all: (): Promise<readonly Feed[]> => feeds.all(guildId),
    /**
     * Begins a feed, or changes the places of one: there is one a channel. A place of `null` goes; a feed without places
     * is removed. @throws InputError `too_many_feeds`.
     */
    put: (setting: PlacesChange, by: string) => put(deps, guildId, { setting, by }),
    remove: (feedId: string) => remove(deps, { guildId, feedId }),
    pause: (feedId: string, by: string) => pause(deps, { guildId, feedId }, by),
    resume: (feedId: string) => resume(deps, { guildId, feedId }),
    /**
     * Announces the channel's newest video as a sample, calling nobody, and answers where: as what it is, or as of the
     * kind that is asked for. @throws InputError `feed_not_found`, `feed_without_video`, `feed_kind_missing`; what the
     * desk and the video client throw.
     */
    async test(feedId: string, kind?: ReleaseKind): Promise<{ readonly channelId: string }> {
      const stored = await feeds.read({ guildId, feedId });
      if (stored === undefined) throw notFound();
      return postSample(deps, guildId, { feed: stored.feed, kind });
    },
    async status(feedId: string): Promise<FeedStatus | undefined> {
      const stored = await feeds.read({ guildId, feedId });
      return stored && statusOf(stored, database.now());
    },
  };
}

async function put(
  deps: FeedWorkDeps,
  guildId: string,
  { setting, by }: { readonly setting: PlacesChange; readonly by: string },
): Promise<Feed | undefined> {
  const { database, feeds, feedJobs } = deps;
  const now = database.now();
  const change = await database.transaction(async () => {
    const stored = await feeds.findBySource(guildId, setting.source);
    if (stored === undefined && (await feeds.all(guildId)).length >= mostFeeds) throw tooMany();
    const id = stored?.id ?? newFeedId();
    const feed = changed(stored, setting, { id, by, now });
    if (feed === undefined) return { emptied: stored };
    const ref = { guildId, feedId: id };
    await feeds.changeFeed(ref, () => feed);
    await feedJobs.put("look", ref);
    return { feed };
  });
  if (change.emptied !== undefined) await remove(deps, { guildId, feedId: change.emptied.id });
  return change.feed;
}

async function remove({ feeds, feedJobs }: FeedWorkDeps, ref: FeedRef): Promise<boolean> {
  const isThere = await feeds.remove(ref);
  if (isThere) await feedJobs.removeAll(ref);
  return isThere;
}

function pause(
  { database, feeds, feedJobs }: FeedWorkDeps,
  ref: FeedRef,
  by: string,
): Promise<Feed | undefined> {
  const paused = { at: database.now(), by };
  return database.transaction(async () => {
    const feed = await feeds.changeFeed(
      ref,
      (stored) => stored && { ...stored, paused: stored.paused ?? paused },
    );
    if (feed !== undefined) await feedJobs.put("look", ref);
    return feed;
  });
}

function resume(
  { database, feeds, feedJobs }: FeedWorkDeps,
  ref: FeedRef,
): Promise<Feed | undefined> {
  return database.transaction(async () => {
    const feed = await feeds.changeFeed(ref, (stored) => {
      if (stored === undefined) return undefined;
      const { paused: _, ...rest } = switchedOn(stored);
      // What came out while nobody wanted to hear of it is not news.
      return { ...rest, addedAt: database.now() };
    });
    if (feed === undefined) return undefined;
    await feeds.changeProgress(ref, withoutTroubles);
    for (const queue of ["look", "announce", "subscribe"] as const) await feedJobs.put(queue, ref);
    return feed;
  });
}

function statusOf({ feed, progress }: StoredFeed, now: number): FeedStatus {
  const intervalMs = intervalNow(progress, usualInterval(progress, now));
  return {
    ...{ feed, progress, intervalMs },
    isPushed: (progress.pushUntil ?? 0) > now,
    unitsADay: Math.max(1, Math.round(looksADay(intervalMs))),
  };
}

/** What was decided at the last look, with the units of then; else what it would like. */
function intervalNow({ polledAt, nextPollAt }: FeedProgress, usual: number): number {
  if (polledAt === undefined || nextPollAt === undefined) return usual;
  return Math.max(usual, nextPollAt - polledAt);
}

/** What was known of them is over. */
function withoutTroubles(stored: FeedProgress): FeedProgress {
  const { missingSince: _m, keylessSince: _k, nextPollAt: _n, failures: _f, ...rest } = stored;
  return rest;
}

/** Undefined when nothing of it is to be announced any more. */
function changed(
  stored: Feed | undefined,
  { source, title, uploads, places }: PlacesChange,
  { id, by, now }: { readonly id: string; readonly by: string; readonly now: number },
): Feed | undefined {
  const all = { ...stored?.places, ...places };
  const kept = Object.entries(all).filter(([, place]) => place);
  if (kept.length === 0) return undefined;
  const set = { ...{ id, source, title, uploads }, places: Object.fromEntries(kept) };
  if (stored === undefined) return { ...set, titleReadAt: now, addedBy: by, addedAt: now };
  const { off, ...rest } = stored;
  return { ...rest, ...set, ...(off !== undefined && { addedAt: now }) };
}

function tooMany(): InputError {
  return new InputError(`a guild announces ${mostFeeds} channels`, {
    code: "too_many_feeds",
    facts: { most: mostFeeds, command: "announce remove" },
  });
}

function notFound(): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    facts: { command: "announce list" },
  });
}
