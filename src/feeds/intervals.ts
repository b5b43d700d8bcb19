import { LRUCache } from "lru-cache";
import type { QuotaState } from "../budget/index.ts";
import type { FeedsDeps } from "./deps.ts";
import type { FeedRecords, FeedRef } from "./feed-records.ts";
import { intervalFor, looksADay, slowness } from "./pace.ts";
import type { FeedProgress } from "./record.ts";

export interface IntervalsDeps extends Pick<FeedsDeps, "database" | "left" | "project" | "log"> {
  readonly feeds: Pick<FeedRecords, "looksADay">;
}

export interface FeedInterval {
  /** How long until the next look. */
  readonly intervalMs: number;
  /** Whose units the looks take, and how many of them the feed would like a day. */
  readonly project: string;
  readonly looksADay: number;
}

export type Intervals = ReturnType<typeof createIntervals>;

const cachedMs = 60_000;
const mostCached = 2_000;
const hourMs = 3_600_000;

/** Shares what the day still has for feeds between all of those that read with the same project. */
export function createIntervals({ database, left, project, log, feeds }: IntervalsDeps) {
  const { now } = database;
  const cached = { max: mostCached, ttl: cachedMs, ttlResolution: 0, perf: { now } } as const;
  const leftCache = new LRUCache<string, { readonly left: QuotaState | undefined }>(cached);
  const looksCache = new LRUCache<string, { readonly looks: number }>(cached);

  function usual(progress: FeedProgress): number {
    const at = now();
    return intervalFor(progress, (progress.pushUntil ?? 0) > at, at);
  }

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

  return {
    /** What it would be without asking what is left. */
    usual,
    /** @throws ServiceError `store_unavailable`; never because what is left can't be told. */
    async of({ guildId }: FeedRef, progress: FeedProgress): Promise<FeedInterval> {
      const target = usual(progress);
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
    },
  };
}
