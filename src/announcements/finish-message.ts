import { dayMs, minuteMs } from "../clock.ts";
import { AccessError, BotError, InputError, LimitError } from "../errors.ts";
import type { FeedRef } from "./feed-records.ts";
import { retryAtOf } from "./pace.ts";
import type { AnnouncementMessage, FeedPlace, PlaceTrouble } from "./record.ts";
import type { FeedsRoom } from "./room.ts";

/** Between two tries after a failure that may pass. */
const retryMs = 5 * minuteMs;
/** What could not be done for this long is given up. Discord publishes ten messages an hour, so a busy day may need it. */
const longestMs = dayMs;

/** The two things that a posted message may need, and what says that they are done. */
const steps = ["isPublished", "hasThread"] as const;
type FinishingStep = (typeof steps)[number];

/** Whether nothing is left to do with a posted message. */
export function isFinished(card: AnnouncementMessage, place: FeedPlace): boolean {
  return stepsLeft(card, place).length === 0;
}

/** Whether the video's title is needed, which becomes the thread's. */
export function needsThread(card: AnnouncementMessage, place: FeedPlace): boolean {
  return stepsLeft(card, place).includes("hasThread");
}

/** None for a message in another channel than the place: the place was moved after it was posted. */
function stepsLeft(card: AnnouncementMessage, place: FeedPlace): readonly FinishingStep[] {
  if (card.channelId !== place.channelId || place.isForum) return [];
  return steps.filter((step) => place[step] === true && card[step] === undefined);
}

interface FinishedMessage {
  readonly card: AnnouncementMessage;
  /** When to try again what is left. */
  readonly retryAt: number | undefined;
}

/**
 * Publishes a posted message and opens a thread under it, as its place says. Both may be done twice without harm, so a
 * process that dies between them and the record loses nothing.
 */
export async function finishMessage(
  room: FeedsRoom,
  ref: FeedRef,
  card: AnnouncementMessage,
  { place, title }: { readonly place: FeedPlace; readonly title: string },
): Promise<FinishedMessage> {
  const { channelMessages, log } = room;
  const { now } = room.database;
  const { channelId = "", messageId = "", since } = card;
  const at = { channelId, messageId };
  const work = {
    isPublished: () => channelMessages.publish(at),
    hasThread: () => channelMessages.openThread(at, title),
  } as const satisfies Record<FinishingStep, () => Promise<void>>;
  let after = card;
  let retryAt: number | undefined;
  for (const step of stepsLeft(card, place)) {
    try {
      await work[step]();
      after = { ...after, [step]: true };
      await noteTrouble(room, ref, { channelId, what: step });
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      const next = now() - since < longestMs ? nextTryAt(error, now()) : undefined;
      log.info("a posted message was not finished", { step, channel: channelId, error });
      if (next === undefined) after = { ...after, [step]: false };
      else retryAt = Math.min(next, retryAt ?? next);
      if (!goneCodes.has(error.code)) {
        await noteTrouble(room, ref, { channelId, what: step, code: error.code });
      }
    }
  }
  return { card: after, retryAt };
}

/** Errors because people removed the message or its channel; the next message may well succeed. */
const goneCodes: ReadonlySet<string> = new Set(["discord_message_gone", "discord_channel_gone"]);
/** Three kinds of trouble in each of four places. */
const maxTroubles = 12;

/** Records what failed for a message, so that `/announce list` shows it; without a code, records that it works again. */
export async function noteTrouble(
  { feeds, database: { now } }: Pick<FeedsRoom, "feeds" | "database">,
  ref: FeedRef,
  {
    channelId,
    what,
    code,
  }: Pick<PlaceTrouble, "channelId" | "what"> & { readonly code?: string | undefined },
): Promise<void> {
  await feeds.changeProgress(ref, (stored) => {
    const { troubles = [] } = stored;
    const before = troubles.find((one) => one.channelId === channelId && one.what === what);
    if (before?.code === code) return stored;
    const others = troubles.filter((one) => one !== before);
    if (code === undefined) return { ...stored, troubles: others };
    const trouble = { channelId, what, code, since: before?.since ?? now() };
    return { ...stored, troubles: [...others, trouble].slice(-maxTroubles) };
  });
}

/** Undefined where no try can help. */
function nextTryAt(error: BotError, now: number): number | undefined {
  if (error instanceof AccessError || error instanceof InputError) return undefined;
  if (error instanceof LimitError) return retryAtOf(error, now);
  return now + retryMs;
}
