import {
  type DecisionUnits,
  pacificDate,
  type QuotaBound,
  type QuotaState,
} from "../../budget/index.ts";
import { type Clock, dayMs, minuteMs } from "../../clock.ts";
import type { VideoClient } from "../../video/index.ts";
import type { Watch, WatchProgress } from "../records/index.ts";
import type { DemandReader } from "./demand.ts";
import {
  allotUnits,
  busyPollMs,
  dailyUnitsFor,
  decisionUnits,
  type PollDemand,
  type SharedUnits,
  unitsKeptForOthers,
} from "./shares.ts";

/** `source`: the linked channel, as in all records of moderation. */
export interface QuotaAccess {
  /** How much is left of the project's quota units, which all linked channels share, for that server. */
  readonly left: (guildId: string, source: string) => Promise<QuotaState>;
  /** Takes units from that server's part of the day for decisions; false if fewer are left of it. */
  readonly takeForDecisions: (
    guildId: string,
    source: string,
    wanted: DecisionUnits,
  ) => Promise<boolean>;
}

/** What everybody sees of YouTube, read with a server's own key. */
export interface PublicView {
  readonly video: VideoClient;
  /** How much is left of the key's quota units. */
  readonly left: () => Promise<QuotaState>;
}

/** When a watch polls next, and why not as soon as people chose. */
export interface PollTurn {
  readonly inMs: number;
  readonly slowedBy?: "units" | "quiet" | undefined;
  /** Units that its polls cost per day at that pace. */
  readonly unitsADay: number;
  /** Units that a poll may spend beyond one per list. */
  readonly spareUnits: number;
  /** No units are left for a poll until then. Milliseconds since the epoch. */
  readonly goneUntil?: number | undefined;
}

/** Too few units for a decision. */
export interface QuotaShortage {
  /** When to ask again, in milliseconds since the epoch. */
  readonly at: number;
  /** The day's units are used up; otherwise the rest of them is for other servers. */
  readonly isGone?: true | undefined;
}

export type Pace = ReturnType<typeof createPace>;

/** Being without units for longer than this is worth a notification. */
const worthNotifyingMs = 3_600_000;
const minRetryMs = 60_000;

/** Units that a watch's polls have spent today. */
export function spentToday({ spent }: WatchProgress, now: number): number {
  return spent?.day === pacificDate(now) ? spent.units : 0;
}

/** Shares the day's units between the watches of all servers. What is a channel's own part is never kept from it. */
export function createPace({
  left: read,
  takeForDecisions,
  demand,
  clock,
}: QuotaAccess & { readonly demand: DemandReader; readonly clock: Clock }) {
  return {
    /** Call this after a watch was added, changed or removed. */
    renew: demand.renew,
    /**
     * Reads what is left, and returns how to compute a watch's next turn from its progress; `view`: it polls with the server's
     * key, whose units no other server spends. @throws what `left` throws; ServiceError `store_unavailable`.
     */
    async turnOf(
      guildId: string,
      watch: Watch,
      view?: Pick<PublicView, "left">,
    ): Promise<(progress: WatchProgress) => PollTurn> {
      if (view !== undefined) {
        const left = await view.left();
        const ofKey = await demand.ofKey(guildId, watch);
        const parts = [{ demand: ofKey, pot: toPot(left, clock.now()) }];
        return (progress) => computeTurn({ watch, progress, left, parts, now: clock.now() });
      }
      const [left, all] = await Promise.all([read(guildId, watch.source), demand.ofAll()]);
      const now = clock.now();
      const { share } = left;
      const own = share && { share, demand: await demand.ofGuild(guildId) };
      const parts = [{ demand: all, pot: toPot(left, now) }];
      if (own) parts.push({ demand: own.demand, pot: toPot(own.share, now) });
      const ensured = own && { demand: own.demand, pot: toPot(ownPart(own.share), now) };
      return (progress) => computeTurn({ watch, progress, left, parts, ensured, now: clock.now() });
    },
    /** Why a server has too few units for a decision, whatever other servers need; undefined if it has enough. */
    findShortage: async (guildId: string, source: string, cost: number) =>
      findShortage(await read(guildId, source), cost),
    /**
     * Takes units of a server for decisions, or answers why it has too few. It always gets them within its own part of the day;
     * beyond that, only what other servers do not need today.
     */
    async takeUnits(
      guildId: string,
      source: string,
      cost: number,
    ): Promise<QuotaShortage | undefined> {
      const [left, all, own] = await Promise.all([
        read(guildId, source),
        demand.ofAll(),
        demand.ofGuild(guildId),
      ]);
      const pot = toPot(left, clock.now());
      const shortage = findShortage(left, cost);
      if (shortage !== undefined) return shortage;
      const reset = left.resetsAt.getTime();
      const keptUnits = unitsKeptForOthers(own, all, pot);
      const isSpare = pot.left - cost >= keptUnits;
      const ensured = left.share === undefined ? 0 : ownPart(left.share).limit;
      const limit = Math.floor(
        isSpare ? pot.limit : Math.max(decisionUnits(all, pot.limit), decisionUnits(own, ensured)),
      );
      const isTaken = await takeForDecisions(guildId, source, { cost, limit });
      if (isTaken || isSpare) return undefined;
      // The reserve for others shrinks as the day passes.
      const keptMs = (pot.forMs * (pot.left - cost)) / keptUnits;
      const at = Math.max(clock.now() + minRetryMs, reset - Math.max(0, keptMs));
      return { at: Math.min(at, reset) };
    },
  };
}

