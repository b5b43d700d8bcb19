import { type Text, time, type Words } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { DecisionDelay, HeldComment, QueuedComment } from "../../moderation/index.ts";
import type { Comment } from "../../video/index.ts";
import type { Ctx, PlannedCall } from "../context/index.ts";
import { givenFields } from "../options/index.ts";
import { findCommentsById } from "./find.ts";

/** Why decisions that were made are not sent yet, and when they are. */
export function describeDelay(
  { why, failure: { code, until } }: DecisionDelay,
  count: number,
  words: Words,
): Text {
  if (code === "channel_missing") return words.md("watch.delay.link_missing", { count });
  if (why !== "units" || until === undefined) return words.md(`watch.delay.${why}`, { count });
  const at = new Date(until);
  return words.md("watch.delay.units_until", { count, at: time(at), moment: time(at, "f") });
}

/** The person's own limits: a decision beyond them is refused, not kept. */
const ownLimits: readonly string[] = ["comment_decided_often", "budget_person", "budget_rank"];

/** Whether a decision that met this error can be left to the queue, which sends it when the cause has passed. */
export function canBeKept(error: unknown): error is BotError {
  if (!(error instanceof BotError) || error.outcome !== "nothing") return false;
  const { kind, code } = error;
  if (ownLimits.includes(code) || code === "store_unavailable") return false;
  return kind === "limit" || kind === "connect" || kind === "service" || kind === "network";
}

/** The first of these comments' records in the queue, by comment id; those that no watch has are left out. */
export async function findInQueue(
  { channelId = "", moderation: { queue } }: Pick<Ctx, "channelId" | "moderation">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HeldComment>> {
  const found = new Map<string, HeldComment>();
  for (const id of ids) {
    const [item] = await queue.itemsOf(channelId, id);
    if (item !== undefined) found.set(id, item);
  }
  return found;
}

/**
 * Comments for a question: from YouTube, or from the queue while no decision can be sent. `isKept`: a decision would be kept.
 * Throws what keeps decisions from being sent if the queue has none of the comments.
 */
export async function readToAsk(
  ctx: Ctx,
  ids: readonly string[],
  calls: readonly PlannedCall[],
): Promise<{ readonly found: ReadonlyMap<string, Comment>; readonly isKept: boolean }> {
  try {
    await ctx.afford(calls);
    return { found: await findCommentsById(ctx.own, ids, ctx.signal), isKept: false };
  } catch (error) {
    const stored = canBeKept(error) ? await findInQueue(ctx, ids) : undefined;
    if (stored === undefined || stored.size === 0) throw error;
    const found = new Map(Array.from(stored, ([id, { comment }]) => [id, fromQueue(comment)]));
    return { found, isKept: true };
  }
}

export function fromQueue(comment: QueuedComment): Comment {
  const { id, videoId, parentId, text, imageUrl, authorName, publishedAt, state } = comment;
  const snippet = givenFields({
    videoId,
    parentId,
    imageUrl,
    textDisplay: text,
    authorDisplayName: authorName,
    publishedAt: new Date(publishedAt).toISOString(),
    moderationStatus: state,
  });
  return { id, snippet: snippet ?? {} };
}
