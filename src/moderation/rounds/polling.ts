import { LimitError } from "../../errors.ts";
import type { TroubleCode, Watch, WatchProgress } from "../../store/index.ts";
import { pacificDate, type VideoClient } from "../../video/index.ts";
import type { View } from "../announce/index.ts";
import type { Pacing } from "../pace/index.ts";
import type { PartOptions } from "../parts.ts";
import type { Poll, PollMemory } from "../poll/index.ts";
import { blankProgress } from "../progress.ts";
import { type Noticed, pauseOf, troubleOf } from "../trouble/index.ts";
import { waitAtMost, within } from "../within.ts";

export interface PollingParts
  extends Pick<PartOptions, "store" | "video" | "clock" | "random" | "log" | "onPoll"> {
  readonly poll: Poll;
  readonly pace: Pacing;
}

export interface PollingOptions {
  readonly guildId: string;
  readonly watch: Watch;
  readonly progress: WatchProgress;
  readonly view: View;
  readonly memory: PollMemory;
  /** How often it failed in a row. */
  readonly misses: number;
  readonly signal: AbortSignal;
}

export type Polling =
  | { readonly state: "done"; readonly progress: WatchProgress }
  /** `noticed`: what people may have to be told. */
  | {
      readonly state: "failed";
      readonly noticed: Noticed | undefined;
      readonly nextPollAt: number;
    };

const sweepEveryMs = 3_600_000;
/** A sweep reads many pages; with little left the first ones have to do. */
const sweepSpare = 20;
const pollMs = 60_000;
const enoughMs = 1_500;
/** Waiting a second too long is better than a poll that is refused at midnight. */
const afterResetMs = 30_000;

/** One poll, and what follows for the next one. @throws ServiceError `store_unavailable`. */
export async function pollNow(parts: PollingParts, options: PollingOptions): Promise<Polling> {
  const { store, clock, log, onPoll } = parts;
  const { guildId, watch, progress } = options;
  const rows = store.moderation.progress;
  let units = 0;
  let taking: Promise<unknown> | undefined;
  try {
    const turn = await parts.pace.turn(guildId, watch, progress);
    if (turn.goneUntil !== undefined) {
      onPoll?.("units_gone");
      return await failed({ code: "units_gone", until: turn.goneUntil });
    }
    const isSweep = isSweepDue(progress, clock.now()) && turn.spare >= sweepSpare;
    const client = counting(await parts.video(guildId, watch.source), () => {
      units += 1;
    });
    const { view, memory } = options;
    const polled = await within(clock, { ms: pollMs, signal: options.signal }, (signal) => {
      const poll = parts.poll(client, {
        ...{ guildId, watch, progress, memory, isSweep, signal },
        waiting: view.waiting(),
        spare: isSweep ? turn.spare / 4 : Math.min(turn.spare / 20, 10),
        onItem: view.put,
      });
      taking = poll;
      return poll;
    });
    const now = clock.now();
    const polledBy: WatchProgress = {
      ...counted(progress, units, now),
      polledAt: now,
      idlePolls: polled.found > 0 ? 0 : progress.idlePolls + 1,
      ...(polled.found > 0 && { foundAt: now }),
      ...(isSweep && { sweptAt: now }),
      ...(polled.newestAt !== undefined && { newestAt: polled.newestAt }),
    };
    const nextPollAt = await nextAfter(parts, options, polledBy);
    const { troubles: _, ...moved } = { ...polledBy, nextPollAt };
    const stored = await rows.update(guildId, watch.id, (before = blankProgress) => ({
      ...before,
      ...moved,
    }));
    onPoll?.("done");
    return { state: "done", progress: stored };
  } catch (error) {
    if (options.signal.aborted) {
      // The poll that was cut off may still be finishing a write.
      await waitAtMost(clock, enoughMs, [taking]);
      throw error;
    }
    const noticed = troubleOf(error);
    if (noticed === undefined) throw error;
    log.warn("a watch was not polled", { guild: guildId, watch: watch.id, error });
    onPoll?.(codeOf(error));
    return failed(noticed, error);
  }

  async function failed(noticed: Noticed, error?: unknown): Promise<Polling> {
    const now = clock.now();
    const pauseMs = pauseOf(noticed.code, options.misses + 1) * (0.9 + parts.random() * 0.2);
    const retryAt = error instanceof LimitError ? (error.retryAt?.getTime() ?? 0) : 0;
    const until = noticed.until === undefined ? 0 : noticed.until + afterResetMs;
    const resumeAt = Math.max(now + pauseMs, retryAt, until);
    await rows.update(guildId, watch.id, (before = blankProgress) => ({
      ...counted(before, units, now),
      nextPollAt: resumeAt,
    }));
    return { state: "failed", noticed, nextPollAt: resumeAt };
  }
}

function isSweepDue({ sweptAt }: WatchProgress, now: number): boolean {
  return sweptAt === undefined || now - sweptAt >= sweepEveryMs;
}

/** All at the same pace would otherwise be all at the same time. */
async function nextAfter(
  { pace, clock, random }: PollingParts,
  { guildId, watch }: PollingOptions,
  progress: WatchProgress,
): Promise<number> {
  const { inMs } = await pace.turn(guildId, watch, progress);
  return clock.now() + inMs * (0.95 + random() * 0.1);
}

/** With what was spent on the present day. */
function counted(progress: WatchProgress, units: number, now: number): WatchProgress {
  if (units === 0) return progress;
  const day = pacificDate(now);
  const before = progress.spent?.day === day ? progress.spent.units : 0;
  return { ...progress, spent: { day, units: before + units } };
}

/** Lists cost a unit a call. */
function counting(client: VideoClient, onCall: () => void): VideoClient {
  return {
    call: (...given) => {
      onCall();
      return client.call(...given);
    },
    pages: client.pages,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}

/** What a poll that went well puts an end to. */
export function codesOfPolls({ troubles }: WatchProgress): readonly TroubleCode[] {
  const all = Object.keys(troubles) as TroubleCode[];
  return all.filter((code) => code !== "channel_closed" && code !== "channel_gone");
}

export function codesOfPlaces({ troubles }: WatchProgress): readonly TroubleCode[] {
  const all = Object.keys(troubles) as TroubleCode[];
  return all.filter((code) => code === "channel_closed" || code === "channel_gone");
}
