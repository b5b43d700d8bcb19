import { nonceOf } from "../channel-messages.ts";
import { InputError } from "../errors.ts";
import { newHandle } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { FeedsDeps, FeedWorkDeps } from "./deps.ts";
import { type FeedRef, newFeedId, type StoredFeed } from "./feed-records.ts";
import { looksADay, usualInterval } from "./pace.ts";
import { endPushes } from "./push/unsubscription.ts";
import { readUploads, readVideos } from "./read-channel.ts";
import type { Feed, FeedProgress, ReleaseKind } from "./record.ts";
import { withoutSwitchOff } from "./switch-off.ts";
import type { AnnouncedChannel, FeedStatus, PlacesChange } from "./types.ts";

/** More than a server follows, and still within what one project can pay for. */
const maxFeeds = 25;

export type GuildFeeds = ReturnType<typeof createGuildFeeds>;

/** The feeds of one guild. Everything throws ServiceError `store_unavailable`. */
export function createGuildFeeds(deps: FeedWorkDeps, guildId: string) {
  const { database, feeds } = deps;
  return {
    all: (): Promise<readonly Feed[]> => feeds.all(guildId),
    /** Adds a feed, or places to the existing one: each channel has one feed. @throws InputError `too_many_feeds`. */
    put: (channel: AnnouncedChannel, by: string) => put(deps, guildId, { channel, by }),
    /**
     * Changes where a feed's releases are announced. A feed without places is removed; then the answer is undefined.
     * @throws InputError `feed_not_found`; what `make` throws.
     */
    change: (feedId: string, make: PlacesChange) => changePlaces(deps, { guildId, feedId }, make),
    remove: (feedId: string) => remove(deps, { guildId, feedId }),
    /** Reads all of them soon: what they are read with has changed. */
    async lookSoon(): Promise<void> {
      const all = await feeds.all(guildId);
      for (const { id: feedId } of all) await deps.feedJobs.put("look", { guildId, feedId });
    },
    pause: (feedId: string, by: string) => pause(deps, { guildId, feedId }, by),
    resume: (feedId: string) => resume(deps, { guildId, feedId }),
    /**
     * Posts the channel's newest video as a sample, without a ping, in the place of the video's own kind or of the given
     * kind. Returns where it was posted. @throws InputError `feed_not_found`, `feed_without_video`, `feed_kind_missing`; what
     * `ChannelMessages.post` and the video client throw.
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
  { channel, by }: { readonly channel: AnnouncedChannel; readonly by: string },
): Promise<Feed> {
  const { database, feeds, feedJobs } = deps;
  const now = database.now();
  const { source, title, uploads, places } = channel;
  return database.transaction(async () => {
    const before = await feeds.findBySource(guildId, source);
    if (before === undefined && (await feeds.all(guildId)).length >= maxFeeds) throw tooMany();
    const id = before?.id ?? newFeedId();
    const feed = await feeds.changeFeed({ guildId, feedId: id }, (stored) => {
      const of = { id, source, title, uploads };
      if (stored === undefined) {
        return { ...of, places, titleReadAt: now, addedBy: by, addedAt: now };
      }
      return { ...withPlaces(stored, { ...stored.places, ...places }, now), ...of };
    });
    await feedJobs.put("look", { guildId, feedId: id });
    return feed;
  });
}

async function changePlaces(
  deps: FeedWorkDeps,
  ref: FeedRef,
  make: PlacesChange,
): Promise<Feed | undefined> {
  const { database, feeds, feedJobs } = deps;
  const isEmptied = ({ places }: Feed) => Object.keys(make(places)).length === 0;
  for (;;) {
    const feed = await database.transaction(async () => {
      const changed = await feeds.changeFeed(ref, (stored) => {
        if (stored === undefined) throw notFound();
        return isEmptied(stored) ? stored : withPlaces(stored, make(stored.places), database.now());
      });
      await feedJobs.put("look", ref);
      return changed;
    });
    if (!isEmptied(feed)) return feed;
    // Unless somebody adds a place meanwhile: then it is changed like any other.
    if (await remove(deps, ref, isEmptied)) return undefined;
  }
}

/** Whoever chooses places switches a feed back on; what came out while it was off is not news. */
function withPlaces({ off, ...stored }: Feed, places: Feed["places"], now: number): Feed {
  return { ...stored, places, ...(off !== undefined && { addedAt: now }) };
}

async function remove(
  deps: FeedWorkDeps,
  ref: FeedRef,
  isUnwanted: (stored: Feed) => boolean = () => true,
): Promise<boolean> {
  const { feeds, feedJobs } = deps;
  const isRemoved = await feeds.remove(ref, async (stored) => {
    if (!isUnwanted(stored)) return false;
    await endPushes(deps, ref);
    return true;
  });
  if (isRemoved) await feedJobs.removeAll(ref);
  return isRemoved;
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
      const { paused: _, ...rest } = withoutSwitchOff(stored);
      // Videos that came out during a pause are not news.
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
    feed,
    progress,
    intervalMs,
    isPushed: (progress.pushUntil ?? 0) > now,
    unitsADay: Math.max(1, Math.round(looksADay(intervalMs))),
  };
}

/** The interval of the last look, which depended on the units left then; else the wanted one. */
function intervalNow({ polledAt, nextPollAt }: FeedProgress, usual: number): number {
  if (polledAt === undefined || nextPollAt === undefined) return usual;
  return Math.max(usual, nextPollAt - polledAt);
}

/** Removes what was stored about its troubles. */
function withoutTroubles(stored: FeedProgress): FeedProgress {
  const { missingSince: _m, keylessSince: _k, nextPollAt: _n, failures: _f, ...rest } = stored;
  return rest;
}

function tooMany(): InputError {
  return new InputError(`a guild announces ${maxFeeds} channels`, {
    code: "too_many_feeds",
    facts: { most: maxFeeds, command: "announce remove" },
  });
}

function notFound(): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    facts: { command: "announce list" },
  });
}

