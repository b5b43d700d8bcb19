import { AccessError, BotError } from "../../errors.ts";
import { type CardMessage, toItemRef, type Watch, type WatchEnd } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { endQueue, handleWatchJobs } from "../watch-jobs.ts";
import { type MessageOfWatch, readMessages } from "./end-watch.ts";

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

interface EndedGuildWatch {
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
  { guildId, watch }: EndedGuildWatch,
  { kind, id, card, place, isReport }: MessageOfWatch,
): Promise<boolean> {
  const { deletes, movedTo } = watch.ended;
  const isDeleted = deletes === true && !isReport;
  if (!isDeleted && card.isClosed === true) return true;
  const isDone = await unlessGone(() =>
    isDeleted
      ? channelMessages.remove(place)
      : channelMessages.close(place, { name: "watch-closed", facts: { guildId, watch, movedTo } }),
  );
  if (!isDone) return false;
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

/** A message or a channel that is gone needs nothing more; false where the channel is closed to the bot, or Discord refuses it. */
async function unlessGone(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    // For a reason that nobody foresaw, and that need not concern the other messages.
    if (error instanceof BotError && error.code === "discord_refused") return false;
    if (!(error instanceof AccessError)) throw error;
    return error.code !== "discord_channel_closed";
  }
}
