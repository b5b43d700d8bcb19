import { InputError } from "../errors.ts";
import type { FeedsDeps } from "./deps.ts";
import type { FeedJobs } from "./feed-jobs.ts";
import { type FeedRecords, type FeedRef, newFeedId } from "./feed-records.ts";
import type { Intervals } from "./intervals.ts";
import { looksADay } from "./pace.ts";
import type { Feed, FeedPlace, FeedProgress, ReleaseKind } from "./record.ts";
import { postSample } from "./sample.ts";
import { switchedOn } from "./switch-off.ts";
import type { GuildFeeds, PlacesChange } from "./types.ts";

export interface GuildFeedsDeps extends Pick<FeedsDeps, "database" | "video" | "desk"> {
  readonly feeds: FeedRecords;
  readonly feedJobs: FeedJobs;
  readonly intervals: Pick<Intervals, "usual">;
}

/** More than a server follows, and one project can still pay for. */
const mostFeeds = 25;

export function createGuildFeeds(deps: GuildFeedsDeps, guildId: string): GuildFeeds {
  const { database, feeds, feedJobs, intervals } = deps;
  const { transaction } = database;
  const refOf = (feedId: string): FeedRef => ({ guildId, feedId });

  async function put(setting: PlacesChange, by: string): Promise<Feed | undefined> {
    const now = database.now();
    const change = await transaction(async () => {
      const stored = await feeds.findBySource(guildId, setting.source);
      if (stored === undefined && (await feeds.all(guildId)).length >= mostFeeds) throw tooMany();
      const id = stored?.id ?? newFeedId();
      const feed = changed(stored, setting, { id, by, now });
      if (feed === undefined) return { emptied: stored };
      await feeds.changeFeed(refOf(id), () => feed);
      await feedJobs.put("look", refOf(id));
      return { feed };
    });
    if (change.emptied !== undefined) await remove(change.emptied.id);
    return change.feed;
  }

  async function remove(id: string): Promise<boolean> {
    const isThere = await feeds.remove(refOf(id));
    if (isThere) await feedJobs.removeAll(refOf(id));
    return isThere;
  }

  async function pause(id: string, by: string): Promise<Feed | undefined> {
    const paused = { at: database.now(), by };
    return transaction(async () => {
      const feed = await feeds.changeFeed(refOf(id), (stored) =>
        stored === undefined ? undefined : { ...stored, paused: stored.paused ?? paused },
      );
      if (feed !== undefined) await feedJobs.put("look", refOf(id));
      return feed;
    });
  }

  async function resume(id: string): Promise<Feed | undefined> {
    const ref = refOf(id);
    return transaction(async () => {
      const feed = await feeds.changeFeed(ref, (stored) => {
        if (stored === undefined) return undefined;
        const { paused: _, ...rest } = switchedOn(stored);
        // What came out while nobody wanted to hear of it is not news.
        return { ...rest, addedAt: database.now() };
      });
      if (feed === undefined) return undefined;
      await feeds.changeProgress(ref, withoutTroubles);
      for (const queue of ["look", "announce", "subscribe"] as const) {
        await feedJobs.put(queue, ref);
      }
      return feed;
    });
  }

  return {
    all: () => feeds.all(guildId),
    put,
    remove,
    pause,
    resume,
    test: async (id, kind) => {
      const stored = await feeds.read(refOf(id));
      if (stored === undefined) throw notFound();
      return postSample(deps, { guildId, feed: stored.feed, kind });
    },
    status: async (id) => {
      const stored = await feeds.read(refOf(id));
      if (stored === undefined) return undefined;
      const { feed, progress } = stored;
      const intervalMs = intervalNow(progress, intervals.usual(progress));
      return {
        ...{ feed, progress, intervalMs },
        isPushed: (progress.pushUntil ?? 0) > database.now(),
        unitsADay: Math.max(1, Math.round(looksADay(intervalMs))),
      };
    },
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

interface Changing {
  readonly id: string;
  readonly by: string;
  readonly now: number;
}

/** Undefined when nothing of it is to be announced any more. */
function changed(
  stored: Feed | undefined,
  { source, title, uploads, places }: PlacesChange,
  { id, by, now }: Changing,
): Feed | undefined {
  const all = { ...stored?.places, ...places };
  const kept = Object.entries(all).filter((entry): entry is [ReleaseKind, FeedPlace] =>
    Boolean(entry[1]),
  );
  if (kept.length === 0) return undefined;
  const set = { ...{ id, source, title, uploads }, places: Object.fromEntries(kept) };
  if (stored === undefined) {
    return { ...set, titleReadAt: now, addedBy: by, addedAt: now };
  }
  const { off, ...rest } = stored;
  return { ...rest, ...set, ...(off !== undefined && { addedAt: now }) };
}

function tooMany(): InputError {
  return new InputError(`a guild announces ${mostFeeds} channels`, {
    code: "too_many_feeds",
    hint: "Remove one with /announce remove first.",
    facts: { most: mostFeeds, command: "announce remove" },
  });
}

function notFound(): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    hint: "Choose one of the suggestions; /announce list shows all.",
    facts: { command: "announce list" },
  });
}
