import { backOffMs, withTimeout } from "../../clock.ts";
import { BotError, ServiceError } from "../../errors.ts";
import type { Comment, VideoClient } from "../../video/index.ts";
import {
  type DecisionKind,
  type HeldComment,
  isFinal,
  type QueuedComment,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { isWorthWaiting, toDecisionFailure } from "./delay.ts";
import {
  batchTimeoutMs,
  type DecisionOutcome,
  decisionFailedError,
  type SendOutcome,
} from "./send-batch.ts";
import { type LinkedChannelRef, maxIdsPerCall } from "./send-queue.ts";
import { isSameUnsettled, noteUnconfirmed, settleDecisions } from "./settle-decisions.ts";

const checkBackOff = { firstMs: 5_000, longestMs: 15 * 60_000 } as const;
/** Pages of 100 that are searched in each of the two lists. */
const maxPages = 5;

/**
 * Reads the comments of unconfirmed decisions before any of them is sent again: those of a process that died in between, and
 * those that got no clear answer. Returns when the next check is due.
 * @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function confirmDecisions(
  room: ModerationRoom,
  at: LinkedChannelRef,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (;;) {
    const wanted = { source: at.source, status: "sending", limit: maxIdsPerCall } as const;
    const sending = await room.records.comments.readDecided(at.guildId, wanted);
    const now = room.database.now();
    const due = sending.filter(({ decision }) => (decision?.unconfirmed?.lookAt ?? 0) <= now);
    if (due.length === 0) return sending[0]?.decision?.unconfirmed?.lookAt;
    await confirmDue(room, at, due, signal);
  }
}

async function confirmDue(
  room: ModerationRoom,
  at: LinkedChannelRef,
  due: readonly HeldComment[],
  signal: AbortSignal,
): Promise<void> {
  const ids = due.map(({ comment }) => comment.id);
  let found: FoundStatuses;
  try {
    found = await withTimeout(
      async (both) =>
        readStatuses(await room.video(at.guildId, at.source), { ids, source: at.source }, both),
      { timeoutMs: batchTimeoutMs, clock: room.clock, signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BotError)) room.log.error("decisions were not looked up", { error });
    const cause = error instanceof BotError ? error : decisionFailedError(error);
    return retryLater(room, at.guildId, due, cause);
  }
  await settleFound(room, at.guildId, due, found);
}

async function settleFound(
  room: ModerationRoom,
  guildId: string,
  due: readonly HeldComment[],
  found: FoundStatuses,
): Promise<void> {
  const known: [HeldComment, SendOutcome][] = [];
  for (const item of due) {
    const { decision, comment } = item;
    if (decision === undefined) continue;
    const { failure } = decision.unconfirmed ?? {};
    const outcome = outcomeFrom(decision.kind, comment, found);
    if (outcome !== undefined) {
      known.push([item, outcome]);
    } else if (failure !== undefined) {
      // The call had no clear answer, so YouTube is not well.
      const cause = new ServiceError("a decision did not arrive", { code: failure.code });
      known.push([item, { state: "delayed", cause }]);
    } else {
      await sendAgain(room, guildId, item);
    }
  }
  await settleDecisions(room, guildId, known);
}

/** Sends a decision again that did not arrive. */
async function sendAgain({ records }: ModerationRoom, guildId: string, item: HeldComment) {
  await records.comments.changeSilently(guildId, toItemRef(item), (stored) => {
    const { decision } = stored;
    if (decision === undefined || !isSameUnsettled(stored, item.decision)) return stored;
    return { ...stored, status: "pending", decision: { ...decision, unconfirmed: undefined } };
  });
}

/** An approval is simply sent again later, since repeating it does no harm; a rejection only once the comment was checked. */
async function retryLater(
  room: ModerationRoom,
  guildId: string,
  due: readonly HeldComment[],
  cause: BotError,
): Promise<void> {
  const over: [HeldComment, SendOutcome][] = [];
  const now = room.database.now();
  for (const item of due) {
    const { kind, unconfirmed } = item.decision ?? {};
    const { tries = 0, failure, since = now } = unconfirmed ?? {};
    if (kind === "approve" || kind === "hold") over.push([item, { state: "delayed", cause }]);
    else if (!isWorthWaiting(cause, since, now)) {
      over.push([item, { state: "back", failure: failure ?? toDecisionFailure(cause) }]);
    } else {
      const lookAt = now + backOffMs(tries + 1, checkBackOff);
      await noteUnconfirmed(room, guildId, item, { lookAt, since, tries: tries + 1, failure });
    }
  }
  await settleDecisions(room, guildId, over);
}

interface FoundStatuses {
  /** The statuses of the comments that could be read, by comment id. */
  readonly statuses: ReadonlyMap<string, string | undefined>;
  /** Whether all waiting comments were searched: one that is missing then is rejected or gone. */
  readonly isWhole: boolean;
}

/**
 * Reads the present statuses of comments. It is not documented whether waiting comments can be read by id, so missing ones are
 * searched in the lists of waiting comments. @throws what the client throws.
 */
async function readStatuses(
  client: VideoClient,
  { ids, source }: { readonly ids: readonly string[]; readonly source: string },
  signal: AbortSignal,
): Promise<FoundStatuses> {
  const statuses = new Map<string, string | undefined>();
  const wanted = { part: ["snippet"], id: ids, textFormat: "plainText" } as const;
  const { items } = await client.call("comments.list", wanted, { signal });
  for (const comment of items) note(comment);
  if (!isMissing()) return { statuses, isWhole: true };
  let isWhole = true;
  for (const state of ["heldForReview", "likelySpam"] as const) {
    let isCut = false;
    const listed = {
      part: ["snippet", "replies"],
      allThreadsRelatedToChannelId: source,
      moderationStatus: state,
      textFormat: "plainText",
      maxResults: 100,
    } as const;
    for await (const page of client.pages("commentThreads.list", listed, { signal, maxPages })) {
      for (const { snippet, replies } of page.items ?? []) {
        if (snippet?.topLevelComment !== undefined) note(snippet.topLevelComment);
        replies?.comments?.forEach(note);
      }
      if (!isMissing()) return { statuses, isWhole: true };
      isCut = page.nextPageToken !== undefined;
    }
    isWhole &&= !isCut;
  }
  return { statuses, isWhole };

  function note({ id, snippet }: Comment): void {
    if (id !== undefined && !statuses.has(id)) statuses.set(id, snippet?.moderationStatus);
  }

  function isMissing(): boolean {
    return ids.some((id) => !statuses.has(id));
  }
}

/** The outcome of an unconfirmed decision, from the comment's status; undefined if it does not seem to have arrived. */
function outcomeFrom(
  kind: DecisionKind,
  { id, parentId }: QueuedComment,
  { statuses, isWhole }: FoundStatuses,
): DecisionOutcome | undefined {
  const status = statuses.get(id);
  if (isFinal(kind)) {
    // Rejected comments are in no list, but some replies of long threads are not either.
    const isAbsent = !statuses.has(id) && isWhole && parentId === undefined;
    return isAbsent || status === "rejected" ? { state: "done" } : undefined;
  }
  if (status === (kind === "approve" ? "published" : "heldForReview")) return { state: "done" };
  // Rejected on YouTube, which is final.
  return status === "rejected"
    ? { state: "elsewhere", failure: { code: "operation_not_supported" } }
    : undefined;
}
