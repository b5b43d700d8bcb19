import { requireViewer } from "../access.ts";
import type { ApiCall } from "../call.ts";
import {
  findProfile,
  isPublished,
  type StoredComment,
  type StoredCommentThread,
} from "../data/index.ts";
import { type JsonBody, textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import { descending } from "../paginate-sorted.ts";
import { ApiRefusal, badBody, forbidden } from "../refusal.ts";
import { type ApiParts, escapeHtml, toResource } from "../resource.ts";
import { attachedPicture, profilePicture } from "../thumbnails/index.ts";

const kind = "youtube#comment";

const parts: ApiParts<StoredComment> = {
  snippet: (comment, call) => ({
    ...ownerOnly(comment, call),
    channelId: findVideoOwner(comment, call),
    videoId: comment.videoId,
    ...describeTexts(comment, call),
    ...(comment.parentId !== undefined && { parentId: comment.parentId }),
    ...describeAuthor(comment, call),
    canRate: true,
    viewerRating: "none",
    likeCount: comment.likes,
    publishedAt: toTimestamp(comment.publishedAt),
    updatedAt: toTimestamp(comment.updatedAt),
    ...(comment.hasImage && { imageUrl: attachedPicture(call.origin, comment.videoId) }),
  }),
};

export function toComment(call: ApiCall, comment: StoredComment): object {
  return toResource(call, { kind, id: comment.id, thing: comment, parts });
}

/** A comment inside a thread, which shows it whole whatever parts were asked for. */
export function toInnerComment(call: ApiCall, comment: StoredComment): object {
  const whole = { ...call, query: { ...call.query, list: () => ["snippet"] } };
  return toComment(whole, comment);
}

function ownerOnly(comment: StoredComment, call: ApiCall): object {
  return call.viewer === findVideoOwner(comment, call) ? { moderationStatus: comment.status } : {};
}

/** Only the author gets the original text back: docs/services/youtube.md#comments */
function describeTexts({ text, authorId }: StoredComment, { query, viewer }: ApiCall): object {
  const textDisplay = query.text("textFormat") === "plainText" ? text : toHtml(text);
  return { textDisplay, ...(viewer === authorId && { textOriginal: text }) };
}

/** Nothing is shown of a deleted account. */
function describeAuthor({ authorId }: StoredComment, { state, origin }: ApiCall): object {
  const author = findProfile(state, authorId);
  if (author === undefined || author.isGone) return {};
  return {
    authorDisplayName: author.name,
    authorProfileImageUrl: profilePicture(origin, author.id),
    authorChannelUrl: `http://www.youtube.com/channel/${author.id}`,
    authorChannelId: { value: author.id },
  };
}

/** Text as HTML: nothing of it is markup, lines are broken with `<br>`, addresses are links. */
function toHtml(text: string): string {
  return escapeHtml(text)
    .replace(
      /https?:\/\/(?:(?!&(?:lt|gt|quot|#39);)[^\s])+/g,
      (url) => `<a href="${url}">${url}</a>`,
    )
    .replace(/\r?\n/g, "<br>");
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

/** What a person wants to say. */
export function readCommentText(body: JsonBody, resource: string, place: string): string {
  const text = textAt(body, place) ?? "";
  if (text.trim() === "") throw badBody(resource, "commentTextRequired", place);
  if ([...text].length > maxChars) throw badBody(resource, "commentTextTooLong", place);
  return text;
}

/** Who writes: accounts that have no channel can't. */
export function readAuthor(call: ApiCall, resource: string): string {
  const authorId = requireViewer(call);
  if (findProfile(call.state, authorId) === undefined) {
    throw forbidden(resource, "ineligibleAccount");
  }
  return authorId;
}

/** Not a matter of rights: nobody can read or write there. */
export function commentsDisabled(resource: string): ApiRefusal {
  return new ApiRefusal(403, {
    reason: "commentsDisabled",
    message: "Comments are turned off for the video.",
    domain: `youtube.${resource}`,
    place: { location: "videoId", locationType: "parameter" },
  });
}
