import type { BotError } from "../../errors.ts";
import {
  type DecisionDelay,
  type DecisionKind,
  type DirectDecision,
  toItemRef,
} from "../../moderation/index.ts";
import { type Comment, moderateComments, type VideoClient } from "../../video/index.ts";
import type { DecideState } from "../cards/index.ts";
import type { Ctx, PlannedCall } from "../context/index.ts";
import { findCommentsById } from "./find.ts";
import { canBeKept, findInQueue, fromQueue } from "./kept.ts";

/**
 * The outcome for one comment. `already`: it had that state before. `missing`: it can't be read any more. `foreign`:
 * another channel decides about it. `kept`: it could not be sent, and the queue sends it later. The other states are those of
 * `moderateComments`.
 */
export interface CommentOutcome {
  readonly id: string;
  readonly state:
    | "done"
    | "already"
    | "missing"
    | "foreign"
    | "refused"
    | "unknown"
    | "untried"
    | "kept";
  readonly error?: BotError;
  /** Why it is kept; absent if the queue is about to try it. */
  readonly delay?: DecisionDelay | undefined;
  /** The comment before the decision, where it could be read. */
  readonly comment?: Comment;
}

/** docs/services/youtube.md#decisions */
const idsOfCall = 50;

/** The calls that a decision takes when every comment can be looked up by its id. */
export function decisionCalls({ ids }: DecideState): readonly PlannedCall[] {
  const calls = Math.ceil(ids.length / idsOfCall);
  return [
    ["comments.list", calls],
    ["comments.setModerationStatus", calls],
  ];
}

/**
 * Reads the comments' state and then decides: somebody else may have been faster, and a decision costs fifty times as
 * much as a read. If two people decide at once, the second read waits until the first decision is done.
 */
export function decideComments(
  ctx: Ctx,
  decision: DecideState,
): Promise<readonly CommentOutcome[]> {
  return ctx.inTurn("decide comments", async () => {
    const decided = await decideNow(ctx, decision).catch((error: unknown) => {
      if (!canBeKept(error)) throw error;
      return decision.ids.map((id): CommentOutcome => ({ id, state: "untried", error }));
    });
    const outcomes = await keepUntried(ctx, decision, decided);
    const [first] = outcomes;
    // Nothing was decided, and nothing is kept.
    const isUntried = outcomes.every(
      ({ state, error }) => state === "untried" && error === first?.error,
    );
    if (isUntried && first?.error !== undefined) throw first.error;
    recordDecisions(ctx, decision, outcomes);
    return outcomes;
  });
}

/** Leaves to the queue what could not be sent, as far as a watch has the comments. */
async function keepUntried(
  ctx: Ctx,
  decision: DecideState,
  outcomes: readonly CommentOutcome[],
): Promise<readonly CommentOutcome[]> {
  const untried = outcomes.filter(({ state, error }) => state === "untried" && canBeKept(error));
  if (untried.length === 0) return outcomes;
  const stored = await findInQueue(
    ctx,
    untried.map(({ id }) => id),
  );
  const { userId, userName, moderation } = ctx;
  const results = await moderation.queue.decide({
    items: [...stored.values()].map(toItemRef),
    kind: decisionKindFor(decision),
    by: { userId, userName },
    from: "command",
  });
  const kept = new Map(
    results.flatMap(({ state, item }) =>
      state === "pending" && item !== undefined ? [[item.comment.id, item] as const] : [],
    ),
  );
  return outcomes.map((outcome): CommentOutcome => {
    const item = kept.get(outcome.id);
    if (item === undefined) return outcome;
    const { id, comment = fromQueue(item.comment) } = outcome;
    return { id, state: "kept", delay: item.decision?.delay, comment };
  });
}

async function decideNow(ctx: Ctx, decision: DecideState): Promise<readonly CommentOutcome[]> {
  const { ids, status, banAuthor } = decision;
  const { own, signal, channelId } = ctx;
  await ctx.afford(decisionCalls(decision));
  const standing = await readComments(ctx, ids);
  const before = new Map(
    ids.map((id) => [id, findKnownState(standing.get(id), status, channelId)]),
  );
  const wanted = ids.filter((id) => before.get(id) === undefined);
  const often = await ctx.moderation.queue.countDirectDecisions(wanted, channelId ?? "");
  const [first] = often.values();
  if (first !== undefined && often.size === ids.length) throw first;
  const open = wanted.filter((id) => !often.has(id));
  const outcomes =
    open.length === 0
      ? []
      : await moderateComments(
          own,
          status === "rejected"
            ? { ids: open, status, ...(banAuthor && { banAuthor }) }
            : { ids: open, status },
          { signal },
        );
  const after = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return ids.map((id): CommentOutcome => {
    const comment = standing.get(id);
    const known = comment === undefined ? {} : { comment };
    const outcome = after.get(id);
    const error = often.get(id);
    if (error !== undefined) return { id, state: "refused", error, ...known };
    if (outcome === undefined) return { id, state: before.get(id) ?? "missing", ...known };
    return { ...outcome, ...known };
  });
}

