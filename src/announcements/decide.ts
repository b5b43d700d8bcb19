import { dayMs, hourMs, minuteMs } from "../clock.ts";
import { youtubePages } from "../video/index.ts";
import { isMutedAt, newsSince, passesFilter } from "./filter.ts";
import { type Announcement, type Feed, isPlaceOpen, placeFor } from "./record.ts";
import { isBroadcastKind, type ReleaseKind, type SeenRelease } from "./release.ts";
import { nextLookAt, nextMoment } from "./streams/look-schedule.ts";
import { streamAfter } from "./streams/stream.ts";
import { settleStream } from "./streams/wanted.ts";

interface DecideOptions {
  readonly feed: Feed;
  readonly now: number;
  /** Handle of the message, if there will be one. */
  readonly handle: string;
  readonly videoId: string;
  /** From `lookOffset`. */
  readonly offsetMs: number;
  /** By how much looks are further apart, while units are short. */
  readonly slowdown?: number | undefined;
}

const longestAbsenceMs = 14 * dayMs;
const processingMs = 5 * minuteMs;
/** A video that is still being processed after this long is announced as the kind that it seems to be. */
const longestProcessingMs = 6 * hourMs;

/**
 * Decides about a video that was read. Only the filter looks at its title. An upload is read until it is out, and never
 * again; a stream or premiere that has a place is followed to its end.
 */
export function decide(
  before: Announcement | undefined,
  seen: SeenRelease | undefined,
  options: DecideOptions,
): Announcement {
  const { feed, now, videoId, handle } = options;
  const row = { feedId: feed.id, videoId, at: before?.at ?? now };
  if (before?.stream !== undefined) return followStream(before, seen, options);
  if (seen !== undefined && seen.source !== feed.source) return { ...row, state: "skipped" };
  if (seen === undefined || seen.state === "hidden") return lostVideo(row, now);
  const { kind, isLate } = kindIn(feed, seen);
  const { publishedAt } = seen.video;
  const isOld = publishedAt < newsSince(feed, now);
  // Not read again: what is wanted later is not announced.
  const isFiltered =
    seen.state !== "processing" && !passesFilter(feed.filter, { ...seen.video, kind });
  if (isFiltered) return { ...row, state: "skipped", kind, publishedAt };
  if (isBroadcastKind(kind) && isPlaceOpen(placeFor(feed.places, kind))) {
    const isNews = before !== undefined || seen.state === "upcoming" || !isOld;
    if (isNews) return followStream({ ...row, state: "followed" }, seen, options);
  }
  const isAwaited = isLate || seen.state !== "out";
  const lookAt = isAwaited ? nextReadAt(seen, row.at, options) : undefined;
  if (lookAt !== undefined) return { ...row, state: "awaited", kind, lookAt };
  // It is so long overdue that it is given up.
  if (seen.state === "upcoming") return { ...row, state: "skipped", kind, publishedAt };
  const dated = { ...row, kind, publishedAt };
  // An awaited video comes out now, whatever its date says.
  if (before === undefined && isOld) return { ...dated, state: "known" };
  const cameOutAt = before === undefined ? Math.min(publishedAt, now) : now;
  if (isMutedAt(feed, cameOutAt)) return { ...dated, state: "skipped" };
  if (!isPlaceOpen(placeFor(feed.places, kind))) return { ...dated, state: "skipped" };
  const card = { state: "due", handle, since: now } as const;
  return { ...dated, state: "due", card };
}

/** Goes on with a stream by what was read: `undefined` if YouTube does not show it. */
function followStream(
  row: Announcement,
  seen: SeenRelease | undefined,
  { feed, now, offsetMs, slowdown = 1 }: DecideOptions,
): Announcement {
  const isAnnounced = row.card !== undefined || row.more?.reminder !== undefined;
  const isOwn = seen === undefined || seen.source === feed.source;
  const stream = isOwn ? streamAfter(row.stream, { seen, now, isAnnounced }) : row.stream;
  if (stream === undefined) return row;
  const isStarting =
    stream.stage !== "scheduled" && (row.stream?.stage ?? "scheduled") === "scheduled";
  const isSilent = isStarting && isMutedAt(feed, now);
  const { reminderMs } = feed.streams ?? {};
  const isPlaced = row.kind === undefined || placeFor(feed.places, row.kind) !== undefined;
  // People may choose a place for it again before it begins.
  const unplacedAt = stream.stage === "scheduled" ? now + dayMs : undefined;
  const nextAt = isPlaced ? nextLookAt(stream, { now, offsetMs, reminderMs }) : unplacedAt;
  const momentAt = isPlaced ? nextMoment(stream, { now, reminderMs }) : undefined;
  const slowedAt = nextAt && Math.round(now + (nextAt - now) * slowdown);
  return settleStream(
    {
      ...row,
      kind: stream.video?.kind ?? row.kind,
      publishedAt: stream.startedAt ?? stream.video?.publishedAt ?? row.publishedAt,
      stream: isSilent ? { ...stream, isSilent } : stream,
      lookAt: slowedAt && Math.min(slowedAt, momentAt ?? slowedAt),
    },
    { feed, now, url: youtubePages.video(row.videoId) },
  );
}

/**
 * The kind that it is announced as. Where only uploads are announced, a stream or premiere is announced as one, late: when it
 * has ended and has become a video.
 */
export function kindIn(
  { places }: Feed,
  { video, state }: SeenRelease,
): { readonly kind: ReleaseKind; readonly isLate: boolean } {
  const isUpload =
    isBroadcastKind(video.kind) &&
    placeFor(places, video.kind) === undefined &&
    isPlaceOpen(places.upload);
  if (!isUpload) return { kind: video.kind, isLate: false };
  return { kind: "upload", isLate: state === "out" && video.isOver !== true };
}

/** For a video that was deleted or hidden before it came out. It may return, and is asked for less and less often. */
function lostVideo(row: Pick<Announcement, "feedId" | "videoId" | "at">, now: number) {
  const age = now - row.at;
  if (age > longestAbsenceMs) return { ...row, state: "skipped" } as const;
  const lookAt = now + Math.min(dayMs, Math.max(hourMs, age));
  return { ...row, state: "awaited", lookAt } as const;
}

/** When to read a video again that isn't out yet or must end first; undefined if there is nothing left to wait for. */
function nextReadAt(
  seen: SeenRelease,
  since: number,
  { now, offsetMs, slowdown = 1 }: DecideOptions,
): number | undefined {
  if (seen.state === "processing") {
    return now - since < longestProcessingMs ? now + processingMs : undefined;
  }
  const stream = streamAfter(undefined, { seen, now, isAnnounced: false });
  const nextAt = stream && nextLookAt(stream, { now, offsetMs });
  return nextAt && Math.round(now + (nextAt - now) * slowdown);
}
