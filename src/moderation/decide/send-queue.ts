import type { DecisionKind, PendingDecisions } from "../records/index.ts";
import type { DecideDeps, LinkedChannelRef } from "./parts.ts";

export const sendQueue = "moderation.send";

/** Facts: ids of one call. */
export const idsOfCall = 50;
/** What is due waits so long for others of its kind, because a call for one costs as much as a call for fifty. */
const gatherMs = 4_000;
/** While more of its kind are still to become due, it waits up to so long for them. */
const longestGatherMs = 16_000;

/** Has decisions sent when they are due, by one job a linked channel; part of the transaction under way. */
export async function sendAt(
  { jobs }: Pick<DecideDeps, "jobs">,
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

export function channelOf(key: string): LinkedChannelRef {
  const [guildId = "", ...source] = key.split(":");
  return { guildId, source: source.join(":") };
}

/** Which kind may go in a call by now; undefined while it is better to wait. */
export function readyKind(
  pending: readonly PendingDecisions[],
  now: number,
): DecisionKind | undefined {
  return pending.find((one) => readyAt(one) <= now)?.kind;
}

/** When the first call may go. */
export function nextReadyAt(pending: readonly PendingDecisions[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...pending.map(readyAt));
}

/** A full call goes at once; what is less waits for others, longer while it is known that more are to come. */
function readyAt({ dueAt, lastDueAt }: PendingDecisions): number {
  const first = dueAt[0] ?? Number.POSITIVE_INFINITY;
  const full = dueAt[idsOfCall - 1] ?? Number.POSITIVE_INFINITY;
  return Math.min(full, Math.max(first + gatherMs, lastDueAt), first + longestGatherMs);
}
