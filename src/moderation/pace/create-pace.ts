import type { Watch, WatchProgress } from "../../store/index.ts";
import { type Left, pacificDate } from "../../video/index.ts";
import type { FlushLeave, ModerationOptions, Pace } from "../parts.ts";
import { affordableMs, wantedMs } from "./interval.ts";
import { allotment, decisionsOf, keptForOthers, type Pot, type Taker } from "./shares.ts";
import { takerOf } from "./takers.ts";

export interface PaceParts extends Pick<ModerationOptions, "left" | "clock"> {
  /** All watches of the project that poll; asked often. */
  readonly takers: () => Promise<readonly Taker[]>;
}

/** When a watch is looked at next, and why not as soon as was asked. */
export interface Turn {
  readonly inMs: number;
  readonly slowedBy?: "units" | "quiet";
  /** What its polls cost a day at that pace. */
  readonly unitsADay: number;
  /** What is there for reading further than usual. */
  readonly spare: number;
  /** There are none for a poll until then: milliseconds since the epoch. */
  readonly goneUntil?: number;
}

export interface Pacing extends Pace {
  turn(guildId: string, watch: Watch, progress: WatchProgress): Promise<Turn>;
}

const dayMs = 24 * 3_600_000;
/** Longer than this without units is worth telling. */
const noticedMs = 3_600_000;
const soonestMs = 60_000;

/** What a watch's polls cost on the present day. */
export function spentToday({ spent }: WatchProgress, now: number): number {
  return spent?.day === pacificDate(now) ? spent.units : 0;
}

export function createPace({ left: read, takers, clock }: PaceParts): Pacing {
  /** Of decisions, by guild; what a restart forgets lets a guild have its part once more. */
  let flushed: { day: string; readonly units: Map<string, number> } = { day: "", units: new Map() };

  function flushedToday(): Map<string, number> {
    const day = pacificDate(clock.now());
    if (flushed.day !== day) flushed = { day, units: new Map() };
    return flushed.units;
  }

  function potOf({ limit, left, resetsAt }: Pick<Left, "limit" | "left" | "resetsAt">): Pot {
    return { limit, left, forMs: Math.max(0, resetsAt.getTime() - clock.now()) };
  }

  return {
    async turn(guildId, watch, progress) {
      const now = clock.now();
      const [left, all] = await Promise.all([read(guildId, watch.source), takers()]);
      const taker = takerOf(guildId, watch);
      const spent = spentToday(progress, now);
      const project = potOf(left);
      const own = all.filter((one) => one.guildId === guildId);
      const parts = [allotment(taker, { takers: all, pot: project, spent })];
      if (left.share !== undefined) {
        parts.push(allotment(taker, { takers: own, pot: potOf(left.share), spent }));
      }
      const { cost } = taker;
      const forMs = project.forMs;
      const least = Math.min(...parts);
      const quietMs = now - (progress.foundAt ?? watch.addedAt);
      const wanted = wantedMs({ paceMs: watch.paceMs, idlePolls: progress.idlePolls, quietMs });
      const affordable = affordableMs({ cost, allotment: least, forMs });
      const inMs = Math.max(wanted, affordable);
      const there = Math.min(left.left, left.share?.left ?? left.left);
      const isGone = there < cost || (least < cost && forMs > noticedMs);
      const slowedBy = inMs <= watch.paceMs ? undefined : affordable >= wanted ? "units" : "quiet";
      return {
        inMs,
        ...(slowedBy && { slowedBy }),
        unitsADay: Math.round((cost * dayMs) / Math.max(inMs, 1)),
        spare: Math.max(0, least - cost),
        ...(isGone && { goneUntil: left.resetsAt.getTime() }),
      };
    },
    async mayFlush(guildId, source, cost): Promise<FlushLeave> {
      const [left, all] = await Promise.all([read(guildId, source), takers()]);
      const pot = potOf(left);
      const reset = left.resetsAt.getTime();
      if (Math.min(left.left, left.share?.left ?? left.left) < cost) {
        return { isGiven: false, at: reset };
      }
      // From here to the count nothing is waited for, so that two can't both take the last.
      const units = flushedToday();
      const own = (units.get(guildId) ?? 0) + cost;
      const kept = keptForOthers(guildId, all, pot);
      if (own <= decisionsOf(all, pot.limit) || pot.left - cost >= kept) {
        units.set(guildId, own);
        return { isGiven: true };
      }
      // What has to stay gets less as the day goes on.
      const keptMs = (pot.forMs * (pot.left - cost)) / kept;
      const at = Math.max(clock.now() + soonestMs, reset - Math.max(0, keptMs));
      return { isGiven: false, at: Math.min(at, reset) };
    },
  };
}
