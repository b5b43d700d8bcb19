import type { QuotaState } from "../budget/index.ts";
import { createCache } from "../cache.ts";
import type { FeedWorkDeps } from "./deps.ts";
import type { FeedRef } from "./feed-records.ts";
import type { FeedProgress } from "./record.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Between two looks at a channel that publishes often. */
const shortestMs = 5 * minuteMs;
/** Between two looks at one that publishes seldom, and at one that stopped. */
const longestMs = 20 * minuteMs;
const dormantMs = hourMs;
/** While the hub tells what is new, looks are for what it may have missed. */
const pushedMs = 6 * hourMs;
/** A video may be late by a hundredth of the time that people wait for the next one. */
const share = 100;
/** One release is often followed by another. */
const livelyMs = 20 * minuteMs;

type Learned = Pick<FeedProgress, "gapMs" | "newestAt">;

/** How often a feed is worth a look. */
export function intervalFor({ gapMs, newestAt }: Learned, isPushed: boolean, now: number): number {
  if (isPushed) return pushedMs;
  const idleMs = newestAt === undefined ? 0 : now - newestAt;
  if (gapMs === undefined || (newestAt !== undefined && idleMs < livelyMs)) return shortestMs;
  const most = idleMs > Math.max(10 * gapMs, 30 * dayMs) ? dormantMs : longestMs;
  return Math.min(most, Math.max(shortestMs, Math.max(gapMs, idleMs / 4) / share));
}

/** The same without asking what is left of the day. */
export function usualInterval(progress: FeedProgress, now: number): number {
  return intervalFor(progress, (progress.pushUntil ?? 0) > now, now);
}

const leastDates = 3;
const mostDates = 15;

/** The usual time between two releases, from the newest of them. */
export function gapOf(dates: readonly number[]): number | undefined {
  const newest = dates.toSorted((a, b) => b - a).slice(0, mostDates);
  if (newest.length < leastDates) return undefined;
  const gaps = newest.slice(1).map((at, index) => (newest[index] ?? at) - at);
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
}

/** What of the units that nobody keeps looking may take: people's own commands come out of the rest. */
const forFeeds = 0.5;
/** The last tenth of a day's units is for commands (docs/decisions.md). */
const spared = 0.1;

/**
 * How much slower than they would all feeds of a project go, so that the units last until they start anew; undefined
 * where there are none. `wanted`: units that they would take a day.
 */
export function slowness(left: QuotaState, wanted: number, now: number): number | undefined {
  const open = left.left - left.reserved - left.limit * spared;
  const units = Math.min(open, left.bound?.left ?? Number.POSITIVE_INFINITY) * forFeeds;
  if (left.blocked || units < 1) return undefined;
  const days = Math.max(0, left.resetsAt.getTime() - now) / dayMs;
  return Math.max(1, (wanted * days) / units);
}

/** Looks a day at that interval. */
export function looksADay(intervalMs: number): number {
  return dayMs / intervalMs;
}

type IntervalsDeps = Pick<FeedWorkDeps, "database" | "left" | "project" | "log" | "feeds">;

export interface FeedInterval {
  /** How long until the next look. */
  readonly intervalMs: number;
  /** Whose units the looks take, and how many of them the feed would like a day. */
  readonly project: string;
  readonly looksADay: number;
}

const cachedMs = 60_000;
const mostCached = 2_000;

/** Shares what the day still has for feeds between all of those that read with the same project. */
export function createIntervals({ database, left, project, log, feeds }: IntervalsDeps) {
  const { now } = database;
  const cached = { maxSize: mostCached, maxAgeMs: cachedMs, now } as const;
  const leftCache = createCache<{ readonly left: QuotaState | undefined }>(cached);
  const looksCache = createCache<{ readonly looks: number }>(cached);

  async function projectOf(guildId: string): Promise<string> {
    try {
      return (await project?.(guildId)) ?? guildId;
    } catch {
      // Without a key or a link it takes nothing of anybody's.
      return guildId;
    }
  }

  async function leftOf(guildId: string): Promise<QuotaState | undefined> {
    const known = leftCache.get(guildId);
    if (known !== undefined) return known.left;
    const found = await left(guildId).catch((error: unknown) => {
      log.debug("what is left for feeds is not known", { guild: guildId, error });
      return undefined;
    });
    leftCache.set(guildId, { left: found });
    return found;
  }

  async function looksOf(name: string): Promise<number> {
    const known = looksCache.get(name);
    if (known !== undefined) return known.looks;
    const looks = await feeds.looksADay(name);
    looksCache.set(name, { looks });
    return looks;
  }

  /** @throws ServiceError `store_unavailable`; never because what is left can't be told. */
  return async ({ guildId }: FeedRef, progress: FeedProgress): Promise<FeedInterval> => {
    const target = usualInterval(progress, now());
    const name = await projectOf(guildId);
    const looks = looksADay(target);
    const own = { project: name, looksADay: Math.round(looks) };
    const open = await leftOf(guildId);
    if (open === undefined) return { ...own, intervalMs: target };
    const at = now();
    // A feed that is looked at first is not among the others yet.
    const factor = slowness(open, Math.max(await looksOf(name), looks), at);
    if (factor !== undefined) return { ...own, intervalMs: target * factor };
    const untilReset = open.resetsAt.getTime() - at;
    return { ...own, intervalMs: Math.min(Math.max(untilReset, target), hourMs) };
  };
}
