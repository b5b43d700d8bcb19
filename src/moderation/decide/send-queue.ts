import type { PendingDecisions } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";

/** A server's linked channel. Its decisions are sent one call after the other. */
export interface LinkedChannelRef {
  readonly guildId: string;
  readonly source: string;
}

export const sendQueue = "moderation.send";

/** YouTube takes at most 50 ids per call. */
export const maxIdsPerCall = 50;
/** How long a due decision waits for others of its kind: a call for one costs as much as a call for fifty. */
const gatherMs = 4_000;
/** The longest wait while more decisions of its kind are becoming due. */
const longestGatherMs = 16_000;

/** Schedules the job of each linked channel for its first due decision. Takes part in the current transaction. */
export async function scheduleSending(
  { jobs }: ModerationRoom,
  guildId: string,
  due: readonly { readonly source: string; readonly dueAt: number }[],
): Promise<void> {
  const first = new Map<string, number>();
  for (const { source, dueAt } of due) {
    first.set(source, Math.min(dueAt, first.get(source) ?? Number.POSITIVE_INFINITY));
  }
  for (const [source, dueAt] of first) {
    await jobs.put({ queue: sendQueue, key: `${guildId}:${source}`, guildId, dueAt });
  }
}

/** When a kind's next call may be sent. A full call is sent at once; fewer decisions wait for others, and longer if more are known to come soon. */
export function readyAt({ dueAt }: PendingDecisions): number {
  const first = dueAt[0] ?? Number.POSITIVE_INFINITY;
  const full = dueAt[maxIdsPerCall - 1] ?? Number.POSITIVE_INFINITY;
  const last = dueAt.findLast((at) => at <= first + longestGatherMs) ?? first;
  return Math.min(full, Math.max(first + gatherMs, last));
}
