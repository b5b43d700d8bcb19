import { dayMs, hourMs, minuteMs } from "../../clock.ts";
import type { Announcement } from "../record.ts";
import type { SeenRelease } from "../release.ts";
import { type LookOptions, lookOffset, nextLookAt } from "./look-schedule.ts";
import { streamAfter } from "./stream.ts";
import type { FollowedStream } from "./stream-record.ts";

/** What happens to a stream. Times are milliseconds since the epoch. */
interface StreamLife {
  readonly startsAt: number;
  readonly beginsAt: number;
  readonly endsAt: number;
  /** When its recording can be watched. */
  readonly recordedAt: number;
}

interface PlannedLooksOptions extends Pick<LookOptions, "offsetMs" | "reminderMs"> {
  /** What is known of it at first; nothing when absent. */
  readonly stream?: FollowedStream | undefined;
  readonly from: number;
  readonly until?: number | undefined;
}

/** More than any stream gets in two months. */
const maxLooks = 5_000;

/**
 * When a stream is read, by the same schedule and the same states as the job that reads it. The read that finds it first, at
 * `from`, is left out: that one is a poll's.
 */
export function plannedLooks(
  seenAt: (at: number) => SeenRelease | undefined,
  { stream, from, until = Number.POSITIVE_INFINITY, ...options }: PlannedLooksOptions,
): readonly number[] {
  const looks: number[] = [];
  let known = stream ?? after(undefined, from);
  for (let now = from; known !== undefined && looks.length < maxLooks; known = after(known, now)) {
    const next = nextLookAt(known, { ...options, now });
    if (next === undefined || next > until) break;
    now = Math.max(next, now);
    looks.push(now);
  }
  return looks;

  function after(before: FollowedStream | undefined, now: number) {
    return streamAfter(before, { seen: seenAt(now), now, isAnnounced: true });
  }
}

/** What YouTube says about such a stream at a time. */
export function seenInLife(life: StreamLife): (at: number) => SeenRelease {
  const { startsAt, beginsAt, endsAt, recordedAt } = life;
  return (at) => {
    const isUpcoming = at < beginsAt;
    const isOver = at >= endsAt;
    return {
      source: "",
      state: isUpcoming ? "upcoming" : "out",
      startsAt,
      startedAt: isUpcoming ? undefined : beginsAt,
      endedAt: isOver ? endsAt : undefined,
      video: {
        id: "",
        kind: "live",
        title: "",
        channelTitle: "",
        publishedAt: beginsAt,
        isOver: isOver || undefined,
        seconds: at >= recordedAt ? Math.max(1, (endsAt - beginsAt) / 1_000) : undefined,
      },
    };
  };
}

const usualLengthMs = 2 * hourMs;
const usualRecordingMs = 15 * minuteMs;

/** Units for a stream that is announced a day ahead, begins on time and lasts two hours, the first read included. */
export function unitsOfUsualStream(reminderMs?: number): number {
  const startsAt = dayMs;
  const endsAt = startsAt + usualLengthMs;
  const life = { startsAt, beginsAt: startsAt, endsAt, recordedAt: endsAt + usualRecordingMs };
  return 1 + plannedLooks(seenInLife(life), { from: 0, offsetMs: 0, reminderMs }).length;
}

/** Units that a feed's streams take in the next day, if they begin on time and last two hours. */
export function plannedUnits(
  followed: readonly Announcement[],
  guildId: string,
  now: number,
): number {
  const offsetMs = lookOffset(guildId);
  const looks = new Set<number>();
  for (const { stream } of followed) {
    if (stream === undefined) continue;
    const life = usualLife(stream, now);
    const options = { stream, from: now, until: now + dayMs, offsetMs };
    for (const at of plannedLooks((life && seenInLife(life)) || (() => undefined), options)) {
      looks.add(at);
    }
  }
  // Streams that are read together share a unit.
  return looks.size;
}

/** Undefined for what is deleted or private, and probably stays so. */
function usualLife({ lost, ...stream }: FollowedStream, now: number): StreamLife | undefined {
  if (lost !== undefined) return undefined;
  const startsAt = stream.startsAt ?? now + dayMs;
  const beginsAt = stream.startedAt ?? Math.max(startsAt, now);
  const isEndless = now - beginsAt > usualLengthMs;
  const endsAt =
    stream.endedAt ?? beginsAt + (isEndless ? Number.POSITIVE_INFINITY : usualLengthMs);
  const recordedAt = stream.recordedAt ?? Math.max(endsAt + usualRecordingMs, now);
  return { startsAt, beginsAt, endsAt, recordedAt };
}
