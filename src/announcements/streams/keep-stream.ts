import { AccessError, BotError, InputError, LimitError } from "../../errors.ts";
import { youtubePages } from "../../video/index.ts";
import type { FeedRef } from "../feed-records.ts";
import { finishMessage } from "../finish-message.ts";
import type { Outbox, SendPlan, SendResult } from "../outbox.ts";
import { retryAtOf } from "../pace.ts";
import {
  type Announcement,
  type AnnouncementMessage,
  type Feed,
  isFeedWatched,
  isPlaceOpen,
} from "../record.ts";
import type { FeedsRoom } from "../room.ts";
import { keepEvent, type StepContext } from "./keep-event.ts";
import type { MessageSlot, StreamNotice } from "./stream-record.ts";
import {
  describeNotice,
  finishingPlace,
  messageIn,
  placeOf,
  type StreamStep,
  settleStream,
  stepsLeft,
  withMessage,
} from "./wanted.ts";

/** More steps than any stream has left at once: five messages, each posted and published, and an event. */
const maxSteps = 20;

interface BehindStream {
  readonly videoId: string;
  /** Channels and roles that were just pinged, and are not pinged again. */
  readonly pinged: Set<string>;
  readonly signal: AbortSignal;
}

/** Makes the messages and the event of streams what they should be, one step after the other. */
export function createStreamKeeper(room: FeedsRoom, outbox: Outbox) {
  const { database, feeds, announcements, channelMessages, log } = room;
  const { now } = database;
  const viewOf = (feed: Feed, videoId: string) => {
    return { feed, now: now(), url: youtubePages.video(videoId) };
  };

  /** The first step that need not wait. */
  function nextStep(feed: Feed, row: Announcement): StreamStep | undefined {
    return stepsLeft(row, viewOf(feed, row.videoId)).find((step) => {
      const { retryAt = 0 } = (step.do === "event" ? row.event : messageIn(row, step.slot)) ?? {};
      return retryAt <= now();
    });
  }

  /** Changes the row, and puts it in the state that it is in then. */
  function change(
    ref: FeedRef,
    { feed, videoId }: Pick<StepContext, "feed" | "videoId">,
    make: (stored: Announcement) => Announcement,
  ): Promise<unknown> {
    return announcements.change(ref, videoId, (stored) =>
      stored?.stream === undefined ? stored : settleStream(make(stored), viewOf(feed, videoId)),
    );
  }

  /** Changes one of its messages, if that one is still there. */
  function changeMessage(
    ref: FeedRef,
    context: StepContext,
    slot: MessageSlot,
    make: (message: AnnouncementMessage) => AnnouncementMessage | undefined,
  ): Promise<unknown> {
    const { handle } = messageIn(context.row, slot) ?? {};
    return change(ref, context, (stored) => {
      const message = messageIn(stored, slot);
      return message?.handle === handle && message !== undefined
        ? withMessage(stored, slot, make(message))
        : stored;
    });
  }

  function draw(
    { guildId }: FeedRef,
    feed: Feed,
    row: Announcement,
    { notice, slot, handle }: { notice: StreamNotice; slot: MessageSlot; handle: string },
  ) {
    const { channelId, messageId } = row.card ?? {};
    const isFurther = slot !== "card" && channelId !== undefined && messageId !== undefined;
    const card = isFurther ? { channelId, messageId } : undefined;
    // Only rows with a video have steps.
    const video = row.stream?.video ?? {
      id: row.videoId,
      kind: row.kind ?? "live",
      title: row.videoId,
      channelTitle: feed.title,
      publishedAt: row.at,
    };
    const facts = { guildId, feed, announcement: row, video, notice, card, handle };
    return { name: "stream", facts } as const;
  }

  function planFor(ref: FeedRef, slot: MessageSlot) {
    return (row: Announcement, feed: Feed): SendPlan | undefined => {
      const place = placeOf(row, feed);
      const step = stepsLeft(row, viewOf(feed, row.videoId)).find(
        (one) => one.do === "post" && one.slot === slot,
      );
      if (step?.do !== "post" || row.stream === undefined || !isPlaceOpen(place)) return undefined;
      const { notice, pings } = step;
      // What follows in a forum belongs into the stream's post.
      const { state, forumId } = row.card ?? {};
      const isInPost = slot !== "card" && state === "posted" && forumId === place.channelId;
      return {
        place,
        channelId: isInPost ? row.card?.channelId : undefined,
        pings,
        as: notice.what,
        shown: describeNotice(notice, row.stream),
        draw: (announcement, handle) => draw(ref, feed, announcement, { notice, slot, handle }),
      };
    };
  }

  async function perform(
    ref: FeedRef,
    context: StepContext,
    step: StreamStep,
  ): Promise<SendResult> {
    const { row, videoId, pinged } = context;
    if (step.do === "event") return keepEvent(room, ref, { ...context, event: step.event, change });
    const { slot } = step;
    if (step.do === "post") {
      return outbox.send(ref, {
        videoId,
        slot,
        pinged,
        plan: planFor(ref, slot),
        // A message that may have been sent is looked for once the channel is open again.
        giveUp: (stored) => {
          const isSent = messageIn(stored, slot)?.state === "sending" && messageIn(row, slot);
          return isSent ? stored : withMessage(stored, slot, undefined);
        },
        settle: (stored, current) => {
          const { stream } = stored;
          const isReminder = slot === "reminder" && step.notice.what === "reminder" && stream;
          const told = isReminder
            ? { ...stored, stream: { ...stream, remindedOf: step.notice.startsAt } }
            : stored;
          return settleStream(told, viewOf(current, videoId));
        },
      });
    }
    const message = messageIn(row, slot);
    if (message === undefined) return "done";
    if (step.do === "remove") {
      const taken = await outbox.takeBack(ref, row, message);
      if (taken === "done") await changeMessage(ref, context, slot, () => undefined);
      return taken;
    }
    if (step.do === "edit") return edit(ref, context, step, message);
    return finish(ref, context, slot, message);
  }

  async function edit(
    ref: FeedRef,
    context: StepContext,
    { slot, notice }: Extract<StreamStep, { readonly do: "post" | "edit" }>,
    { channelId = "", messageId = "", handle, forumId }: AnnouncementMessage,
  ): Promise<SendResult> {
    const { row, feed } = context;
    await channelMessages.edit(
      { channelId, messageId },
      {
        ...draw(ref, feed, row, { notice, slot, handle }),
        guildId: ref.guildId,
        channelId: forumId ?? channelId,
        isForum: forumId === undefined ? undefined : true,
        handle,
        nonce: handle,
        locale: placeOf(row, feed)?.locale,
      },
    );
    const shown = row.stream && describeNotice(notice, row.stream);
    await changeMessage(ref, context, slot, (stored) => {
      return { ...stored, shown, retryAt: undefined };
    });
    return "done";
  }

  async function finish(
    ref: FeedRef,
    context: StepContext,
    slot: MessageSlot,
    message: AnnouncementMessage,
  ): Promise<SendResult> {
    const { row, feed, videoId } = context;
    const place = placeOf(row, feed);
    if (place === undefined) return "done";
    const title = row.stream?.video?.title ?? videoId;
    const finished = await finishMessage(room, ref, message, {
      place: finishingPlace(slot, place),
      title,
    });
    const { isPublished, hasThread } = finished.card;
    await changeMessage(ref, context, slot, (stored) => {
      return { ...stored, isPublished, hasThread, retryAt: finished.retryAt };
    });
    return "done";
  }

  /** What becomes of a message that can't be edited or removed. */
  async function recordFailure(
    ref: FeedRef,
    context: StepContext,
    { step, error }: { readonly step: StreamStep; readonly error: unknown },
  ): Promise<SendResult> {
    if (!(error instanceof BotError) || step.do === "event") throw error;
    const { slot } = step;
    const at = { guild: ref.guildId, feed: ref.feedId, step: step.do };
    log.info("a message about a stream was not changed", { ...at, error });
    if (error instanceof LimitError) {
      const retryAt = retryAtOf(error, now());
      await changeMessage(ref, context, slot, (message) => ({ ...message, retryAt }));
      return "done";
    }
    if (!(error instanceof AccessError || error instanceof InputError)) return "later";
    const message = messageIn(context.row, slot);
    const place = placeOf(context.row, context.feed);
    const isOfPlace = (message?.forumId ?? message?.channelId) === place?.channelId;
    const isClosed =
      error.code === "discord_channel_gone" || error.code === "discord_channel_closed";
    if (isClosed && isOfPlace && place !== undefined) {
      return { code: error.code, channelId: place.channelId };
    }
    await changeMessage(ref, context, slot, (stored) => ({ ...stored, state: "gone" }));
    return "done";
  }

  return {
    /** Whether there is a step that need not wait, or none at all, so that the row is settled. */
    isReady(feed: Feed, row: Announcement): boolean {
      if (row.state !== "behind") return false;
      return (
        nextStep(feed, row) !== undefined || stepsLeft(row, viewOf(feed, row.videoId)).length === 0
      );
    },
    /** When Discord takes what it has put off. */
    retryAt(row: Announcement): number | undefined {
      if (row.state !== "behind") return undefined;
      const times = [row.event, row.card, ...Object.values(row.more ?? {})].flatMap(
        (one) => one?.retryAt ?? [],
      );
      const open = times.filter((at) => at > now());
      return open.length === 0 ? undefined : Math.min(...open);
    },
    /** Does all steps that need not wait. */
    async keep(ref: FeedRef, { videoId, pinged, signal }: BehindStream): Promise<SendResult> {
      for (let n = 0; n < maxSteps; n += 1) {
        signal.throwIfAborted();
        const feed = (await feeds.read(ref))?.feed;
        if (feed === undefined || !isFeedWatched(feed)) return "stopped";
        const row = await announcements.read(ref, videoId);
        if (row?.state !== "behind") return "done";
        const step = nextStep(feed, row);
        const context = { feed, row, videoId, pinged };
        if (step === undefined) {
          await change(ref, context, (stored) => stored);
          return "done";
        }
        let done: SendResult;
        try {
          done = await perform(ref, context, step);
        } catch (error) {
          if (signal.aborted) throw error;
          done = await recordFailure(ref, context, { step, error });
        }
        if (done !== "done") return done;
      }
      return "later";
    },
  };
}
