import { pacificDate, type QuotaState } from "../../budget/index.ts";
import type { ModerationOptions } from "../parts.ts";
import type { Watch, WatchProgress } from "../records/index.ts";
import type { DemandReader } from "./demand.ts";
import { affordableMs, wantedMs } from "./interval.ts";
import {
  allotment,
  type Demand,
  dailyUnitsOf,
  decisionsOf,
  keptForOthers,
  type Pot,
} from "./shares.ts";

interface PaceDeps extends Pick<ModerationOptions, "left" | "clock"> {
  readonly demand: DemandReader;
}

/** When a watch is looked at next, and why not as soon as was asked. */
export interface Turn {
  readonly inMs: number;
  readonly slowedBy?: "units" | "quiet";
  /** What its polls cost a day at that pace. */
  readonly unitsADay: number;
  /** What is there for reading further than usual. */
  readonly spareUnits: number;
  /** There are none for a poll until then: milliseconds since the epoch. */
  readonly goneUntil?: number;
}

/** `at`: when it is worth another try, in milliseconds since the epoch. */
type FlushLeave = { readonly isGiven: true } | { readonly isGiven: false; readonly at: number };

export type Pace = ReturnType<typeof createPace>;

const dayMs = 24 * 3_600_000;
/** Longer than this without units is worth telling. */
const noticedMs = 3_600_000;
const soonestMs = 60_000;

/** What a watch's polls cost on the present day. */
export function spentToday({ spent }: WatchProgress, now: number): number {
  return spent?.day === pacificDate(now) ? spent.units : 0;
}

/** Shares the day's units between the watches of all guilds. */
export function createPace({ left: read, demand, clock }: PaceDeps) {
  /** Of decisions, by guild; what a restart forgets lets a guild have its part once more. */
  let flushed: { day: string; readonly units: Map<string, number> } = { day: "", units: new Map() };

  function flushedToday(): Map<string, number> {
    const day = pacificDate(clock.now());
    if (flushed.day !== day) flushed = { day, units: new Map() };
    return flushed.units;
  }

  function potOf({ limit, left, resetsAt }: Pick<QuotaState, "limit" | "left" | "resetsAt">): Pot {
    return { limit, left, forMs: Math.max(0, resetsAt.getTime() - clock.now()) };
  }

  return {
    /** By what is left at present, a watch's turn as its progress makes it. @throws what `left` throws; ServiceError `store_unavailable`. */
    async turnOf(guildId: string, watch: Watch): Promise<(progress: WatchProgress) => Turn> {
      const [left, all] = await Promise.all([read(guildId, watch.source), demand.ofAll()]);
      const parts = [{ demand: all, pot: potOf(left) }];
      if (left.share !== undefined) {
        parts.push({ demand: await demand.ofGuild(guildId), pot: potOf(left.share) });
      }
      return (progress) => turn({ watch, progress, left, parts, now: clock.now() });
    },
    /**
     * Whether so many units may go into decisions of that guild now. A guild always may within its own part of the day;
     * beyond it what the others still need today stays. What is allowed counts as spent.
     */
    async mayFlush(guildId: string, source: string, cost: number): Promise<FlushLeave> {
      const [left, all, own] = await Promise.all([
        read(guildId, source),
        demand.ofAll(),
        demand.ofGuild(guildId),
      ]);
      const pot = potOf(left);
      const reset = left.resetsAt.getTime();
      if (Math.min(left.left, left.share?.left ?? left.left) < cost) {
        return { isGiven: false, at: reset };
      }
      // From here to the count nothing is waited for, so that two can't both take the last.
      const units = flushedToday();
      const taken = (units.get(guildId) ?? 0) + cost;
      const kept = keptForOthers(own, all, pot);
      if (taken <= decisionsOf(all, pot.limit) || pot.left - cost >= kept) {
        units.set(guildId, taken);
        return { isGiven: true };
      }
      // What has to stay gets less as the day goes on.
      const keptMs = (pot.forMs * (pot.left - cost)) / kept;
      const at = Math.max(clock.now() + soonestMs, reset - Math.max(0, keptMs));
      return { isGiven: false, at: Math.min(at, reset) };
    },
  };
}

interface Known {
  readonly watch: Watch;
  readonly progress: WatchProgress;
  readonly left: QuotaState;
  /** Of the project, and of the guild's own part where it has one. */
  readonly parts: readonly { readonly demand: Demand; readonly pot: Pot }[];
  readonly now: number;
}

function turn({ watch, progress, left, parts, now }: Known): Turn {
  const { paceMs } = watch;
  const cost = watch.states.length;
  const spentUnits = spentToday(progress, now);
  const dailyUnits = dailyUnitsOf(paceMs, cost);
  const least = Math.min(
    ...parts.map(({ demand, pot }) => allotment(dailyUnits, { demand, pot, spentUnits })),
  );
  const forMs = Math.max(0, left.resetsAt.getTime() - now);
  const quietMs = now - (progress.foundAt ?? watch.addedAt);
  const wanted = wantedMs({ paceMs, idlePolls: progress.idlePolls, quietMs });
  const affordable = affordableMs({ cost, allotment: least, forMs });
  const inMs = Math.max(wanted, affordable);
  const there = Math.min(left.left, left.share?.left ?? left.left);
  const isGone = there < cost || (least < cost && forMs > noticedMs);
  const slowedBy = inMs <= paceMs ? undefined : affordable >= wanted ? "units" : "quiet";
  return {
    inMs,
    ...(slowedBy && { slowedBy }),
    unitsADay: Math.round((cost * dayMs) / Math.max(inMs, 1)),
    spareUnits: Math.max(0, least - cost),
    ...(isGone && { goneUntil: left.resetsAt.getTime() }),
  };
}
