import { createHash } from "node:crypto";
import { dayMs, hourMs, minuteMs, secondMs } from "../../clock.ts";
import type { FollowedStream } from "./stream-record.ts";

/** A stream is announced, and gets an event, when its start is no further away: some waiting rooms are years ahead. */
export const aheadMs = 14 * dayMs;
/** Between the planned start and the first look. */
const startMs = 30 * secondMs;
/** A video that was missing once is read again after this long, before people are told. */
export const lostAgainMs = 2 * minuteMs;

interface LookStep {
  /** How far a stream may be into what it does. */
  readonly withinMs: number;
  readonly everyMs: number;
}

/** Before the start: `withinMs` is how far away it is. */
const scheduledSteps: readonly LookStep[] = [
  { withinMs: hourMs, everyMs: 10 * minuteMs },
  { withinMs: dayMs, everyMs: 2 * hourMs },
  { withinMs: aheadMs, everyMs: 12 * hourMs },
  { withinMs: Number.POSITIVE_INFINITY, everyMs: dayMs },
];

/** After the planned start; one that has not begun after a month is given up. */
const overdueSteps: readonly LookStep[] = [
  { withinMs: 15 * minuteMs, everyMs: minuteMs },
  { withinMs: 2 * hourMs, everyMs: 3 * minuteMs },
  { withinMs: dayMs, everyMs: 30 * minuteMs },
  { withinMs: 7 * dayMs, everyMs: 6 * hourMs },
  { withinMs: 30 * dayMs, everyMs: dayMs },
];

/**
 * A stream of several days costs up to 24 units a day, and 8 once it is a week old; some never end. Its message says “live”
 * until the first look after its end: docs/decisions.md#long-streams-are-read-every-hour-for-a-week
 */
const liveSteps: readonly LookStep[] = [
  { withinMs: 12 * hourMs, everyMs: 10 * minuteMs },
  { withinMs: 2 * dayMs, everyMs: 30 * minuteMs },
  { withinMs: 7 * dayMs, everyMs: hourMs },
  { withinMs: Number.POSITIVE_INFINITY, everyMs: 3 * hourMs },
];

/** Until the recording can be watched; without DVR that takes a day: docs/services/youtube.md#streams-and-premieres */
const overSteps: readonly LookStep[] = [
  { withinMs: 2 * hourMs, everyMs: 10 * minuteMs },
  { withinMs: 26 * hourMs, everyMs: hourMs },
];

/** Once people were told that it is deleted or private. */
const lostSteps: readonly LookStep[] = [
  { withinMs: hourMs, everyMs: 10 * minuteMs },
  { withinMs: dayMs, everyMs: hourMs },
  { withinMs: 14 * dayMs, everyMs: dayMs },
];

export interface LookOptions {
  readonly now: number;
  /** From `lookOffset`. */
  readonly offsetMs: number;
  /** How long before the start people are reminded. Then it is read, so that nobody is called for what was put off. */
  readonly reminderMs?: number | undefined;
}

type LookedAt = Pick<
  FollowedStream,
  "stage" | "startsAt" | "startedAt" | "endedAt" | "recordedAt" | "lost"
>;

/** When to read a stream again; undefined if there is nothing left to find out. */
export function nextLookAt(stream: LookedAt, options: LookOptions): number | undefined {
  const { stage, startedAt, endedAt, recordedAt, lost } = stream;
  const { now } = options;
  if (lost !== undefined && lost.isSure !== true) {
    return Math.max(now + secondMs, lost.since + lostAgainMs);
  }
  if (stage === "recorded") {
    // Whether it was deleted soon after.
    const at = (recordedAt ?? now) + dayMs;
    return lost !== undefined || at <= now ? undefined : gridAfter(at - 1, hourMs, options);
  }
  if (lost !== undefined) return nextBy(lostSteps, now - lost.since, options);
  if (stage === "live") return nextBy(liveSteps, now - (startedAt ?? now), options);
  if (stage === "over") return nextBy(overSteps, now - (endedAt ?? now), options);
  return nextScheduled(stream.startsAt, options);
}

/**
 * The reminder or the planned start of a stream, whichever is next. It is read then even if units are short: a later reminder
 * would be useless.
 */
export function nextMoment(
  { stage, startsAt, lost }: Pick<FollowedStream, "stage" | "startsAt" | "lost">,
  { now, reminderMs = 0 }: Pick<LookOptions, "now" | "reminderMs">,
): number | undefined {
  if (stage !== "scheduled" || lost !== undefined || startsAt === undefined) return undefined;
  return [startsAt - reminderMs, startsAt + startMs].find((at) => at > now);
}

function nextScheduled(startsAt: number | undefined, options: LookOptions): number | undefined {
  const { now } = options;
  if (startsAt === undefined) return gridAfter(now, 12 * hourMs, options);
  const firstAt = startsAt + startMs;
  if (now >= firstAt) {
    const lateMs = now - firstAt;
    const step = overdueSteps.find(({ withinMs }) => lateMs < withinMs);
    if (step === undefined) return undefined;
    const { everyMs } = step;
    // Short waits are counted from the start: streams that begin together are read together.
    if (everyMs < 10 * minuteMs) return firstAt + (Math.floor(lateMs / everyMs) + 1) * everyMs;
    return gridAfter(now, everyMs, options);
  }
  const leftMs = startsAt - now;
  const index = Math.max(
    0,
    scheduledSteps.findIndex(({ withinMs }) => leftMs <= withinMs),
  );
  const everyMs = scheduledSteps[index]?.everyMs ?? dayMs;
  const nearer = scheduledSteps[index - 1]?.withinMs;
  let next = gridAfter(now, everyMs, options);
  // From then on it is read more often.
  if (nearer !== undefined && next > startsAt - nearer) {
    next = Math.min(next, gridAfter(Math.max(now, startsAt - nearer - 1), 10 * minuteMs, options));
  }
  return Math.min(next, nextMoment({ stage: "scheduled", startsAt }, options) ?? next);
}

/** The next look by such a table, after that long; undefined after its end. */
function nextBy(
  steps: readonly LookStep[],
  ageMs: number,
  options: LookOptions,
): number | undefined {
  const step = steps.find(({ withinMs }) => ageMs < withinMs);
  return step && gridAfter(options.now, step.everyMs, options);
}

/** Looks of a server fall on the same times, so that one unit pays for several streams. */
function gridAfter(
  at: number,
  everyMs: number,
  { offsetMs }: Pick<LookOptions, "offsetMs">,
): number {
  return (Math.floor((at - offsetMs) / everyMs) + 1) * everyMs + offsetMs;
}

const offsetsMs = 10 * minuteMs;

/** Spreads the servers over ten minutes. */
export function lookOffset(guildId: string): number {
  return createHash("sha256").update(guildId).digest().readUInt32BE() % offsetsMs;
}
