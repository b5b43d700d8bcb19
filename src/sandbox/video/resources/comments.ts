import { viewerOf } from "../access.ts";
import { toList } from "../answer.ts";
import { textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { commentsDisabled, readAuthor, readCommentText } from "../commenting.ts";
import { checkUnchanged } from "../conditions.ts";
import { walk } from "../cursor.ts";
import { badBody, forbidden, notFound, Refusal } from "../refusal.ts";
import {
  type Comment,
  findComment,
  findThread,
  isPublished,
  withdrawComment,
  writeComment,
} from "../world/index.ts";
import { canRead, ownerOf, placeOf, readReplies, toComment } from "./comment-parts.ts";

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
