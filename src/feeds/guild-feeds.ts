import { nonceOf } from "../desk.ts";
import { InputError } from "../errors.ts";
import { type Feed, type FeedPlace, newHandle, type ReleaseKind } from "../store/index.ts";
import type { Budget } from "./budget.ts";
import { looksADay } from "./pace.ts";
import type { FeedsOptions } from "./parts.ts";
import { readUploads, readVideos } from "./read.ts";
import type { Seen } from "./release.ts";
import { announcementIdOf, type FeedRef, feedIdOf, type Rows } from "./rows.ts";
import type { Runner } from "./runner.ts";
import { switchedOn } from "./switch-off.ts";
import type { GuildFeeds, PlacesChange } from "./types.ts";

export interface GuildParts extends Pick<FeedsOptions, "video" | "desk" | "clock"> {
  readonly rows: Rows;
  readonly runner: Pick<Runner, "wake" | "drop">;
  readonly budget: Pick<Budget, "usual">;
}

/** More than a server follows, and one project can still pay for. */
const mostFeeds = 25;
const testMs = 30_000;

export function createGuildFeeds(parts: GuildParts, guildId: string): GuildFeeds {
  const { rows, runner, clock, budget } = parts;
  const refOf = (feedId: string): FeedRef => ({ guildId, feedId });

  async function put(setting: PlacesChange, by: string): Promise<Feed | undefined> {
    const ref = refOf(feedIdOf(setting.source));
    const others = (await rows.feeds(guildId)).filter(({ id }) => id !== ref.feedId);
    const now = clock.now();
    const feed = await rows.changeFeed(ref, (stored) => {
      if (stored === undefined && others.length >= mostFeeds) throw tooMany();
      return changed(stored, setting, { id: ref.feedId, by, now });
    });
    if (feed === undefined) await remove(ref.feedId);
    else runner.wake(ref);
    return feed;
  }

  async function remove(id: string): Promise<boolean> {
    const ref = refOf(id);
    await runner.drop(ref);
    return rows.remove(ref);
  }

  async function resume(id: string): Promise<Feed | undefined> {
    const ref = refOf(id);
    const feed = await rows.changeFeed(ref, (stored) => {
      if (stored === undefined) return undefined;
      const { paused: _, ...rest } = switchedOn(stored);
      // What came out while nobody wanted to hear of it is not news.
      return { ...rest, addedAt: clock.now() };
    });
    if (feed === undefined) return undefined;
    // What was known of its troubles is over.
    await rows.changeProgress(ref, (stored) => {
      const { missingSince: _m, keylessSince: _k, nextPollAt: _n, ...rest } = stored;
      return { ...rest, failures: 0 };
    });
    runner.wake(ref);
    return feed;
  }

  return {
    all: () => rows.feeds(guildId),
    put,
    remove,
    resume,
    pause: async (id, by) => {
      const paused = { at: clock.now(), by };
      const feed = await rows.changeFeed(refOf(id), (stored) =>
        stored === undefined ? undefined : { ...stored, paused: stored.paused ?? paused },
      );
      await runner.drop(refOf(id));
      return feed;
    },
    test: async (id, kind) => {
      const feed = await rows.feed(refOf(id));
      if (feed === undefined) throw notFound();
      return sample(parts, { guildId, feed, kind });
    },
    status: async (id) => {
      const feed = await rows.feed(refOf(id));
      if (feed === undefined) return undefined;
      const progress = await rows.progress(refOf(id));
      const now = clock.now();
      const intervalMs = intervalNow(
        progress.polledAt,
        progress.nextPollAt,
        budget.usual(progress),
      );
      return {
        ...{ feed, progress, intervalMs },
        isPushed: (progress.pushUntil ?? 0) > now,
        unitsADay: Math.max(1, Math.round(looksADay(intervalMs))),
      };
    },
  };
}

/** What was decided at the last look, with the units of then; else what it would like. */
function intervalNow(
  polledAt: number | undefined,
  nextPollAt: number | undefined,
  usual: number,
): number {
  if (polledAt === undefined || nextPollAt === undefined) return usual;
  return Math.max(usual, nextPollAt - polledAt);
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

interface Sample {
  readonly guildId: string;
  readonly feed: Feed;
  readonly kind: ReleaseKind | undefined;
}

async function sample(
  { video, desk, clock }: GuildParts,
  { guildId, feed, kind }: Sample,
): Promise<{ readonly channelId: string }> {
  const wanted = kind === undefined ? undefined : feed.places[kind];
  if (kind !== undefined && wanted === undefined) throw kindMissing();
  const seen = await newestOf(await video(guildId), feed);
  const shown = kind ?? seen.video.kind;
  const place = feed.places[shown] ?? Object.values(feed.places)[0];
  if (place === undefined) throw kindMissing();
  const handle = newHandle();
  const { id } = seen.video;
  const now = clock.now();
  await desk.post({
    ...{ guildId, channelId: place.channelId, handle, event: "announcement" },
    ...(place.isForum && { isForum: true }),
    nonce: nonceOf("sample", handle),
    facts: {
      ...{ guildId, feed, isSample: true },
      announcement: {
        ...{ id: announcementIdOf(id), feedId: feed.id, videoId: id, state: "due", at: now },
        card: { state: "due", handle, since: now },
      },
      video: { ...seen.video, kind: shown },
    },
  });
  return { channelId: place.channelId };
}

async function newestOf(client: Awaited<ReturnType<GuildParts["video"]>>, feed: Feed) {
  const signal = AbortSignal.timeout(testMs);
  const uploads = await readUploads(client, feed.uploads, signal);
  const ids = uploads.filter(({ isPublic }) => isPublic).map(({ videoId }) => videoId);
  const videos = await readVideos(client, ids.slice(0, 50), signal);
  const newest = ids
    .map((id) => videos.get(id))
    .filter((seen): seen is Seen => seen?.state === "out")
    .sort((one, other) => other.video.publishedAt - one.video.publishedAt)[0];
  if (newest === undefined) throw withoutVideo();
  return newest;
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

function kindMissing(): InputError {
  return new InputError("nothing of that kind is announced", {
    code: "feed_kind_missing",
    hint: "Say where it is to be announced, too.",
  });
}

function withoutVideo(): InputError {
  return new InputError("the channel has no public video", {
    code: "feed_without_video",
    hint: "The channel has nothing public yet, so there is nothing to make a sample of.",
  });
}
