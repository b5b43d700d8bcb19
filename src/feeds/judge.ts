import { type Announcement, type Feed, isOpen } from "./record.ts";
import type { Seen } from "./release.ts";

interface Judging {
  readonly feed: Feed;
  readonly now: number;
  /** Of the message, should there be one. */
  readonly handle: string;
  readonly videoId: string;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const longestAbsenceMs = 14 * dayMs;
const processingMs = 5 * minuteMs;
/** What is processed for longer than this is announced as what it looks like. */
const longestProcessingMs = 6 * hourMs;
/** Records of what came out before that are forgotten, so that without one nobody knows whether it was announced. */
export const keptMs = 60 * dayMs;

/**
 * What becomes of a video that is not decided yet. Titles play no part in it: a video is looked at until it is out, and
 * never again.
 */
export function judge(
  before: Announcement | undefined,
  seen: Seen | undefined,
  judging: Judging,
): Announcement {
  const { feed, now, videoId } = judging;
  const row = { feedId: feed.id, videoId, at: before?.at ?? now };
  if (seen !== undefined && seen.source !== feed.source) return { ...row, state: "skipped" };
  if (seen === undefined || seen.state === "hidden") return lost(row, now);
  const { kind, publishedAt } = seen.video;
  const lookAt = seen.state === "out" ? undefined : nextLook(seen, row.at, now);
  if (lookAt !== undefined) return { ...row, state: "awaited", kind, lookAt };
  const told = { ...row, kind, publishedAt };
  // What was awaited comes out now, whatever date it carries.
  if (before === undefined && publishedAt < Math.max(secondOf(feed.addedAt), now - keptMs)) {
    return { ...told, state: "known" };
  }
  if (!isOpen(feed.places[kind])) return { ...told, state: "skipped" };
  const card = { state: "due", handle: judging.handle, since: now } as const;
  return { ...told, state: "due", card };
}

/** The service's dates are whole seconds. */
function secondOf(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

/** Deleted, or taken back before it came out: it may return, and is asked for ever more seldom. */
function lost(row: Pick<Announcement, "feedId" | "videoId" | "at">, now: number) {
  const age = now - row.at;
  if (age > longestAbsenceMs) return { ...row, state: "skipped" } as const;
  const lookAt = now + Math.min(dayMs, Math.max(hourMs, age));
  return { ...row, state: "awaited", lookAt } as const;
}

/** Undefined: nothing to wait for. */
function nextLook({ state, startsAt }: Seen, since: number, now: number): number | undefined {
  if (state === "processing") {
    return now - since < longestProcessingMs ? now + processingMs : undefined;
  }
  if (startsAt === undefined) return now + dayMs;
  const late = now - startsAt;
  // It may be put forward, so that it is looked at once a day in any case.
  if (late < 0) return Math.min(startsAt + 30_000, now + dayMs);
  if (late < 2 * hourMs) return now + 3 * minuteMs;
  if (late < dayMs) return now + hourMs / 2;
  return now + (late < 7 * dayMs ? hourMs * 6 : dayMs);
}