/** Why there is nothing to decide about a comment; undefined if there is something to decide. */
function findKnownState(
  comment: Comment | undefined,
  status: DecideState["status"],
  channelId: string | undefined,
): CommentOutcome["state"] | undefined {
  if (comment === undefined) return "missing";
  const { moderationStatus, channelId: owner } = comment.snippet ?? {};
  if (moderationStatus === status && status !== "rejected") return "already";
  const isStateKnown = moderationStatus !== undefined;
  return !isStateKnown && owner !== undefined && owner !== channelId ? "foreign" : undefined;
}

/**
 * Reads comments by their ids. It is not documented whether held comments can be read so; any that can't are
 * searched for in the lists of held comments.
 */
async function readComments(
  { own, channelId, signal }: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Comment>> {
  const found = new Map(await findCommentsById(own, ids, signal));
  const missing = new Set(ids.filter((id) => !found.has(id)));
  if (missing.size === 0 || channelId === undefined) return found;
  for await (const comment of waitingComments(own, channelId, signal)) {
    if (comment.id !== undefined && missing.delete(comment.id)) found.set(comment.id, comment);
    if (missing.size === 0) break;
  }
  return found;
}

/** How many pages of a hundred comments to search in each of the two lists. */
const maxPages = 5;

async function* waitingComments(
  client: VideoClient,
  channelId: string,
  signal: AbortSignal,
): AsyncGenerator<Comment> {
  for (const moderationStatus of ["heldForReview", "likelySpam"] as const) {
    const wanted = {
      part: ["snippet", "replies"],
      allThreadsRelatedToChannelId: channelId,
      moderationStatus,
      textFormat: "plainText",
      maxResults: 100,
    } as const;
    for await (const page of client.pages("commentThreads.list", wanted, { signal, maxPages })) {
      for (const { snippet, replies } of page.items ?? []) {
        if (snippet?.topLevelComment !== undefined) yield snippet.topLevelComment;
        yield* replies?.comments ?? [];
      }
    }
  }
}

const decisionKinds = {
  published: "approve",
  heldForReview: "hold",
  rejected: "reject",
} as const satisfies Record<DecideState["status"], DecisionKind>;

export function decisionKindFor({ status, banAuthor }: DecideState): DecisionKind {
  return banAuthor === true ? "ban" : decisionKinds[status];
}

/** Records decisions, so that the comments' cards are updated. The reply neither waits for this nor fails with it. */
function recordDecisions(
  ctx: Ctx,
  decision: DecideState,
  outcomes: readonly CommentOutcome[],
): void {
  const kind = decisionKindFor(decision);
  const settled = outcomes.flatMap(({ id, state, error, comment }): DirectDecision[] => {
    const answer = state === "done" ? "done" : error?.code;
    // Nothing was decided about a comment that already had the state, or that was not even read.
    if (answer === undefined || (state === "untried" && comment === undefined)) return [];
    const { videoId, authorChannelId, authorDisplayName, textDisplay } = comment?.snippet ?? {};
    const about = {
      videoId,
      authorId: authorChannelId?.value,
      authorName: authorDisplayName,
      text: textDisplay,
    };
    return [{ ...decisionBase(ctx, id), ...about, kind, answer }];
  });
  record(ctx, settled);
}

/** Records a reply, so that the comment's card shows it. */
export function recordReply(ctx: Ctx, commentId: string, { snippet }: Comment): void {
  const { videoId, textOriginal, textDisplay } = snippet ?? {};
  const said = { videoId, reply: textOriginal ?? textDisplay };
  record(ctx, [{ ...decisionBase(ctx, commentId), ...said, kind: "replied", answer: "done" }]);
}

function record(ctx: Ctx, settled: readonly DirectDecision[]): void {
  if (settled.length === 0) return;
  ctx.moderation.queue.recordDirectDecisions(settled).catch((error: unknown) => {
    ctx.log.warn("decisions could not be recorded", { count: settled.length, error });
  });
}

function decisionBase({ userId, userName, channelId }: Ctx, commentId: string) {
  const by = { userId, userName };
  return { commentId, by, from: "command", source: channelId ?? "" } as const;
}
