import { minuteMs } from "../../clock.ts";
import { AccessError, BotError, InputError, LimitError } from "../../errors.ts";
import type { ScheduledEvent } from "../../scheduled-events.ts";
import type { FeedRef } from "../feed-records.ts";
import type { SendResult } from "../outbox.ts";
import { retryAtOf } from "../pace.ts";
import type { Announcement, Feed } from "../record.ts";
import type { FeedsRoom } from "../room.ts";
import { switchEventsOff } from "../switch-off.ts";
import type { StreamEvent } from "./stream-record.ts";
import { describeEvent } from "./wanted-event.ts";

/** For this long another process may still be making it. */
const doubtfulMs = 2 * minuteMs;

/** What a step needs to know. */
export interface StepContext {
  readonly feed: Feed;
  readonly row: Announcement;
  readonly videoId: string;
  readonly pinged: Set<string>;
}

interface EventStep extends StepContext {
  readonly event: ScheduledEvent;
  readonly change: (
    ref: FeedRef,
    context: StepContext,
    make: (stored: Announcement) => Announcement,
  ) => Promise<unknown>;
}

/**
 * Creates or changes Discord's event for a stream. The record is marked before the event is created, and an existing event is
 * searched for first: an earlier try may have created it, or a removed feed of the same channel.
 */
export async function keepEvent(
  room: FeedsRoom,
  ref: FeedRef,
  step: EventStep,
): Promise<SendResult> {
  const { scheduledEvents, database } = room;
  const { now } = database;
  const { event, row, change } = step;
  const { url, startsAt, endsAt } = event;
  const { guildId } = ref;
  const put = (make: (stored: StreamEvent | undefined) => StreamEvent | undefined) =>
    change(ref, step, (stored) => ({ ...stored, event: make(stored.event) }));
  const stored = row.event;
  try {
    if (stored?.state === "made") {
      await scheduledEvents.change(guildId, stored.id ?? "", event);
    } else {
      const isDoubtful = stored?.state === "making" && stored.retryAt === undefined;
      if (isDoubtful && now() - stored.since <= doubtfulMs && stored.since <= now()) return "later";
      await put((before) => ({ ...before, state: "making", since: now(), retryAt: undefined }));
      const found = await scheduledEvents.find(guildId, url);
      const isFinal = event.state === "over" || event.state === "cancelled";
      if (found === undefined && isFinal) {
        await put(() => undefined);
        return "done";
      }
      const id = found ?? (await scheduledEvents.create(guildId, event));
      // One that was found may say what was true before.
      const shown = found === undefined ? describeEvent(event) : undefined;
      await put((before) => ({
        since: now(),
        ...before,
        state: "made",
        id,
        shown,
        startsAt,
        endsAt,
      }));
      return "done";
    }
    const shown = describeEvent(event);
    // Discord can't reopen an event, so a stream that is planned again gets a new one.
    const isClosed = event.state === "cancelled";
    await put((before) =>
      before && !isClosed ? { ...before, shown, startsAt, endsAt } : undefined,
    );
    return "done";
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    const at = { guild: guildId, feed: ref.feedId };
    room.log.info("an event could not be made or changed", { ...at, error });
    if (error.code === "discord_events_forbidden") {
      await put((before) => (before?.state === "made" ? before : undefined));
      await switchEventsOff(room, ref, error.code);
      return "done";
    }
    if (error instanceof LimitError) {
      const retryAt = retryAtOf(error, now());
      await put((before) => ({ state: "making", since: now(), ...before, retryAt }));
      return "done";
    }
    if (error instanceof AccessError || error instanceof InputError) {
      await put((before) => ({ since: now(), ...before, state: "gone" }));
      return "done";
    }
    // What was certainly not made needs not be looked for.
    if (stored === undefined && error.outcome === "nothing") {
      await put(() => undefined);
    }
    return "later";
  }
}