const readMs = 30_000;

/** Posts the newest video of a channel as a sample, without a ping. */
async function postSample(
  { video, channelMessages, database }: FeedsDeps,
  guildId: string,
  { feed, kind }: { readonly feed: Feed; readonly kind: ReleaseKind | undefined },
): Promise<{ readonly channelId: string }> {
  const wanted = kind === undefined ? undefined : feed.places[kind];
  if (kind !== undefined && wanted === undefined) throw kindMissing();
  const seen = await newestOf(await video(guildId), feed);
  const shown = kind ?? seen.video.kind;
  const place = feed.places[shown] ?? Object.values(feed.places)[0];
  if (place === undefined) throw kindMissing();
  const handle = newHandle();
  const { id } = seen.video;
  const now = database.now();
  await channelMessages.post({
    guildId,
    channelId: place.channelId,
    handle,
    name: "announcement",
    ...(place.isForum && { isForum: true }),
    nonce: nonceOf("sample", handle),
    facts: {
      guildId,
      feed,
      isSample: true,
      announcement: {
        feedId: feed.id,
        videoId: id,
        state: "due",
        at: now,
        card: { state: "due", handle, since: now },
      },
      video: { ...seen.video, kind: shown },
    },
  });
  return { channelId: place.channelId };
}

async function newestOf(client: VideoClient, feed: Feed) {
  const signal = AbortSignal.timeout(readMs);
  const uploads = await readUploads(client, feed.uploads, signal);
  const ids = uploads.filter(({ isPublic }) => isPublic).map(({ videoId }) => videoId);
  const videos = await readVideos(client, ids.slice(0, 50), signal);
  const [newest] = ids
    .flatMap((id) => videos.get(id) ?? [])
    .filter(({ state }) => state === "out")
    .sort((one, other) => other.video.publishedAt - one.video.publishedAt);
  if (newest === undefined) throw withoutVideo();
  return newest;
}

function kindMissing(): InputError {
  return new InputError("nothing of that kind is announced", {
    code: "feed_kind_missing",
  });
}

function withoutVideo(): InputError {
  return new InputError("the channel has no public video", {
    code: "feed_without_video",
  });
}
