import { backOffMs, withTimeout } from "../../clock.ts";
import { BotError } from "../../errors.ts";
import type { Comment, VideoClient } from "../../video/index.ts";
import {
  type DecisionKind,
  type HeldComment,
  type QueuedComment,
  refOf,
} from "../records/index.ts";
import type { DecideDeps, LinkedChannelRef } from "./parts.ts";
import { callMs, failed, failureOf, type Outcome } from "./send.ts";
import { idsOfCall } from "./send-queue.ts";
import { isUnderWay, noteUnconfirmed, settle } from "./settle.ts";

const lookAgain = { firstMs: 5_000, longestMs: 60_000 } as const;
/** After some three minutes people are told that nobody knows whether it arrived. */
const maxTries = 6;
/** Pages of a hundred that are looked through in each of the two lists. */
const maxPages = 5;

/**
 * Looks how comments stand whose decisions may have arrived, before anything is repeated: those of a process that ended in
 * between, and those that the service gave no clear answer to. Answers when one has to be looked at again.
 * @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function confirmDecisions(
  deps: DecideDeps,
  at: LinkedChannelRef,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (;;) {
    const sending = await deps.records.comments.decided(at.guildId, {
      ...{ source: at.source, status: "sending", limit: idsOfCall },
    });
    const now = deps.database.now();
    const due = sending.filter(({ decision }) => (decision?.unconfirmed?.lookAt ?? 0) <= now);
    if (due.length === 0) return sending[0]?.decision?.unconfirmed?.lookAt;
    await look(deps, at, due, signal);
  }
}

async function look(
  deps: DecideDeps,
  at: LinkedChannelRef,
  due: readonly HeldComment[],
  signal: AbortSignal,
): Promise<void> {
  const ids = due.map(({ comment }) => comment.id);
  let standing: Standing;
  try {
    standing = await withTimeout(
      async (both) =>
        lookUp(await deps.video(at.guildId, at.source), { ids, source: at.source }, both),
      { ms: callMs, clock: deps.clock, signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BotError)) deps.log.error("decisions were not looked up", { error });
    const cause = error instanceof BotError ? error : failed(error);
    return unseen(deps, at.guildId, due, cause);
  }
  await seen(deps, at.guildId, due, standing);
}

async function seen(
  deps: DecideDeps,
  guildId: string,
  due: readonly HeldComment[],
  standing: Standing,
): Promise<void> {
  const known: [HeldComment, Outcome][] = [];
  for (const item of due) {
    const { decision, comment } = item;
    if (decision === undefined) continue;
    const { failure } = decision.unconfirmed ?? {};
    const outcome = outcomeFound(decision.kind, comment, standing);
    if (outcome !== undefined) known.push([item, outcome]);
    else if (failure !== undefined) known.push([item, { state: "back", failure }]);
    else await sendAgain(deps, guildId, item);
  }
  await settle(deps, guildId, known);
}

/** It did not arrive, and is still what somebody wants. */
async function sendAgain({ records }: DecideDeps, guildId: string, item: HeldComment) {
  await records.comments.note(guildId, refOf(item), (stored) => {
    if (stored.decision === undefined || !isUnderWay(stored, item.decision)) return stored;
    const { unconfirmed: _, ...decision } = stored.decision;
    return { ...stored, status: "pending", decision };
  });
}

/** An approval can be repeated by whoever sees it fail; of a rejection nothing is said before it was looked up. */
async function unseen(
  deps: DecideDeps,
  guildId: string,
  due: readonly HeldComment[],
  cause: BotError,
): Promise<void> {
  const over: [HeldComment, Outcome][] = [];
  for (const item of due) {
    const { kind, unconfirmed } = item.decision ?? {};
    const { tries = 0, failure } = unconfirmed ?? {};
    const isRepeatable = kind === "approve" || kind === "hold";
    if (tries + 1 >= maxTries || (isRepeatable && failure !== undefined)) {
      over.push([item, { state: "back", failure: failure ?? failureOf(cause) }]);
      continue;
    }
    const lookAt = deps.database.now() + backOffMs(tries + 1, lookAgain);
    await noteUnconfirmed(deps, guildId, item, { lookAt, tries: tries + 1, failure });
  }
  await settle(deps, guildId, over);
}

interface Standing {
  /** Of those that can be read, by their ids. */
  readonly statuses: ReadonlyMap<string, string | undefined>;
  /** Whether all that waits was looked through: what is missing then is rejected or gone. */
  readonly isWhole: boolean;
}

/**
 * How comments stand now. Whether waiting comments can be read by their ids is written nowhere, so those that can't are
 * looked for where they wait. @throws what the client throws.
 */
async function lookUp(
  client: VideoClient,
  { ids, source }: { readonly ids: readonly string[]; readonly source: string },
  signal: AbortSignal,
): Promise<Standing> {
  const statuses = new Map<string, string | undefined>();
  const wanted = { part: ["snippet"], id: ids, textFormat: "plainText" } as const;
  const { items } = await client.call("comments.list", wanted, { signal });
  for (const comment of items) note(comment);
  if (!isMissing()) return { statuses, isWhole: true };
  let isWhole = true;
  for (const state of ["heldForReview", "likelySpam"] as const) {
    let isCut = false;
    for await (const page of waiting(client, { source, state }, signal)) {
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

function waiting(
  client: VideoClient,
  { source, state }: { readonly source: string; readonly state: "heldForReview" | "likelySpam" },
  signal: AbortSignal,
) {
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: source,
    moderationStatus: state,
    textFormat: "plainText",
    maxResults: 100,
  } as const;
  return client.pages("commentThreads.list", wanted, { signal, maxPages });
}

/** What a look at the comment says of a decision that may have arrived; undefined when it has not, as far as one sees. */
function outcomeFound(
  kind: DecisionKind,
  { id, parentId }: QueuedComment,
  { statuses, isWhole }: Standing,
): Outcome | undefined {
  const status = statuses.get(id);
  if (kind === "reject" || kind === "ban") {
    // Rejected comments are in no list; neither are all replies of a long thread (facts, section 7).
    const isAbsent = !statuses.has(id) && isWhole && parentId === undefined;
    return isAbsent || status === "rejected" ? { state: "done" } : undefined;
  }
  if (status === (kind === "approve" ? "published" : "heldForReview")) return { state: "done" };
  // Rejected on the platform, which is final.
  return status === "rejected"
    ? { state: "elsewhere", failure: { code: "operation_not_supported" } }
    : undefined;
}
