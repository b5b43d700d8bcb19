import { pacificDate } from "../../budget/index.ts";
import { withTimeout } from "../../clock.ts";
import { LimitError } from "../../errors.ts";
import type { JobHandler } from "../../jobs/index.ts";
import type { VideoClient } from "../../video/index.ts";
import type { PartOptions } from "../parts.ts";
import type { WatchAt, WatchProgress } from "../records/index.ts";
import { codesOfPolls, type Noticed, pauseOf, type Troubles, troubleOf } from "../trouble/index.ts";
import { handlerOf } from "../watch-jobs.ts";
import type { Poll, Polled } from "./poll.ts";

export interface PollJobDeps
  extends Pick<
    PartOptions,
    "database" | "records" | "video" | "pace" | "clock" | "random" | "log" | "onPoll"
  > {
  readonly poll: Poll;
  readonly troubles: Troubles;
}

const sweepEveryMs = 3_600_000;
/** A sweep reads many pages; with little left the first ones have to do. */
const sweepUnits = 20;
const pollMs = 60_000;
/** Waiting a second too long is better than a poll that is refused at midnight. */
const afterResetMs = 30_000;

/** A watch at the time of one look. */
interface Look extends WatchAt {
  readonly guildId: string;
  readonly signal: AbortSignal;
}

/** One look at a watch's lists; it answers when the next one is due. */
export function createPollJob(deps: PollJobDeps): JobHandler {
  return handlerOf(async ({ guildId, watchId, signal }) => {
    const known = await deps.records.watches.readWithProgress(guildId, watchId);
    // Whoever lets it go on begins it anew.
    if (known === undefined || known.watch.paused !== undefined) return undefined;
    return look(deps, { ...known, guildId, signal });
  });
}

async function look(deps: PollJobDeps, at: Look): Promise<number | undefined> {
  const { log, onPoll, pace, random } = deps;
  const { now } = deps.database;
  const { guildId, watch, progress, signal } = at;
  const units = { count: 0 };
  try {
    const turnOf = await pace.turnOf(guildId, watch);
    const { goneUntil, spareUnits } = turnOf(progress);
    if (goneUntil !== undefined) {
      onPoll?.("units_gone");
      const noticed = { code: "units_gone", until: goneUntil } as const;
      return await failed(deps, at, { noticed, units: 0 });
    }
    const isSweep = isSweepDue(progress, now()) && spareUnits >= sweepUnits;
    const polled = await poll(deps, at, { isSweep, spareUnits, units });
    if (polled === undefined) return now();
    const moved = movedBy({ ...polled, isSweep, units: units.count, at: now() });
    const nextPollAt = now() + turnOf(moved(progress)).inMs * (0.95 + random() * 0.1);
    onPoll?.("done");
    const make = (before: WatchProgress) => ({ ...moved(before), nextPollAt });
    return await done(deps, at, { make, nextPollAt });
  } catch (error) {
    const noticed = troubleOf(error);
    if (signal.aborted || noticed === undefined) throw error;
    log.warn("a watch was not polled", { guild: guildId, watch: watch.id, error });
    onPoll?.(codeOf(error));
    return failed(deps, at, { noticed, units: units.count, error });
  }
}

/** Undefined where the watch was stopped, or is about another channel by now. */
async function poll(
  deps: PollJobDeps,
  { guildId, watch, progress, signal }: Look,
  {
    isSweep,
    spareUnits,
    units,
  }: { readonly isSweep: boolean; readonly spareUnits: number; readonly units: Count },
): Promise<Polled | undefined> {
  const client = counting(await deps.video(guildId, watch.source), units);
  const most = isSweep ? spareUnits / 4 : Math.min(spareUnits / 20, 10);
  const options = { guildId, watch, progress, isSweep, spareUnits: most };
  return withTimeout((both) => deps.poll(client, { ...options, signal: both }), {
    ...{ ms: pollMs, clock: deps.clock, signal },
  });
}

interface Done {
  readonly make: (progress: WatchProgress) => WatchProgress;
  readonly nextPollAt: number;
}

/** Answers when to look next. */
async function done(
  { database, records, troubles }: PollJobDeps,
  look: Look,
  { make, nextPollAt }: Done,
): Promise<number> {
  const { guildId, watch } = look;
  const stored = await records.watches.moveOn(guildId, look, make);
  if (stored === undefined) return database.now();
  const codes = codesOfPolls(stored);
  if (codes.length === 0) return nextPollAt;
  try {
    await troubles.over({ guildId, watch }, stored, codes);
  } catch (error) {
    await troubles.refused({ guildId, watch }, error);
  }
  return nextPollAt;
}

interface Failed {
  readonly noticed: Noticed;
  /** What it had cost by then. */
  readonly units: number;
  readonly error?: unknown;
}

/** Answers when to try again. */
async function failed(
  { database, random, records, troubles }: PollJobDeps,
  look: Look,
  { noticed, units, error }: Failed,
): Promise<number> {
  const { guildId, watch } = look;
  const at = database.now();
  const retryAt = error instanceof LimitError ? (error.retryAt?.getTime() ?? 0) : 0;
  const until = noticed.until === undefined ? 0 : noticed.until + afterResetMs;
  const jitter = 0.9 + random() * 0.2;
  const stored = await records.watches.moveOn(guildId, look, (before) => {
    const failedPolls = (before.failedPolls ?? 0) + 1;
    const pauseMs = pauseOf(noticed.code, failedPolls) * jitter;
    const nextPollAt = Math.max(at + pauseMs, retryAt, until);
    return { ...counted(before, units, at), failedPolls, nextPollAt };
  });
  if (stored === undefined) return at;
  await troubles.met({ guildId, watch }, noticed, stored.failedPolls ?? 1);
  return stored.nextPollAt ?? at;
}

interface Count {
  count: number;
}

function isSweepDue({ sweptAt }: WatchProgress, now: number): boolean {
  return sweptAt === undefined || now - sweptAt >= sweepEveryMs;
}

interface Moved extends Polled {
  readonly isSweep: boolean;
  readonly units: number;
  readonly at: number;
}

/** What a poll that went well changes about a watch's progress. */
function movedBy({ found, newestAt, isSweep, units, at }: Moved) {
  return (progress: WatchProgress): WatchProgress => {
    const { failedPolls: _, ...before } = counted(progress, units, at);
    return {
      ...before,
      polledAt: at,
      idlePolls: found > 0 ? 0 : before.idlePolls + 1,
      ...(found > 0 && { foundAt: at }),
      ...(isSweep && { sweptAt: at }),
      ...(newestAt !== undefined && { newestAt }),
    };
  };
}

/** With what was spent on the present day. */
function counted(progress: WatchProgress, units: number, now: number): WatchProgress {
  if (units === 0) return progress;
  const day = pacificDate(now);
  const before = progress.spent?.day === day ? progress.spent.units : 0;
  return { ...progress, spent: { day, units: before + units } };
}

/** Lists cost a unit a call. */
function counting(client: VideoClient, units: Count): VideoClient {
  return {
    call: (...asked) => {
      units.count += 1;
      return client.call(...asked);
    },
    pages: client.pages,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}
