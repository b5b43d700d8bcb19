import { newHandle } from "../../store/index.ts";
import type { ModerationPartDeps } from "../deps.ts";
import type { HeldComment, ModerationRecords } from "../records/index.ts";
import { announceQueue, pollQueue, type WatchRef, watchJobKey } from "../watch-jobs.ts";
import { endQueue } from "./end-job.ts";
import { messagesOf } from "./messages-of-watch.ts";

type EndDeps = Pick<ModerationPartDeps, "database" | "jobs" | "records">;

interface WatchEndOptions {
  /** The watch and the channel that take its waiting comments over. */
  readonly movedTo?: { readonly watchId: string; readonly channelId: string };
}

/**
 * Ends a watch: nobody sees it any more, and a job closes its messages. Returns whether it was there.
 * @throws ServiceError `store_unavailable`
 */
export async function endWatch(
  { database, jobs, records }: EndDeps,
  ref: WatchRef,
  { movedTo }: WatchEndOptions = {},
): Promise<boolean> {
  const { guildId, watchId } = ref;
  const isEnded = await database.transaction(async () => {
    let isFirst = false;
    await records.watches.change(guildId, watchId, (watch) => {
      isFirst = watch !== undefined && watch.ended === undefined;
      if (watch === undefined || !isFirst) return watch;
      const ended = { at: database.now(), ...(movedTo && { movedTo: movedTo.channelId }) };
      return { ...watch, ended };
    });
    if (!isFirst) return false;
    if (movedTo !== undefined) await copyWaiting(records, ref, movedTo.watchId);
    await jobs.put({ queue: endQueue, key: watchJobKey(ref), guildId });
    return true;
  });
  // A job that runs in this process is stopped; one in another process finds no watch and ends.
  for (const queue of [pollQueue, announceQueue]) await jobs.remove(queue, watchJobKey(ref));
  return isEnded;
}

/** How many messages of a watch are there to be deleted. @throws ServiceError `store_unavailable` */
export async function countMessages(records: ModerationRecords, ref: WatchRef): Promise<number> {
  let count = 0;
  for await (const { isReport } of messagesOf(records, ref)) if (!isReport) count += 1;
  return count;
}

/** Lets a job delete the messages of a watch that has ended; false if its records are gone. */
export function deleteMessages({ database, jobs, records }: EndDeps, ref: WatchRef) {
  const { guildId, watchId } = ref;
  return database.transaction(async () => {
    if ((await records.watches.readEnded(guildId, watchId)) === undefined) return false;
    await records.watches.change(guildId, watchId, (watch) =>
      watch?.ended === undefined ? watch : { ...watch, ended: { ...watch.ended, deletes: true } },
    );
    await jobs.put({ queue: endQueue, key: watchJobKey(ref), guildId });
    return true;
  });
}

const pageSize = 100;
const waiting: readonly string[] = ["open", "later"];

/** With what is known about them: who claimed or snoozed them, and what rules advise. Each gets a card in the new channel. */
async function copyWaiting(
  { comments }: ModerationRecords,
  { guildId, watchId: from }: WatchRef,
  watchId: string,
): Promise<void> {
  let after: string | undefined;
  do {
    const page: readonly HeldComment[] = await comments.readPage(guildId, {
      watchId: from,
      after,
      limit: pageSize,
    });
    const copies = page
      .filter(({ status }) => waiting.includes(status))
      .map((held) => {
        const { digestId: _, formerCard: __, needsDrawing: ___, ...rest } = held;
        const card = { state: "due", handle: newHandle(), since: held.card.since } as const;
        return { ...rest, watchId, card };
      });
    await comments.addAll(guildId, copies);
    after = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}
