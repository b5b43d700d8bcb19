import { checkUnchanged, requireViewer } from "../access.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  findStoredComment,
  findThread,
  isPublished,
  type StoredComment,
  type StoredCommentStatus,
  setModerationStatus,
  withdrawComment,
  writeComment,
} from "../data/index.ts";
import { textAt } from "../json-body.ts";
import { paginateSorted } from "../paginate-sorted.ts";
import { ApiRefusal, badBody, badParameter, forbidden, notFound, refusal } from "../refusal.ts";
import { toList } from "../resource.ts";
import {
  canRead,
  commentPlace,
  commentsDisabled,
  findVideoOwner,
  readAuthor,
  readCommentText,
  readReplies,
  toComment,
} from "./comment-parts.ts";

const kind = "youtube#comment";

export const commentHandlers = {
  "comments.list": (call) => {
    const { query, state } = call;
    if (query.has("id")) {
      const found = query
        .list("id")
        .map((id) => findStoredComment(state, id))
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
    const thread = findThread(state, parentId);
    if (thread === undefined || !canRead(thread.top, call)) {
      throw notFound("comment", "commentNotFound", "parentId");
    }
    const { things, envelope } = paginateSorted(call, readReplies(thread, call), {
      belongsTo: `comments ${parentId}`,
      place: commentPlace,
      goesBack: false,
    });
    const items = things.map((comment) => toComment(call, comment));
    return toList(`${kind}ListResponse`, items, envelope);
  },
  "comments.insert": (call) => {
    const { state, body, now } = call;
    const text = readCommentText(body, "comment", "snippet.textOriginal");
    const parent = readParent(call, textAt(body, "snippet.parentId") ?? "");
    const { id: parentId, videoId } = parent;
    const authorId = readAuthor(call, "comment");
    return toComment(call, writeComment(state, { videoId, parentId, authorId, text, now }));
  },
  "comments.update": (call) => {
    const comment = ownComment(call, textAt(call.body, "id") ?? "");
    checkUnchanged(call, toComment(call, comment));
    comment.text = readCommentText(call.body, "comment", "snippet.textOriginal");
    comment.updatedAt = call.now;
    return toComment(call, comment);
  },
  "comments.delete": (call) => {
    withdrawComment(call.state, ownComment(call, call.query.text("id") ?? ""));
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** The comment that is answered: a published one at the top of its thread. */
function readParent(call: ApiCall, id: string): StoredComment {
  const comment = findStoredComment(call.state, id);
  if (comment === undefined || !canRead(comment, call)) throw refusal("parentNotFound");
  if (comment.parentId !== undefined) {
    throw badBody("comment", "operationNotSupported", "snippet.parentId");
  }
  if (!isPublished(comment)) throw badBody("comment", "parentCommentIsPrivate", "snippet.parentId");
  if (call.state.videos.get(comment.videoId)?.comments === undefined) {
    throw commentsDisabled("comment");
  }
  return comment;
}

function ownComment(call: ApiCall, id: string): StoredComment {
  const comment = findStoredComment(call.state, id);
  const isOwners = comment !== undefined && findVideoOwner(comment, call) === call.viewer;
  if (comment === undefined || !(canRead(comment, call) || isOwners)) {
    throw notFound("comment", "commentNotFound", "id");
  }
  if (comment.authorId !== requireViewer(call)) throw forbidden("comment");
  return comment;
}

export const commentModerationHandlers = {
  "comments.setModerationStatus": (call) => {
    const { query, state } = call;
    const status = query.text("moderationStatus") as StoredCommentStatus; // The spec's values are among them.
    const ban = query.flag("banAuthor");
    if (ban && status !== "rejected") throw banWithoutReject();
    const found = query.list("id").map((id) => readComment(call, id));
    for (const comment of found) checkMovable(call, comment, status);
    // All or none: nothing was changed when one of them is refused.
    setModerationStatus(state, found, { status, ban, now: call.now });
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function readComment({ state }: ApiCall, id: string): StoredComment {
  const comment = findStoredComment(state, id);
  if (comment !== undefined) return comment;
  if (state.deletedCommentIds.has(id)) {
    throw refused("processingFailure", "A comment was deleted by its author.");
  }
  throw notFound("comment", "commentNotFound", "id");
}

/** Only the channel decides; what it has rejected stays rejected: docs/services/youtube.md#decisions */
function checkMovable(call: ApiCall, comment: StoredComment, status: StoredCommentStatus): void {
  if (findVideoOwner(comment, call) !== requireViewer(call)) throw forbidden("comment");
  if (comment.status === "rejected" && status !== "rejected") {
    throw refused("operationNotSupported", "A rejected comment can't be published or held again.");
  }
}

function banWithoutReject(): ApiRefusal {
  const message = "An author can be banned only while the comment is rejected.";
  return badParameter("banAuthor", message, "banWithoutReject");
}

function refused(reason: string, message: string): ApiRefusal {
  const place = { location: "id", locationType: "parameter" } as const;
  return new ApiRefusal(400, { reason, message, domain: "youtube.comment", place });
}
