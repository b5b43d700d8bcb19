import { checkUnchanged, requireViewer } from "../access.ts";
import {
  ApiError,
  badBody,
  badParameter,
  forbidden,
  notFound,
  notFoundInBody,
} from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  findProfile,
  findStoredComment,
  findThread,
  isPublished,
  type StoredComment,
  type StoredCommentStatus,
  type StoredCommentThread,
  setModerationStatus,
  withdrawComment,
  writeComment,
} from "../data/index.ts";
import { textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import { descending } from "../pages.ts";
import { defineResource, escapeHtml, onOnePage } from "../resource.ts";
import { profilePicture, videoSizes } from "../thumbnails/addresses.ts";

const address = /https?:\/\/(?:(?!&(?:lt|gt|quot|#39);)[^\s])+/g;

export const commentResource = defineResource<StoredComment>("comment", (comment, call) => {
  const { authorId, videoId, text } = comment;
  const { query, viewer, origin } = call;
  const owner = findVideoOwner(comment, call);
  const profile = findProfile(call.state, authorId);
  // Nothing is shown of a deleted account.
  const author = profile?.isGone ? undefined : profile;
  return {
    snippet: {
      moderationStatus: viewer === owner ? comment.status : undefined,
      channelId: owner,
      videoId,
      // As HTML nothing of it is markup, lines are broken with `<br>`, addresses are links.
      textDisplay:
        query.text("textFormat") === "plainText"
          ? text
          : escapeHtml(text)
              .replace(address, (url) => `<a href="${url}">${url}</a>`)
              .replace(/\r?\n/g, "<br>"),
      // Only the author gets the original text back: docs/services/youtube.md#comments
      textOriginal: viewer === authorId ? text : undefined,
      parentId: comment.parentId,
      ...(author && {
        authorDisplayName: author.name,
        authorProfileImageUrl: profilePicture(origin, author.id),
        authorChannelUrl: `http://www.youtube.com/channel/${author.id}`,
        authorChannelId: { value: author.id },
      }),
      canRate: true,
      viewerRating: "none",
      likeCount: comment.likes,
      publishedAt: toTimestamp(comment.publishedAt),
      updatedAt: toTimestamp(comment.updatedAt),
      imageUrl: comment.hasImage ? `${origin}/vi/${videoId}/${videoSizes.medium.file}` : undefined,
    },
  };
});

export const commentHandlers = {
  "comments.list": (call) => {
    const { query, state } = call;
    if (query.has("id")) {
      const found = query
        .list("id")
        .flatMap((id) => findStoredComment(state, id) ?? [])
        .filter((comment) => canRead(comment, call));
      return commentResource.list(call, found, onOnePage(found));
    }
    const thread = findThread(state, query.text("parentId") ?? "");
    if (thread === undefined || !canRead(thread.top, call)) {
      throw notFound("comment", "commentNotFound", "parentId");
    }
    const replies = readReplies(thread, call);
    return commentResource.page(call, replies, { place: commentPlace, isForwardOnly: true });
  },
  "comments.insert": (call) => {
    const { state, body, now } = call;
    const text = readCommentText(call, "comment", "snippet.textOriginal");
    const field = "snippet.parentId";
    const parent = findStoredComment(state, textAt(body, field) ?? "");
    if (parent === undefined || !canRead(parent, call)) {
      throw notFoundInBody("comment", "parentCommentNotFound", field);
    }
    if (parent.parentId !== undefined) throw badBody("comment", "operationNotSupported", field);
    if (!isPublished(parent)) throw badBody("comment", "parentCommentIsPrivate", field);
    const { id: parentId, videoId } = parent;
    if (state.videos.get(videoId)?.comments === undefined) throw commentsDisabled("comment");
    const authorId = readAuthor(call, "comment");
    const comment = writeComment(state, { videoId, parentId, authorId, text, now });
    return commentResource.show(call, comment);
  },
  "comments.update": (call) => {
    const comment = requireOwnComment(call);
    checkUnchanged(call, commentResource.show(call, comment));
    comment.text = readCommentText(call, "comment", "snippet.textOriginal");
    comment.updatedAt = call.now;
    return commentResource.show(call, comment);
  },
  "comments.delete": (call) => {
    withdrawComment(call.state, requireOwnComment(call));
    return undefined;
  },
  "comments.setModerationStatus": (call) => {
    const { query, state } = call;
    const status = query.text("moderationStatus") as StoredCommentStatus; // The spec's values are among them.
    const ban = query.flag("banAuthor");
    if (ban && status !== "rejected") {
      const message = "An author can be banned only while the comment is rejected.";
      throw badParameter("banAuthor", message, "banWithoutReject");
    }
    const found = query.list("id").map((id) => requireDecidable(call, id, status));
    // All or none: nothing was changed when one of them is refused.
    setModerationStatus(state, found, { status, ban, now: call.now });
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function requireOwnComment(call: ApiCall): StoredComment {
  const comment = findStoredComment(call.state, call.id);
  const isOnOwnVideo = comment && findVideoOwner(comment, call) === call.viewer;
  if (comment === undefined || !(canRead(comment, call) || isOnOwnVideo)) {
    throw notFound("comment", "commentNotFound", "id");
  }
  if (comment.authorId !== requireViewer(call)) throw forbidden("comment");
  return comment;
}

/** Only the channel decides; what it has rejected stays rejected: docs/services/youtube.md#decisions */
function requireDecidable(call: ApiCall, id: string, status: StoredCommentStatus): StoredComment {
  const comment = findStoredComment(call.state, id);
  if (comment === undefined) {
    if (!call.state.deletedCommentIds.has(id)) throw notFound("comment", "commentNotFound", "id");
    throw badDecision("processingFailure", "A comment was deleted by its author.");
  }
  if (findVideoOwner(comment, call) !== requireViewer(call)) throw forbidden("comment");
  if (comment.status === "rejected" && status !== "rejected") {
    const message = "A rejected comment can't be published or held again.";
    throw badDecision("operationNotSupported", message);
  }
  return comment;
}

function badDecision(reason: string, message: string): ApiError {
  const place = { parameter: "id" };
  return new ApiError(400, { reason, message, domain: "youtube.comment", place });
}

export function findVideoOwner({ videoId }: StoredComment, { state }: ApiCall): string | undefined {
  return state.videos.get(videoId)?.channelId;
}

/**
 * Who can read a comment: everybody when it and what it answers are published; the channel, whatever still waits;
 * and its author, who does not learn that others can't. What is rejected is gone, with the replies to it.
 */
export function canRead(comment: StoredComment, call: ApiCall): boolean {
  const { state, viewer } = call;
  const video = state.videos.get(comment.videoId);
  const owner = video?.channelId;
  if (video === undefined || (video.privacy === "private" && viewer !== owner)) return false;
  const parent = state.comments.get(comment.parentId ?? "") ?? comment;
  if (isPublished(comment) && isPublished(parent)) return true;
  if (viewer !== undefined && viewer !== owner) return viewer === comment.authorId;
  const isGone = comment.status === "rejected" || parent.status === "rejected";
  return viewer !== undefined && !isGone;
}

/** The replies of a thread that the caller can read, newest first. */
export function readReplies({ replies }: StoredCommentThread, call: ApiCall): StoredComment[] {
  return replies
    .filter((reply) => canRead(reply, call))
    .sort((one, other) => (commentPlace(one) < commentPlace(other) ? -1 : 1));
}

/** Newest first. */
export function commentPlace({ publishedAt, id }: StoredComment): string {
  return descending(publishedAt, id);
}

/** Not documented: docs/services/youtube.md#comments */
const maxChars = 10_000;

export function readCommentText({ body }: ApiCall, resource: string, field: string): string {
  const text = textAt(body, field) ?? "";
  if (text.trim() === "") throw badBody(resource, "commentTextRequired", field);
  if ([...text].length > maxChars) throw badBody(resource, "commentTextTooLong", field);
  return text;
}

/** Who writes: accounts that have no channel can't. */
export function readAuthor(call: ApiCall, resource: string): string {
  const authorId = requireViewer(call);
  if (findProfile(call.state, authorId) !== undefined) return authorId;
  throw forbidden(resource, "ineligibleAccount");
}

/** Nobody can read or write comments there, whatever their rights. */
export function commentsDisabled(resource: string): ApiError {
  return new ApiError(403, {
    reason: "commentsDisabled",
    message: "Comments are turned off for the video.",
    domain: `youtube.${resource}`,
    place: { parameter: "videoId" },
  });
}
