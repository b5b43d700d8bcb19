import { createNonce } from "../../channel-messages.ts";
import { dayMs, hourMs, minuteMs } from "../../clock.ts";
import type { ScheduledEvent } from "../../scheduled-events.ts";
import { mayTellOf } from "../filter.ts";
import type { Announcement, Feed } from "../record.ts";
import { aheadMs } from "./look-schedule.ts";
import type { FollowedStream } from "./stream-record.ts";

/** What decides, besides the stream's record, which messages and event it should have. */
export interface StreamView {
  readonly feed: Feed;
  readonly now: number;
  /** The video's address; an event is found by it. */
  readonly url: string;
}

/** Discord requires an end for these events, so this is how long a stream is assumed to last. */
const usualLengthMs = 2 * hourMs;
/** Discord ends an event at its end time, so that is always later than the next look. Looks are up to 30 minutes apart. */
const endMargin = { leastMs: 45 * minuteMs, byMs: usualLengthMs } as const;
/** After two days of streaming, looks are up to three hours apart. */
const longEndMargin = { leastMs: 7 * hourMs, byMs: 14 * hourMs } as const;
/** How long after the next look an event must last. While units are short, looks are further apart. */
const afterLookMs = 15 * minuteMs;

/** How long after the planned start an event still waits for the stream. */
const longestWaitMs = 4 * hourMs;
/** Discord starts an event by its own clock, which may be ahead of ours. */
const beginsSoonMs = minuteMs;

/** What Discord's event should be; undefined if it is that already or none is wanted. */
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
    // An event that may have been created must be found, even if none is wanted any more.
    const isOpen = event !== undefined && event.retryAt === undefined;
    if (!isWanted && !isOpen) return undefined;
    return wanted;
  }
  // An existing event is kept up to date even if people have switched events off.
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
    // Discord starts an event automatically at its start time.
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
 * Whether an event says “Happening now” although the stream has not begun: it is hours overdue, or was moved after Discord had
 * started the event. Discord can't set a running event back to scheduled.
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
