import { viewerOf } from "../access.ts";
import type { Call, Handler } from "../call.ts";
import { badParameter, forbidden, notFound, Refusal } from "../refusal.ts";
import { type Comment, type CommentStatus, findComment, moderateComments } from "../world/index.ts";
import { ownerOf } from "./comment-parts.ts";

export const commentModeration = {
  "comments.setModerationStatus": (call) => {
    const { query, world } = call;
    const status = query.text("moderationStatus") as CommentStatus; // The row's values are among them.
    const ban = query.flag("banAuthor");
    if (ban && status !== "rejected") throw banWithoutReject();
    const found = query.list("id").map((id) => readComment(call, id));
    for (const comment of found) checkMovable(call, comment, status);
    // All or none: nothing was changed when one of them is refused.
    moderateComments(world, found, { status, ban, now: call.now });
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function readComment({ world }: Call, id: string): Comment {
  const comment = findComment(world, id);
  if (comment !== undefined) return comment;
  if (world.withdrawn.has(id)) {
    throw refused("processingFailure", "A comment was deleted by its author.");
  }
  throw notFound("comment", "commentNotFound", "id");
}

/** Only the channel decides; what it has rejected stays rejected (facts, section 7). */
function checkMovable(call: Call, comment: Comment, status: CommentStatus): void {
  if (ownerOf(comment, call) !== viewerOf(call)) throw forbidden("comment");
  if (comment.status === "rejected" && status !== "rejected") {
    throw refused("operationNotSupported", "A rejected comment can't be published or held again.");
  }
}

function banWithoutReject(): Refusal {
  const message = "An author can be banned only while the comment is rejected.";
  return badParameter("banAuthor", message, "banWithoutReject");
}

function refused(reason: string, message: string): Refusal {
  const place = { location: "id", locationType: "parameter" } as const;
  return new Refusal(400, { reason, message, domain: "youtube.comment", place });
}
