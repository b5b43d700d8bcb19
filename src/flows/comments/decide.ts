import type { Ctx, DecideState, Planned } from "../../discord/index.ts";
import type { BotError } from "../../errors.ts";
import { type Comment, moderateComments, type VideoClient } from "../../video/index.ts";
import { findComments } from "./find.ts";
import { recordDecisions } from "./record.ts";

/**
 * The outcome for one comment. `already`: it had that state before. `missing`: nobody can read it any more. `foreign`:
 * another channel decides about it. The others are as in `moderateComments`.
 */
export interface Decided {
  readonly id: string;
  readonly state: "done" | "already" | "missing" | "foreign" | "refused" | "unknown" | "untried";
  readonly error?: BotError;
  /** The comment before the decision, where it could be read. */
  readonly comment?: Comment;
}

/** Facts: ids of one call. */
const idsOfCall = 50;

/** The calls that a decision takes when every comment can be looked up by its id. */
export function callsFor({ ids }: DecideState): readonly Planned[] {
  const calls = Math.ceil(ids.length / idsOfCall);
  return [
    ["comments.list", calls],
    ["comments.setModerationStatus", calls],
  ];
}

/**
 * Decides about comments after reading their state: somebody else may have been faster, and a decision costs fifty
 * times as much as a read. Of two decisions at once the second reads after the first has ended.
 */
export function decideComments(ctx: Ctx, decision: DecideState): Promise<readonly Decided[]> {
  return ctx.inTurn("decide comments", () => decideNow(ctx, decision));
}

async function decideNow(ctx: Ctx, decision: DecideState): Promise<readonly Decided[]> {
  const { ids, status, banAuthor } = decision;
  const { own, signal, channelId } = ctx;
  await ctx.afford(callsFor(decision));
  const standing = await standingOf(ctx, ids);
  const before = new Map(ids.map((id) => [id, stateOf(standing.get(id), status, channelId)]));
  const wanted = ids.filter((id) => before.get(id) === undefined);
  const often = await ctx.moderation.queue.admit(wanted, channelId ?? "");
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
  const decided = ids.map((id): Decided => {
    const comment = standing.get(id);
    const known = comment === undefined ? {} : { comment };
    const outcome = after.get(id);
    const error = often.get(id);
    if (error !== undefined) return { id, state: "refused", error, ...known };
    if (outcome === undefined) return { id, state: before.get(id) ?? "missing", ...known };
    return { ...outcome, ...known };
  });
  recordDecisions(ctx, decision, decided);
  return decided;
}

/** Undefined when there is something to decide. */
function stateOf(
  comment: Comment | undefined,
  status: DecideState["status"],
  channelId: string | undefined,
): Decided["state"] | undefined {
  if (comment === undefined) return "missing";
  const { moderationStatus, channelId: owner } = comment.snippet ?? {};
  if (moderationStatus === status && status !== "rejected") return "already";
  const isTold = moderationStatus !== undefined;
  return !isTold && owner !== undefined && owner !== channelId ? "foreign" : undefined;
}

/**
 * It is not documented whether held comments can be read by their ids, so those that can't are looked for in the lists
 * of held comments.
 */
async function standingOf(
  { own, channelId, signal }: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Comment>> {
  const found = new Map(await findComments(own, ids, signal));
  const missing = new Set(ids.filter((id) => !found.has(id)));
  if (missing.size === 0 || channelId === undefined) return found;
  for await (const comment of waiting(own, channelId, signal)) {
    if (comment.id !== undefined && missing.delete(comment.id)) found.set(comment.id, comment);
    if (missing.size === 0) break;
  }
  return found;
}

/** Pages of a hundred comments that are searched in each of the two lists. */
const maxPages = 5;

async function* waiting(
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