/** The units that nobody else can spend. */
function ownPart({ sharing, used, resetsAt }: QuotaBound) {
  const limit = sharing?.own ?? 0;
  return { limit, left: Math.max(0, limit - used), resetsAt };
}

function findShortage(
  { left, share, resetsAt }: QuotaState,
  cost: number,
): QuotaShortage | undefined {
  const at = resetsAt.getTime();
  if (left < cost) return { at, isGone: true };
  return (share?.left ?? left) < cost ? { at } : undefined;
}

function toPot(
  { limit, left, resetsAt }: Pick<QuotaState, "limit" | "left" | "resetsAt">,
  now: number,
): SharedUnits {
  return { limit, left, forMs: Math.max(0, resetsAt.getTime() - now) };
}

interface PollPot {
  readonly demand: PollDemand;
  readonly pot: SharedUnits;
}

interface PollTurnFacts {
  readonly watch: Watch;
  readonly progress: WatchProgress;
  readonly left: QuotaState;
  /** The project's units, and the server's own part if it has one. */
  readonly parts: readonly PollPot[];
  /** The units that nobody else can spend. */
  readonly ensured?: PollPot | undefined;
  readonly now: number;
}

function computeTurn({ watch, progress, left, parts, ensured, now }: PollTurnFacts): PollTurn {
  const { paceMs } = watch;
  const cost = watch.states.length;
  const spentUnits = spentToday(progress, now);
  const dailyUnits = dailyUnitsFor(paceMs, cost);
  const allot = (of: PollPot) => allotUnits(dailyUnits, { ...of, spentUnits });
  const least = Math.max(Math.min(...parts.map(allot)), ensured === undefined ? 0 : allot(ensured));
  const forMs = Math.max(0, left.resetsAt.getTime() - now);
  const quietMs = now - (progress.foundAt ?? watch.addedAt);
  const wanted = preferredDelayMs({ paceMs, idlePolls: progress.idlePolls, quietMs });
  const affordable = affordableDelayMs({ cost, allotment: least, forMs });
  const inMs = Math.max(wanted, affordable);
  const there = Math.min(left.left, left.share?.left ?? left.left);
  const isGone = there < cost || (least < cost && forMs > worthNotifyingMs);
  const slowedBy = inMs <= paceMs ? undefined : affordable >= wanted ? "units" : "quiet";
  return {
    inMs,
    slowedBy,
    unitsADay: Math.round((cost * dayMs) / Math.max(inMs, 1)),
    spareUnits: Math.max(0, least - cost),
    goneUntil: isGone ? left.resetsAt.getTime() : undefined,
  };
}

/** For this long after a new comment a watch polls at least as often as people chose. */
const freshMs = 10 * minuteMs;
const slowestFactor = 6;
const slowestMs = 30 * minuteMs;

interface PollActivity {
  readonly paceMs: number;
  /** Polls in a row that found nothing. */
  readonly idlePolls: number;
  /** Time since the last new comment, or since the watch was added. */
  readonly quietMs: number;
}

/** How long to wait before the next poll if units did not matter. */
export function preferredDelayMs({ paceMs, idlePolls, quietMs }: PollActivity): number {
  if (quietMs < freshMs) {
    const steps = [busyPollMs(paceMs), Math.max(busyPollMs(paceMs), (paceMs * 2) / 3)];
    return Math.min(paceMs, steps[idlePolls] ?? paceMs);
  }
  const slowest = Math.max(paceMs, Math.min(paceMs * slowestFactor, slowestMs));
  return Math.min(slowest, paceMs + (quietMs - freshMs) / 10);
}

interface PollAllowance {
  /** Units that one poll costs. */
  readonly cost: number;
  /** Units that the watch may still spend today, and how long the day still lasts. */
  readonly allotment: number;
  readonly forMs: number;
}

/** How long to wait so that the units last until the end of the day; at most until then. */
export function affordableDelayMs({ cost, allotment, forMs }: PollAllowance): number {
  return allotment < cost ? forMs : Math.min(forMs, (cost * forMs) / allotment);
}
