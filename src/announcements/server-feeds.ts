import { randomBytes } from "node:crypto";
import { InputError } from "../errors.ts";
import type { FeedRef } from "./feed-records.ts";
import { isMutedAt } from "./filter.ts";
import {
  type FindSlowdown,
  pollsADay,
  type Slowdown,
  slowedInterval,
  usualInterval,
} from "./pace.ts";
import { endPushes } from "./push/unsubscription.ts";
import {
  type AnnouncedChannel,
  type Announcement,
  type Feed,
  type FeedFilter,
  type FeedStatus,
  firstStreamOptions,
  isFeedWatched,
  type PlacesChange,
  type StoredFeed,
  type StreamOptions,
} from "./record.ts";
import type { ReleasedVideo, ReleaseKind } from "./release.ts";
import type { FeedsRoom } from "./room.ts";
import { type PostedSample, postSample, readRecent } from "./samples.ts";
import { plannedUnits } from "./streams/price.ts";
import { withoutSwitchOff } from "./switch-off.ts";

/** What one project can pay for: docs/decisions.md#two-hundred-channels-share-what-polls-may-cost */
export const maxFeeds = 200;

export type ServerFeeds = ReturnType<typeof createServerFeeds>;

/** The feeds of one server. Everything throws ServiceError `store_unavailable`. */
export function createServerFeeds(room: FeedsRoom, guildId: string, findSlowdown: FindSlowdown) {
  const { database, feeds, announcements, feedJobs } = room;
  const ref = (feedId: string): FeedRef => ({ guildId, feedId });

  async function remove(feedId: string): Promise<boolean> {
    const isRemoved = await feeds.remove(ref(feedId), () => endPushes(room, ref(feedId)));
    if (isRemoved) await feedJobs.removeAll(ref(feedId));
    return isRemoved;
  }

  /** Reads followed streams again: after a change of settings, their messages may need a new text or another time. */
  async function lookAgain(of: FeedRef): Promise<void> {
    for (const { videoId } of await announcements.followed(of)) {
      await announcements.change(of, videoId, (stored) =>
        stored?.state === "followed" ? { ...stored, state: "behind" } : stored,
      );
    }
    await feedJobs.put("announce", of);
    await feedJobs.follow(guildId, database.now());
  }

  return {
    all: (): Promise<readonly Feed[]> => feeds.all(guildId),
    /** Runs longer work. If the server is erased in the meantime, its next write throws ServiceError `guild_erased`. */
    during: <T>(work: () => Promise<T>): Promise<T> => database.servers.runFor(guildId, work),
    /** Adds a feed, or places to the existing one: each channel has one feed. @throws InputError `too_many_feeds`. */
    put: ({ source, title, uploads, places }: AnnouncedChannel, by: string): Promise<Feed> =>
      database.transaction(async () => {
        const now = database.now();
        const before = await feeds.findBySource(guildId, source);
        if (before === undefined && (await feeds.all(guildId)).length >= maxFeeds) {
          throw new InputError(`a server announces ${maxFeeds} channels`, {
            code: "too_many_feeds",
            facts: { most: maxFeeds, command: "announce remove" },
          });
        }
        const id = before?.id ?? randomBytes(8).toString("hex");
        const feed = await feeds.changeFeed(ref(id), (stored) => {
          const of = { id, source, title, uploads };
          if (stored !== undefined) {
            return { ...withPlaces(stored, { ...stored.places, ...places }, now), ...of };
          }
          const streams = firstStreamOptions;
          return { ...of, places, streams, titleReadAt: now, addedBy: by, addedAt: now };
        });
        await feedJobs.put("poll", ref(id));
        await lookAgain(ref(id));
        return feed;
      }),
    /**
     * Changes where a feed's releases are announced. Undefined if no place would be left: then nothing changes, because that
     * removes the feed, so people must confirm it first. @throws InputError `feed_not_found`; what `make` throws.
     */
    change: (feedId: string, make: PlacesChange): Promise<Feed | undefined> =>
      database.transaction(async () => {
        let isEmptied = false;
        const feed = await feeds.changeFeed(ref(feedId), (stored) => {
          if (stored === undefined) throw notFound();
          const places = make(stored.places);
          isEmptied = Object.keys(places).length === 0;
          return isEmptied ? stored : withPlaces(stored, places, database.now());
        });
        if (isEmptied) return undefined;
        await feedJobs.put("poll", ref(feedId));
        await lookAgain(ref(feedId));
        return feed;
      }),
    /**
     * Changes how streams are followed. Those that are followed already go on by it. @throws InputError `feed_not_found`; what
     * `make` throws.
     */
    changeStreams: (
      feedId: string,
      make: (stored: StreamOptions | undefined) => StreamOptions,
    ): Promise<Feed> =>
      database.transaction(async () => {
        const feed = await feeds.changeFeed(ref(feedId), (stored) => {
          if (stored === undefined) throw notFound();
          const streams = make(stored.streams);
          const isKept = streams.messages === stored.streams?.messages;
          const messagesSince = isKept ? stored.streams?.messagesSince : database.now();
          return { ...stored, streams: { ...streams, messagesSince } };
        });
        await lookAgain(ref(feedId));
        return feed;
      }),
    remove,
    /** Reads all of them soon: what they are read with has changed. */
    async pollSoon(): Promise<void> {
      const all = await feeds.all(guildId);
      for (const { id } of all) await feedJobs.put("poll", ref(id));
      if (all.length > 0) await feedJobs.follow(guildId, database.now());
    },
    pause(feedId: string, by: string): Promise<Feed | undefined> {
      const paused = { at: database.now(), by };
      return database.transaction(async () => {
        const feed = await feeds.changeFeed(
          ref(feedId),
          (stored) => stored && { ...stored, paused: stored.paused ?? paused },
        );
        if (feed !== undefined) await feedJobs.put("poll", ref(feedId));
        return feed;
      });
    },
    /** Ends a pause, or switches a feed back on. Videos that came out in the meantime are not announced. */
    resume: (feedId: string): Promise<Feed | undefined> =>
      database.transaction(async () => {
        const addedAt = database.now();
        const feed = await feeds.changeFeed(
          ref(feedId),
          (stored) => stored && { ...withoutSwitchOff(stored), paused: undefined, addedAt },
        );
        if (feed === undefined) return undefined;
        await feeds.changeProgress(ref(feedId), (stored) => {
          const { missingSince, keylessSince, nextPollAt, failures, ...rest } = stored;
          return rest;
        });
        for (const queue of ["poll", "announce", "subscribe"] as const) {
          await feedJobs.put(queue, ref(feedId));
        }
        await lookAgain(ref(feedId));
        return feed;
      }),
    /** Posts a sample and returns where it is. @throws InputError `feed_not_found`; what `postSample` throws */
    async test(feedId: string, kind?: ReleaseKind): Promise<PostedSample> {
      const { feed } = (await feeds.read(ref(feedId))) ?? {};
      if (feed === undefined) throw notFound();
      return postSample(room, { guildId, feed, kind });
    },
    /** The channel's newest videos, each with the kind that it is announced as; for two units. @throws InputError `feed_not_found`; what the client throws */
    async recent(feedId: string): Promise<readonly ReleasedVideo[]> {
      const { feed } = (await feeds.read(ref(feedId))) ?? {};
      if (feed === undefined) throw notFound();
      return readRecent(room, guildId, feed);
    },
    /** Changes which releases are announced; undefined announces all. @throws InputError `feed_not_found` */
    setFilter: (feedId: string, make: (stored: FeedFilter) => FeedFilter): Promise<Feed> =>
      feeds.changeFeed(ref(feedId), (stored) => {
        if (stored === undefined) throw notFound();
        const filter = make(stored.filter ?? {});
        const isEmpty = Object.values(filter).every((part) => part === undefined);
        return { ...stored, filter: isEmpty ? undefined : filter };
      }),
    /**
     * Mutes these feeds, or all, until the given time; without a time, ends the mute. Videos that come out in the meantime are
     * not announced later. Returns the feeds that were changed.
     */
    async mute(
      feedIds: readonly string[] | undefined,
      until: number | undefined,
    ): Promise<readonly Feed[]> {
      const ids = feedIds ?? (await feeds.all(guildId)).map(({ id }) => id);
      const changed: Feed[] = [];
      for (const id of ids) {
        const now = database.now();
        let isChanged = false;
        const feed = await feeds.changeFeed(ref(id), (stored) => {
          const isMuted = stored !== undefined && isMutedAt(stored, now);
          isChanged = until !== undefined || isMuted;
          if (stored === undefined || !isChanged) return stored;
          const addedAt = until === undefined ? now : stored.addedAt;
          return { ...stored, mutedUntil: until, addedAt };
        });
        if (feed !== undefined && isChanged) changed.push(feed);
      }
      return changed;
    },
    async status(feedId: string): Promise<FeedStatus | undefined> {
      const stored = await feeds.read(ref(feedId));
      if (stored === undefined) return undefined;
      const followed = await announcements.followed(ref(feedId));
      return statusOf(stored, followed, await slowdownOf([stored]));
    },
    /** The state of all feeds, in a few queries. */
    async statuses(): Promise<readonly FeedStatus[]> {
      const followed = Map.groupBy(
        await announcements.followed({ guildId }),
        ({ feedId }) => feedId,
      );
      const all = await feeds.allStored(guildId);
      const slowdown = await slowdownOf(all);
      return all.map((stored) => statusOf(stored, followed.get(stored.feed.id) ?? [], slowdown));
    },
  };

  function slowdownOf(all: readonly StoredFeed[]): Promise<Slowdown> {
    const now = database.now();
    const looks = all
      .filter(({ feed }) => isFeedWatched(feed))
      .map(({ progress }) => pollsADay(usualInterval(progress, now)));
    return findSlowdown(
      guildId,
      looks.reduce((sum, one) => sum + one, 0),
    );
  }

  function statusOf(
    stored: StoredFeed,
    followed: readonly Announcement[],
    slowdown: Slowdown,
  ): FeedStatus {
    const now = database.now();
    const { polledAt, nextPollAt, pushUntil = 0 } = stored.progress;
    const wanted = usualInterval(stored.progress, now);
    // Late in the quota's day, the units left may allow a faster pace than a whole day would.
    const usual = Math.max(slowedInterval(wanted, slowdown, now), wanted * slowdown.dailyFactor);
    // Not less than the interval of the last poll, which depended on the units left then.
    const isPolled = polledAt !== undefined && nextPollAt !== undefined;
    const intervalMs = isPolled ? Math.max(usual, nextPollAt - polledAt) : usual;
    const units = pollsADay(intervalMs) + plannedUnits(followed, guildId, now);
    const unitsADay = isFeedWatched(stored.feed) ? Math.max(1, Math.round(units)) : 0;
    return {
      ...stored,
      intervalMs,
      isPushed: pushUntil > now,
      unitsADay,
      currentStreams: followed.filter(isCurrent).length,
    };
  }
}

/** Whether it is coming up or live, as far as YouTube shows it. */
function isCurrent({ stream }: Announcement): boolean {
  const { stage, lost } = stream ?? {};
  return (stage === "scheduled" || stage === "live") && lost?.isSure !== true;
}

/** Whoever chooses places switches a feed back on; what came out while it was off is not news. */
function withPlaces(stored: Feed, places: Feed["places"], now: number): Feed {
  const addedAt = stored.off === undefined ? stored.addedAt : now;
  return { ...stored, places, off: undefined, addedAt };
}

function notFound(): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    facts: { command: "announce list" },
  });
}
