import type { PostedMessage } from "../channel-messages.ts";
import { AccessError, BotError } from "../errors.ts";
import { newHandle } from "../store/index.ts";
import {
  type CardMessage,
  type HeldComment,
  isWaiting,
  type ModerationRecords,
  postedPlace,
  type RecordsPage,
  toItemRef,
  type Watch,
  type WatchEnd,
} from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";
import {
  announceQueue,
  endQueue,
  handleWatchJobs,
  pollQueue,
  type WatchRef,
  watchJob,
  watchJobKey,
} from "./watch-jobs.ts";

/**
 * Ends a watch: nobody sees it any more, and a job closes its messages. Returns whether it was there. `movedTo`: the watch and
 * the channel that take its waiting comments over.
 * @throws ServiceError `store_unavailable`
 */
export async function endWatch(
  { database, jobs, records }: ModerationRoom,
  ref: WatchRef,
  movedTo?: { readonly watchId: string; readonly channelId: string },
): Promise<boolean> {
  const { guildId, watchId } = ref;
  const isEnded = await database.transaction(async () => {
    let isFirst = false;
    await records.watches.change(guildId, watchId, (watch) => {
      isFirst = watch !== undefined && watch.ended === undefined;
      if (watch === undefined || !isFirst) return watch;
      return { ...watch, ended: { at: database.now(), movedTo: movedTo?.channelId } };
    });
    if (!isFirst) return false;
    if (movedTo !== undefined) await copyWaiting(records, ref, movedTo.watchId);
    await jobs.put(watchJob(endQueue, ref));
    return true;
  });
  // A job that runs in this process is stopped; one in another process finds no watch and ends.
  for (const queue of [pollQueue, announceQueue]) await jobs.remove(queue, watchJobKey(ref));
  return isEnded;
}

/** Lets a job delete the messages of a watch that has ended; false if its records are gone. */
export function deleteMessages({ database, jobs, records }: ModerationRoom, ref: WatchRef) {
  const { guildId, watchId } = ref;
  return database.transaction(async () => {
    if ((await records.watches.readEnded(guildId, watchId)) === undefined) return false;
    await records.watches.change(guildId, watchId, (watch) =>
      watch?.ended === undefined ? watch : { ...watch, ended: { ...watch.ended, deletes: true } },
    );
    await jobs.put(watchJob(endQueue, ref));
    return true;
  });
}

/** With what is known about them: who claimed or snoozed them, and what rules advise. Each gets a card in the new channel. */
async function copyWaiting(
  { comments }: ModerationRecords,
  { guildId, watchId: from }: WatchRef,
  watchId: string,
): Promise<void> {
  for await (const page of readPages((next) => comments.readPage(guildId, next), from)) {
    const copies = page.filter(isWaiting).map((held): HeldComment => {
      const { digestId: _, formerCard: __, needsDrawing: ___, ...rest } = held;
      const card = { state: "due", handle: newHandle(), since: held.card.since } as const;
      return { ...rest, watchId, card };
    });
    await comments.addAll(guildId, copies);
  }
}

/** A message that a watch posted and that is still there, as far as is known. */
export interface MessageOfWatch {
  readonly kind: "card" | "digest";
  /** Of the comment or digest that it shows. */
  readonly id: string;
  readonly card: CardMessage;
  readonly place: PostedMessage;
  /** It reports what rules did, in the channel for that. */
  readonly isReport: boolean;
}

/** The cards and digests of a watch, one after the other. @throws ServiceError `store_unavailable` */
export async function* readMessages(
  { comments, digests }: ModerationRecords,
  { guildId, watchId }: WatchRef,
): AsyncGenerator<MessageOfWatch> {
  for await (const page of readPages((next) => comments.readPage(guildId, next), watchId)) {
    for (const { id, card } of page) yield* messageIn({ kind: "card", id, card, isReport: false });
  }
  for await (const page of readPages((next) => digests.readPage(guildId, next), watchId)) {
    for (const { id, card, channelId } of page) {
      yield* messageIn({ kind: "digest", id, card, isReport: channelId !== undefined });
    }
  }
}

