import { createNonce } from "../../channel-messages.ts";
import { hourMs, minuteMs } from "../../clock.ts";
import type { ScheduledEvent } from "../../scheduled-events.ts";
import { isMutedAt, mayTellOf, wholeSeconds } from "../filter.ts";
import { isFinished } from "../finish-message.ts";
import {
  type Announcement,
  type AnnouncementMessage,
  type Feed,
  type FeedPlace,
  isPlaceOpen,
  placeFor,
} from "../record.ts";
import { aheadMs } from "./look-schedule.ts";
import {
  type FollowedStream,
  furtherMessages,
  type MessageSlot,
  type StreamNotice,
} from "./stream-record.ts";
import { eventToMake, type StreamView } from "./wanted-event.ts";

/** Nobody is pinged about what began longer ago. */
const lateMs = hourMs;
/** A start is overdue after the minutes in which most streams begin. */
const overdueMs = 15 * minuteMs;

/** What should be there for a stream: its messages, each with what it says. */
interface WantedMessage {
  readonly notice: StreamNotice;
  /** Whether the place's role is pinged when it is posted. */
  readonly pings: boolean;
}

type WantedMessages = Map<MessageSlot, WantedMessage>;

/** A step that brings what is there closer to what should be there. */
export type StreamStep =
  | ({ readonly do: "post" | "edit"; readonly slot: MessageSlot } & WantedMessage)
  | { readonly do: "remove" | "finish"; readonly slot: MessageSlot }
  | { readonly do: "event"; readonly event: ScheduledEvent };

export function messageIn(row: Announcement, slot: MessageSlot): AnnouncementMessage | undefined {
  return slot === "card" ? row.card : row.more?.[slot];
}

/** The row with that message; without it when `message` is undefined. */
export function withMessage(
  row: Announcement,
  slot: MessageSlot,
  message: AnnouncementMessage | undefined,
): Announcement {
  if (slot === "card") return { ...row, card: message };
  return { ...row, more: { ...row.more, [slot]: message } };
}

/** A stream's place. It stays followed while nothing can be posted there. */
export function placeOf(row: Announcement, feed: Feed): FeedPlace | undefined {
  return row.kind && placeFor(feed.places, row.kind);
}

/** All remaining steps in order, including those that must wait because of a limit of Discord. */
export function stepsLeft(row: Announcement, view: StreamView): readonly StreamStep[] {
  const { stream } = row;
  const place = placeOf(row, view.feed);
  if (stream?.video === undefined || place === undefined) return [];
  const wanted = shortenEarlier(row, wantedMessages(row, view));
  const isOpen = isPlaceOpen(place);
  const steps: StreamStep[] = [];
  for (const slot of ["card", ...furtherMessages] as const) {
    const message = messageIn(row, slot);
    const want = wanted.get(slot);
    const isThere = message?.state === "posted";
    if (message?.state === "gone" || isShut(message, place)) continue;
    if (want === undefined) {
      if (message !== undefined) steps.push({ do: "remove", slot });
      continue;
    }
    if (!isThere) {
      if (isOpen) steps.push({ do: "post", slot, ...want });
    } else if (message.shown !== describeNotice(want.notice, stream)) {
      steps.push({ do: "edit", slot, ...want });
    }
    if (isThere && isOpen && needsFinish(slot, message, place)) steps.push({ do: "finish", slot });
  }
  const event = eventToMake(row, view);
  return event === undefined ? steps : [...steps, { do: "event", event }];
}

/** Whether nothing can be done with it, because the bot has switched its place off. */
function isShut(message: AnnouncementMessage | undefined, place: FeedPlace): boolean {
  if (place.off === undefined || message === undefined) return false;
  return (message.forumId ?? message.channelId ?? place.channelId) === place.channelId;
}

