import type { Ctx, DecideState } from "../../discord/index.ts";
import type { Settled } from "../../moderation/index.ts";
import type { Comment } from "../../video/index.ts";
import type { Decided } from "./decide.ts";

const kindOf = {
  published: "approve",
  heldForReview: "hold",
  rejected: "reject",
} as const satisfies Record<DecideState["status"], Settled["kind"]>;

/** Records decisions, so that cards of the same comments are updated. Nobody waits for it or fails with it. */
export function recordDecisions(
  ctx: Ctx,
  { status, banAuthor }: DecideState,
  outcomes: readonly Decided[],
): void {
  const kind = banAuthor === true ? "ban" : kindOf[status];
  const settled = outcomes.flatMap(({ id, state, error, comment }): Settled[] => {
    const answer = state === "done" ? "done" : error?.code;
    // A comment that already had the state was not decided about.
    if (answer === undefined) return [];
    return [{ ...told(ctx, id), ...about(comment), kind, answer }];
  });
  record(ctx, settled);
}

/** The same for a reply to a comment. */
export function recordReply(ctx: Ctx, commentId: string, { snippet }: Comment): void {
  const videoId = snippet?.videoId;
  record(ctx, [{ ...told(ctx, commentId), videoId, kind: "replied", answer: "done" }]);
}

function record(ctx: Ctx, settled: readonly Settled[]): void {
  if (settled.length === 0) return;
  const write = async () => ctx.moderation.queue.settled(settled);
  write().catch((error: unknown) => {
    ctx.log.warn("decisions are not on record", { count: settled.length, error });
  });
}

function told({ userId, userName, channelId }: Ctx, commentId: string) {
  const by = { userId, userName };
  return { commentId, by, from: "command", source: channelId ?? "" } as const;
}

function about(comment: Comment | undefined) {
  const { videoId, authorChannelId, authorDisplayName, textDisplay } = comment?.snippet ?? {};
  return {
    videoId,
    authorId: authorChannelId?.value,
    authorName: authorDisplayName,
    text: textDisplay,
  };
}
