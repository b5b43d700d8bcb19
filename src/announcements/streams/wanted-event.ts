import { createNonce } from "../../channel-messages.ts";
import { dayMs, hourMs, minuteMs } from "../../clock.ts";
import type { ScheduledEvent } from "../../scheduled-events.ts";
import { mayTellOf } from "../filter.ts";
import type { Announcement, Feed } from "../record.ts";
import { aheadMs } from "./look-schedule.ts";
import type { FollowedStream } from "./stream-record.ts";

/** By what is decided what should be there for a stream. */
export interface StreamView {
  readonly feed: Feed;
  readonly now: number;
  /** Address of the video, by which its event is found. */
  readonly url: string;
}

/** How long a stream is expected to last, because Discord wants to know. */
const usualLengthMs = 2 * hourMs;
/** Discord ends an event at its end, so that is moved before the next look at a stream: those are up to 30 minutes apart. */
const endMargin = { leastMs: 45 * minuteMs, byMs: usualLengthMs } as const;
/** After two days of streaming they are up to three hours apart. */
const longEndMargin = { leastMs: 7 * hourMs, byMs: 14 * hourMs } as const;
/** While units are short, looks are further apart: how long after the next one an event must last. */
const afterLookMs = 15 * minuteMs;

/** How long after the planned start an event still waits for the stream. */
const longestWaitMs = 4 * hourMs;
/** Discord begins an event by its own clock, which may be ahead of ours. */
const beginsSoonMs = minuteMs;

/** What Discord's event should be, if it isn't. */
export function eventToMake(
  row: Announcement,
  { feed, now, url }: StreamView,
): ScheduledEvent | undefined {
  const { stream, event, lookAt } = row;
  const { streams } = feed;
  if (stream?.video === undefined || event?.state === "gone") return undefined;
  const isChosen = streams?.hasEvents === true && streams.eventsOff === undefined;
  const wanted = eventFor(stream, { now, url, event, lookAt });
  if (event === undefined || event.state === "making") {
    const isComing =
      stream.stage === "scheduled" &&
      stream.startsAt !== undefined &&
      stream.startsAt > now &&
      stream.startsAt - now <= aheadMs;
    const isWanted = isChosen && isComing && mayTellOf(stream, feed, now);
    // One that was perhaps made has to be found, whatever has happened since.
    const isOpen = event !== undefined && event.retryAt === undefined;
    if (!isWanted && !isOpen) return undefined;
    return wanted;
  }
  // One that is there is kept in step even if people want no more of them.
  const isSame = event.shown === describeEvent(wanted);
  return isSame || streams?.eventsOff !== undefined ? undefined : wanted;
}

export function describeEvent(event: ScheduledEvent): string {
  return createNonce(JSON.stringify(event));
}

function eventFor(
  stream: FollowedStream,
  {
    now,
    url,
    event,
    lookAt = now,
  }: Pick<StreamView, "now" | "url"> & Pick<Announcement, "event" | "lookAt">,
): ScheduledEvent {
  const { stage, video, startedAt, startsAt = now } = stream;
  const begins = startedAt ?? startsAt;
  const isRunning = stage === "live" || (stage === "scheduled" && now >= startsAt);
  const expected = Math.max(event?.endsAt ?? 0, begins + usualLengthMs);
  const { leastMs, byMs } = now - begins < 2 * dayMs ? endMargin : longEndMargin;
  const isShort = expected - now < leastMs || expected - lookAt < afterLookMs;
  const ends = isRunning && isShort ? Math.max(now + byMs, lookAt + usualLengthMs) : expected;
  const state = () => {
    if (stage === "over" || stage === "recorded") return "over";
    if (stage === "live") return stream.lost?.isSure === true ? "over" : "active";
    if (stream.lost?.isSure === true || isOutdated(stream, { now, event })) return "cancelled";
    // Discord begins an event at its time by itself.
    return isRunning ? "active" : "scheduled";
  };
  return {
    name: video?.title ?? "",
    url,
    startsAt: begins,
    endsAt: stage === "scheduled" && now < startsAt ? begins + usualLengthMs : ends,
    pictureUrl: video?.thumbnailUrl,
    state: state(),
  };
}

/**
 * Whether an event says “Happening now” of a stream that has not begun: because it is overdue for hours, or was moved after the
 * event had begun, which Discord does not take back.
 */
function isOutdated(
  stream: FollowedStream,
  { now, event }: Pick<StreamView, "now"> & Pick<Announcement, "event">,
): boolean {
  const { startsAt, readAt } = stream;
  if (startsAt === undefined) return false;
  if (readAt - startsAt >= longestWaitMs) return true;
  const hasBegun = event?.startsAt !== undefined && event.startsAt - now <= beginsSoonMs;
  return hasBegun && startsAt - now > beginsSoonMs;
}