function messageIn(message: Omit<MessageOfWatch, "place">): readonly MessageOfWatch[] {
  const place = postedPlace(message.card);
  return place === undefined ? [] : [{ ...message, place }];
}

const pageSize = 100;

async function* readPages<T extends { readonly id: string }>(
  readPage: (page: RecordsPage) => Promise<readonly T[]>,
  watchId: string,
): AsyncGenerator<readonly T[]> {
  let after: string | undefined;
  do {
    const page: readonly T[] = await readPage({ watchId, after, limit: pageSize });
    yield page;
    after = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}

/** As long as people may still ask for the messages to be deleted. */
const keptMs = 3_600_000;
/** A run ends after this long, so that many messages do not block others. */
const runMs = 45_000;
const unsentMs = 30_000;
/** A message that was on its way when the watch ended may still arrive; these are the times to look for it. */
const lateMs = [5_000, 30_000] as const;
/** How often messages are tried that the bot may not reach, or that Discord refuses: that may pass. */
const closedMs = 60_000;
/** After so many in a row the rest waits too: Discord counts refused requests. */
const maxRefused = 3;

interface EndedWatch {
  readonly guildId: string;
  readonly watch: Watch & { readonly ended: WatchEnd };
}

/** Closes or deletes the messages of a watch that has ended, and removes it once its decisions are sent. */
export function handleEndQueue(room: ModerationRoom): void {
  const { database, records } = room;
  const { now } = database;
  handleWatchJobs(room, endQueue, async ({ guildId, watchId, signal }) => {
    const watch = await records.watches.readEnded(guildId, watchId);
    if (watch === undefined) return undefined;
    const endsAt = now() + runMs;
    let isLeft = false;
    let isRefused = false;
    let refused = 0;
    for await (const message of readMessages(records, { guildId, watchId })) {
      isLeft ||= !message.isReport && watch.ended.deletes !== true;
      signal.throwIfAborted();
      refused = (await finish(room, { guildId, watch }, message)) ? 0 : refused + 1;
      isRefused ||= refused > 0;
      if (refused >= maxRefused) break;
      if (now() >= endsAt) return now();
    }
    const count = await records.comments.countUnsettled(guildId, watchId);
    const removeAt = watch.ended.at + keptMs;
    if (count > 0) return now() + unsentMs;
    if (isRefused && now() < removeAt) return Math.min(removeAt, now() + closedMs);
    const lateAt = lateMs.map((ms) => watch.ended.at + ms).find((at) => at > now());
    if (lateAt !== undefined) return lateAt;
    if (isLeft && now() < removeAt) return removeAt;
    await records.watches.remove(guildId, watchId);
    return undefined;
  });
}

/** Returns whether nothing is left to do with it: false where another try may work. */
async function finish(
  { channelMessages, records }: ModerationRoom,
  { guildId, watch }: EndedWatch,
  { kind, id, card, place, isReport }: MessageOfWatch,
): Promise<boolean> {
  const { deletes, movedTo } = watch.ended;
  const isDeleted = deletes === true && !isReport;
  if (!isDeleted && card.isClosed === true) return true;
  const facts = { guildId, watch, movedTo };
  try {
    if (isDeleted) await channelMessages.remove(place);
    else await channelMessages.close(place, { name: "watch-closed", facts });
  } catch (error) {
    // For a reason that we don't know, which need not concern the other messages.
    if (error instanceof BotError && error.code === "discord_refused") return false;
    if (!(error instanceof AccessError)) throw error;
    // What is closed to the bot may open again. A message or a channel that is gone needs nothing more.
    if (error.code === "discord_channel_closed") return false;
  }
  const after = ({ card: before }: { readonly card: CardMessage }): CardMessage =>
    isDeleted
      ? { state: "lost", handle: before.handle, since: before.since }
      : { ...before, isClosed: true };
  const ref = { watchId: watch.id, id };
  if (kind === "digest") {
    await records.digests.change(guildId, ref, (one) => one && { ...one, card: after(one) });
  } else {
    const itemRef = toItemRef(ref);
    await records.comments.changeSilently(guildId, itemRef, (one) => ({
      ...one,
      card: after(one),
    }));
  }
  return true;
}
