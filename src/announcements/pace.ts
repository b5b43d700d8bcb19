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
/** While the hub pushes new videos, looks only find what it has missed. */
const pushedMs = 6 * hourMs;
/** An announcement may be late by a hundredth of the usual time between two releases. */
const share = 100;
/** One release is often followed by another. */
const livelyMs = 20 * minuteMs;

type ReleaseHistory = Pick<FeedProgress, "gapMs" | "newestAt">;

/** How often to look at a feed. */
export function intervalFor(
  { gapMs, newestAt }: ReleaseHistory,
  isPushed: boolean,
  now: number,
): number {
  if (isPushed) return pushedMs;
  const idleMs = newestAt === undefined ? 0 : now - newestAt;
  if (gapMs === undefined || (newestAt !== undefined && idleMs < livelyMs)) return shortestMs;
  const most = idleMs > Math.max(10 * gapMs, 30 * dayMs) ? dormantMs : longestMs;
  return Math.min(most, Math.max(shortestMs, Math.max(gapMs, idleMs / 4) / share));
}

/** The same, regardless of the units that are left. */
export function usualInterval(progress: FeedProgress, now: number): number {
  return intervalFor(progress, (progress.pushUntil ?? 0) > now, now);
}

const minDates = 3;
const maxDates = 15;

/** The usual time between two releases, from the newest of them. */
export function gapOf(dates: readonly number[]): number | undefined {
  const newest = dates.toSorted((a, b) => b - a).slice(0, maxDates);
  if (newest.length < minDates) return undefined;
  const gaps = newest.slice(1).map((at, index) => (newest[index] ?? at) - at);
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
}

/** The share of the unreserved units that looks may take; people's own commands need the rest. */
const feedShare = 0.5;
/** The last tenth of a day's units is for commands. */
const commandShare = 0.1;

/**
 * The factor by which all feeds of a project slow down, so that the units last until the next reset; undefined if there
 * are no units. `wanted`: the units they would take a day.
 */
export function slowdownFactor(left: QuotaState, wanted: number, now: number): number | undefined {
  const open = left.left - left.reserved - left.limit * commandShare;
  const units = Math.min(open, left.bound?.left ?? Number.POSITIVE_INFINITY) * feedShare;
  if (left.blocked || units < 1) return undefined;
  const days = Math.max(0, left.resetsAt.getTime() - now) / dayMs;
  return Math.max(1, (wanted * days) / units);
}

/** How many looks a day that interval makes. */
export function looksADay(intervalMs: number): number {
  return dayMs / intervalMs;
}

type IntervalsDeps = Pick<FeedWorkDeps, "database" | "left" | "project" | "log" | "feeds">;

export interface FeedInterval {
  /** How long until the next look. */
  readonly intervalMs: number;
  /** The project whose units the looks take, and how many looks a day the feed wants. */
  readonly project: string;
  readonly looksADay: number;
}

const cachedMs = 60_000;
const maxCached = 2_000;

/** Shares the day's remaining units between all feeds that read with the same project. */
export function createIntervals({ database, left, project, log, feeds }: IntervalsDeps) {
  const { now } = database;
  const cached = { maxSize: maxCached, maxAgeMs: cachedMs, now } as const;
  const leftCache = createCache<{ readonly left: QuotaState | undefined }>(cached);
  const looksCache = createCache<{ readonly looks: number }>(cached);

  async function projectOf(guildId: string): Promise<string> {
    try {
      return (await project?.(guildId)) ?? guildId;
    } catch {
      // Without a key or a link, looking costs no units.
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

  /** @throws ServiceError `store_unavailable`, but not if the units that are left can't be read. */
  return async ({ guildId }: FeedRef, progress: FeedProgress): Promise<FeedInterval> => {
    const target = usualInterval(progress, now());
    const name = await projectOf(guildId);
    const looks = looksADay(target);
    const own = { project: name, looksADay: Math.round(looks) };
    const open = await leftOf(guildId);
    if (open === undefined) return { ...own, intervalMs: target };
    const at = now();
    // A feed at its first look is not counted among the others yet.
    const factor = slowdownFactor(open, Math.max(await looksOf(name), looks), at);
    if (factor !== undefined) return { ...own, intervalMs: target * factor };
    const untilReset = open.resetsAt.getTime() - at;
    return { ...own, intervalMs: Math.min(Math.max(untilReset, target), hourMs) };
  };
}