/** Short calls are removed when they are over, so they are not published; only the first message gets a thread. */
function needsFinish(slot: MessageSlot, message: AnnouncementMessage, place: FeedPlace): boolean {
  if (slot === "reminder" || message.as === "call") return false;
  return !isFinished(message, finishingPlace(slot, place));
}

export function finishingPlace(slot: MessageSlot, place: FeedPlace): FeedPlace {
  return slot === "card" ? place : { ...place, hasThread: undefined };
}

/** What a message says, as a short text. It also changes when the video's title or picture does. */
export function describeNotice(notice: StreamNotice, { video }: FollowedStream): string {
  const { title = "", channelTitle = "", thumbnailUrl = "" } = video ?? {};
  return createNonce(JSON.stringify(notice), title, channelTitle, thumbnailUrl);
}

function wantedMessages(row: Announcement, { feed, now }: StreamView): WantedMessages {
  const { stream, card, more } = row;
  const wanted = new Map<MessageSlot, WantedMessage>();
  if (stream === undefined) return wanted;
  const { stage, lost, startsAt, startedAt, endedAt } = stream;
  const { messages = "live", messagesSince = 0, reminderMs } = feed.streams ?? {};
  const isLost = lost?.isSure === true;
  const isOver = stage === "over" || stage === "recorded";
  const isLate = startedAt === undefined ? isOver : now - startedAt > lateMs || isOver;
  const canBegin = mayTellOf(stream, feed, now);
  const whole = wholeNotice(stream);

  // The first message is never deleted, and is kept up to date as long as it is the newest.
  const isAhead = startsAt !== undefined && startsAt - now <= aheadMs;
  // Some waiting rooms are left open for years: one that is overdue when first seen is announced once it begins.
  const isComing = isAhead && !isOverdue(stream);
  const isFirstDue = stage === "scheduled" ? messages !== "live" && isComing : true;
  if (card !== undefined || (canBegin && isFirstDue)) {
    const as = card?.as ?? whole.what;
    const notice = as === "over" ? { ...whole, isLate: true as const } : whole;
    wanted.set("card", { notice, pings: !isLate });
  }
  // In one-message mode, whoever removed it wants no calls about it.
  const isQuiet = card?.state === "gone" && messages !== "each";
  const canGoOn = canBegin && !isQuiet && isSettled(card, stage, messages);

  if (startsAt !== undefined && reminderMs !== undefined && stage === "scheduled" && !isLost) {
    const remindAt = startsAt - reminderMs;
    // Whoever was told of the stream only now needs no reminder.
    const isNews = (card?.since ?? 0) < remindAt && stream.remindedOf !== startsAt;
    const isDue = now >= remindAt && !isOverdue(stream);
    if (isDue && (more?.reminder !== undefined || (canGoOn && isNews && now < startsAt))) {
      wanted.set("reminder", { notice: { what: "reminder", startsAt }, pings: true });
    }
  }

  const { live, over } = more ?? {};
  const hasPing = placeOf(row, feed)?.roleId !== undefined;
  const isBegun = stage === "live" && card?.as === "scheduled" && canGoOn;
  /** Whether it has to be told in the way that people chose last. */
  const isNewsSince = (at: number | undefined) => (at ?? now) >= wholeSeconds(messagesSince);
  const isCall = live === undefined ? messages !== "each" : live.as === "call";
  if (isCall) {
    // An edited message notifies nobody.
    const isStarting = stage === "live" && !isLost;
    if (isStarting && (live !== undefined || (isBegun && hasPing && !isLate))) {
      wanted.set("live", { notice: { what: "call", startedAt }, pings: true });
    }
  } else if (live !== undefined || (isBegun && isNewsSince(startedAt))) {
    wanted.set("live", { notice: whole, pings: !isLate });
  }
  const isToldBefore = card?.as === "scheduled" || card?.as === "live";
  const isEnded = isOver && isToldBefore && canGoOn && isNewsSince(endedAt);
  if (over !== undefined || (messages === "each" && isEnded)) {
    wanted.set("over", { notice: whole, pings: false });
  }
  const isCancelled = stage === "scheduled" && isLost && card?.as === "scheduled";
  const isOpen = !stream.isSilent && !isMutedAt(feed, now) && isNewsSince(lost?.since);
  if (isCancelled && messages === "each" && (isOpen || more?.cancelled !== undefined)) {
    wanted.set("cancelled", { notice: whole, pings: false });
  }
  return wanted;
}

