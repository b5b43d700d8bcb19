import type { QuotaState } from "../budget/index.ts";
import { createCache } from "../cache.ts";
import { dayMs, hourMs, minuteMs } from "../clock.ts";
import type { LimitError } from "../errors.ts";
import type { FeedRef } from "./feed-records.ts";
import type { FeedProgress } from "./record.ts";
import type { FeedsRoom } from "./room.ts";

/** Between two polls of a channel that publishes often. */
const shortestMs = 5 * minuteMs;
/** Between two polls of one that publishes seldom, and of one that stopped. */
const longestMs = 20 * minuteMs;
const dormantMs = hourMs;
/** While the hub pushes new videos, polls only find what it has missed. */
const pushedMs = 6 * hourMs;
/** An announcement may be late by a hundredth of the usual time between two releases. */
const share = 100;
/** One release is often followed by another. */
const livelyMs = 20 * minuteMs;

type ReleaseHistory = Pick<FeedProgress, "gapMs" | "newestAt">;

/** How often to poll a feed. */
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

/** With up to so many pushed feeds, a project polls each as often as one alone. */
const oftenPolled = 25;
const rarestMs = dayMs;

/** How often to poll a pushed feed where a project has so many feeds: all of them together cost about 100 units a day, or one each. */
export function pushedInterval(feedCount: number): number {
  return Math.min(rarestMs, pushedMs * Math.max(1, feedCount / oftenPolled));
}

/** The same, regardless of the units that are left. */
export function usualInterval(progress: FeedProgress, now: number): number {
  return intervalFor(progress, (progress.pushUntil ?? 0) > now, now);
}

/** When to try again after a limit: when the service says, else in an hour. */
export function retryAtOf({ retryAt }: LimitError, now: number): number {
  return retryAt?.getTime() ?? now + hourMs;
}

const minDates = 3;
const maxDates = 15;

/** The usual time between two releases, from the newest of them. */
export function usualGap(dates: readonly number[]): number | undefined {
  const newest = dates.toSorted((a, b) => b - a).slice(0, maxDates);
  if (newest.length < minDates) return undefined;
  const gaps = newest.slice(1).map((at, index) => (newest[index] ?? at) - at);
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
}

/** The share of the unreserved units that polls may take; people's own commands need the rest. */
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

/** By how much reads slow down on a day that begins with all units except those that are reserved now. */
export function dailyFactor({ limit, reserved }: QuotaState, wanted: number): number {
  const units = (limit - reserved - limit * commandShare) * feedShare;
  return units < 1 ? 1 : Math.max(1, wanted / units);
}

/** How many polls a day that interval makes. */
export function pollsADay(intervalMs: number): number {
  return dayMs / intervalMs;
}

export interface FeedInterval {
  /** How long until the next poll. */
  readonly intervalMs: number;
  /** The project whose units the polls take, and how many reads a day the feed wants. */
  readonly project: string;
  readonly looksADay: number;
}

/** How much the reads of a project have to slow down. */
export interface Slowdown {
  readonly project: string;
  /** By how much everything is further apart; undefined if there are no units until `resetsAt`. */
  readonly factor: number | undefined;
  /** The same for a whole day with all its units. */
  readonly dailyFactor: number;
  readonly resetsAt: number;
}

const cachedMs = minuteMs;
const maxCached = 2_000;

/** `own`: reads a day that the caller's feeds want; feeds that were never polled are not in the total yet. */
export type FindSlowdown = (guildId: string, own?: number) => Promise<Slowdown>;

/** The time between two polls that should be `target` apart. */
export function slowedInterval(target: number, { factor, resetsAt }: Slowdown, now: number) {
  if (factor !== undefined) return target * factor;
  return Math.min(Math.max(resetsAt - now, target), hourMs);
}

type SlowdownRoom = Pick<FeedsRoom, "database" | "left" | "project" | "log" | "feeds">;

/** Finds out how much the reads of a server have to slow down, so that all that share its project have enough. */
export function createSlowdown(room: SlowdownRoom): FindSlowdown {
  const { now } = room.database;
  const cached = { maxSize: maxCached, maxAgeMs: cachedMs, now } as const;
  const leftCache = createCache<{ readonly left: QuotaState | undefined }>(cached);
  const wantedCache = createCache<{ readonly looks: number }>(cached);

  async function readLeft(guildId: string): Promise<QuotaState | undefined> {
    const known = leftCache.get(guildId);
    if (known !== undefined) return known.left;
    const left = await room.left(guildId).catch((error: unknown) => {
      room.log.debug("what is left for feeds is not known", { guild: guildId, error });
      return undefined;
    });
    leftCache.set(guildId, { left });
    return left;
  }

  async function readWanted(project: string): Promise<number> {
    const known = wantedCache.get(project);
    if (known !== undefined) return known.looks;
    const looks = await room.feeds.looksADay(project);
    wantedCache.set(project, { looks });
    return looks;
  }

  /** @throws ServiceError `store_unavailable`, except when only the remaining units can't be read */
  return async (guildId, own = 0) => {
    // Without a key or a link, polls cost no units.
    const project = (await room.project?.(guildId).catch(() => undefined)) ?? guildId;
    const left = await readLeft(guildId);
    const at = now();
    if (left === undefined) return { project, factor: 1, dailyFactor: 1, resetsAt: at };
    const wanted = Math.max(await readWanted(project), own);
    return {
      project,
      factor: slowdownFactor(left, wanted, at),
      dailyFactor: dailyFactor(left, wanted),
      resetsAt: left.resetsAt.getTime(),
    };
  };
}

/** Shares the day's remaining units between all feeds that read with the same project. */
export function createIntervals(room: SlowdownRoom) {
  const { now } = room.database;
  const findSlowdown = createSlowdown(room);

  /** `followed`: units that the feed's streams take in the next day. @throws as `createSlowdown`. */
  return async (
    { guildId }: FeedRef,
    progress: FeedProgress,
    followed = 0,
  ): Promise<FeedInterval> => {
    const target = usualInterval(progress, now());
    const looks = pollsADay(target) + followed;
    const slowdown = await findSlowdown(guildId, looks);
    const intervalMs = slowedInterval(target, slowdown, now());
    return { project: slowdown.project, looksADay: Math.round(looks), intervalMs };
  };
}
