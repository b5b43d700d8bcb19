import { checkUnchanged, viewerOf } from "../access.ts";
import { toList } from "../answer.ts";
import { textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { walk } from "../cursor.ts";
import { badBody, badParameter, forbidden, notFound, Refusal } from "../refusal.ts";
import {
  type Comment,
  type CommentStatus,
  findComment,
  findThread,
  isPublished,
  moderateComments,
  withdrawComment,
  writeComment,
} from "../world/index.ts";
import {
  canRead,
  commentsDisabled,
  ownerOf,
  placeOf,
  readAuthor,
  readCommentText,
  readReplies,
  toComment,
} from "./comment-parts.ts";

const kind = "youtube#comment";

export const comments = {
  "comments.list": (call) => {
    const { query, world } = call;
    if (query.has("id")) {
      const found = query
        .list("id")
        .map((id) => findComment(world, id))
        .filter((comment) => comment !== undefined)
        .filter((comment) => canRead(comment, call));
      const pageInfo = { totalResults: found.length, resultsPerPage: found.length };
      return toList(
        `${kind}ListResponse`,
        found.map((one) => toComment(call, one)),
        { pageInfo },
      );
    }
    const parentId = query.text("parentId") ?? "";
    const thread = findThread(world, parentId);
    if (thread === undefined || !canRead(thread.top, call)) {
      throw notFound("comment", "commentNotFound", "parentId");
    }
    const { things, envelope } = walk(call, readReplies(thread, call), {
      belongsTo: `comments ${parentId}`,
      place: placeOf,
      goesBack: false,
    });
    const items = things.map((comment) => toComment(call, comment));
    return toList(`${kind}ListResponse`, items, envelope);
  },
  "comments.insert": (call) => {
    const { world, body, now } = call;
    const text = readCommentText(body, "comment", "snippet.textOriginal");
    const parent = readParent(call, textAt(body, "snippet.parentId") ?? "");
    const { id: parentId, videoId } = parent;
    const authorId = readAuthor(call, "comment");
    return toComment(call, writeComment(world, { videoId, parentId, authorId, text, now }));
  },
  "comments.update": (call) => {
    const comment = ownComment(call, textAt(call.body, "id") ?? "");
    checkUnchanged(call, toComment(call, comment));
    comment.text = readCommentText(call.body, "comment", "snippet.textOriginal");
    comment.updatedAt = call.now;
    return toComment(call, comment);
  },
  "comments.delete": (call) => {
    withdrawComment(call.world, ownComment(call, call.query.text("id") ?? ""));
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** The comment that is answered: a published one at the top of its thread. */
function readParent(call: Call, id: string): Comment {
  const comment = findComment(call.world, id);
  if (comment === undefined || !canRead(comment, call)) throw noParent();
  if (comment.parentId !== undefined) {
    throw badBody("comment", "operationNotSupported", "snippet.parentId");
  }
  if (!isPublished(comment)) throw badBody("comment", "parentCommentIsPrivate", "snippet.parentId");
  if (call.world.videos.get(comment.videoId)?.comments === undefined) {
    throw commentsDisabled("comment");
  }
  return comment;
}

function noParent(): Refusal {
  return new Refusal(404, {
    reason: "parentCommentNotFound",
    message: "The comment that is answered can't be found.",
    domain: "youtube.comment",
    place: { location: "body.snippet.parentId", locationType: "other" },
  });
}

function ownComment(call: Call, id: string): Comment {
  const comment = findComment(call.world, id);
  const isOwners = comment !== undefined && ownerOf(comment, call) === call.viewer;
  if (comment === undefined || !(canRead(comment, call) || isOwners)) {
    throw notFound("comment", "commentNotFound", "id");
  }
  if (comment.authorId !== viewerOf(call)) throw forbidden("comment");
  return comment;
}

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