/** The slots of messages that are never deleted, in the order in which they are posted. */
const lastingSlots = ["card", "live", "over", "cancelled"] as const;

/** Only the newest lasting message says everything. The earlier ones say what they announced and link to the newest. */
function shortenEarlier(row: Announcement, wanted: WantedMessages): WantedMessages {
  const posted = lastingSlots.flatMap((slot) => {
    const want = wanted.get(slot);
    const message = messageIn(row, slot);
    const isThere =
      message?.state === "posted" && want !== undefined && want.notice.what !== "call";
    return isThere ? [{ slot, want, message }] : [];
  });
  const { channelId, messageId } = posted.pop()?.message ?? {};
  if (channelId === undefined || messageId === undefined) return wanted;
  for (const { slot, want, message } of posted) {
    const { startsAt, startedAt } = row.stream ?? {};
    const time = message.as === "live" ? { startedAt } : { startsAt };
    const notice: StreamNotice = { what: "earlier", ...time, newest: { channelId, messageId } };
    wanted.set(slot, { ...want, notice });
  }
  return wanted;
}

/** The row in the state that it is in: behind while a step is left, done when it is not read any more either. */
export function settleStream(row: Announcement, view: StreamView): Announcement {
  if (row.stream === undefined) return row;
  if (stepsLeft(row, view).length > 0) return { ...row, state: "behind" };
  if (row.lookAt !== undefined) return { ...row, state: "followed" };
  return { ...row, state: "done", stream: { ...row.stream, video: undefined } };
}

/** Whether the first message is there, or there will be none. */
function isSettled(
  card: AnnouncementMessage | undefined,
  stage: FollowedStream["stage"],
  messages: "one" | "each" | "live",
): boolean {
  if (card === undefined) return messages === "live" && stage === "scheduled";
  return card.state === "posted" || card.state === "gone";
}

/** By what YouTube said last, so that a clock that jumps makes nothing overdue. */
function isOverdue({ stage, startsAt, readAt }: FollowedStream): boolean {
  return stage === "scheduled" && startsAt !== undefined && readAt - startsAt >= overdueMs;
}

/** All that is known, for a message that stays. */
function wholeNotice(stream: FollowedStream): StreamNotice {
  const { stage, startsAt, firstStartsAt, startedAt, endedAt, peakViewers, isBack } = stream;
  const lost = stream.lost?.isSure === true ? stream.lost.why : undefined;
  if (stage === "scheduled") {
    const isMoved =
      startsAt !== undefined &&
      firstStartsAt !== undefined &&
      Math.abs(startsAt - firstStartsAt) >= minuteMs;
    return {
      what: lost === undefined ? "scheduled" : "cancelled",
      startsAt,
      ...(isMoved && { movedFrom: firstStartsAt }),
      ...(lost === undefined && isOverdue(stream) && { isOverdue: true }),
      ...(lost === undefined && isBack && { isBack: true }),
      ...(lost !== undefined && { lost }),
    };
  }
  if (stage === "live" && lost === undefined) return { what: "live", startedAt };
  const lengthMs =
    startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  return {
    what: "over",
    startedAt,
    ...(lengthMs !== undefined && lengthMs >= 0 && { lengthMs }),
    ...(peakViewers !== undefined && { peakViewers }),
    ...(stage === "recorded" && lost === undefined && { isRecorded: true }),
    ...(lost !== undefined && { lost }),
  };
}
