import { viewerOf } from "../access.ts";
import { escapeHtml, type Parts, toResource } from "../answer.ts";
import { type Body, textAt } from "../body.ts";
import type { Call } from "../call.ts";
import { descending } from "../cursor.ts";
import { toTimestamp } from "../locale.ts";
import { badBody, forbidden, Refusal } from "../refusal.ts";
import { attachedPicture, profilePicture } from "../thumbnails/index.ts";
import { type Comment, findProfile, isPublished, type Thread } from "../world/index.ts";

const kind = "youtube#comment";

const parts: Parts<Comment> = {
  snippet: (comment, call) => ({
    ...ownerOnly(comment, call),
    channelId: ownerOf(comment, call),
    videoId: comment.videoId,
    ...textsOf(comment, call),
    ...(comment.parentId !== undefined && { parentId: comment.parentId }),
    ...authorOf(comment, call),
    canRate: true,
    viewerRating: "none",
    likeCount: comment.likes,
    publishedAt: toTimestamp(comment.publishedAt),
    updatedAt: toTimestamp(comment.updatedAt),
    ...(comment.hasImage && { imageUrl: attachedPicture(call.origin, comment.videoId) }),
  }),
};

export function toComment(call: Call, comment: Comment): object {
  return toResource(call, { kind, id: comment.id, thing: comment, parts });
}

/** A comment inside a thread, which shows it whole whatever parts were asked for. */
export function toInnerComment(call: Call, comment: Comment): object {
  const whole = { ...call, query: { ...call.query, list: () => ["snippet"] } };
  return toComment(whole, comment);
}

function ownerOnly(comment: Comment, call: Call): object {
  return call.viewer === ownerOf(comment, call) ? { moderationStatus: comment.status } : {};
}

/** What was typed is given back to who typed it alone (facts, section 7). */
function textsOf({ text, authorId }: Comment, { query, viewer }: Call): object {
  const textDisplay = query.text("textFormat") === "plainText" ? text : toHtml(text);
  return { textDisplay, ...(viewer === authorId && { textOriginal: text }) };
}

/** Of a deleted account nothing is known any more. */
function authorOf({ authorId }: Comment, { world, origin }: Call): object {
  const author = findProfile(world, authorId);
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

export function ownerOf({ videoId }: Comment, { world }: Call): string | undefined {
  return world.videos.get(videoId)?.channelId;
}

/**
 * Who can read a comment: everybody when it and what it answers are published; the channel, whatever still waits;
 * and its author, who is not told that others can't. What is rejected is gone, with the replies to it.
 */
export function canRead(comment: Comment, call: Call): boolean {
  const { world, viewer } = call;
  const video = world.videos.get(comment.videoId);
  const owner = video?.channelId;
  if (video === undefined || (video.privacy === "private" && viewer !== owner)) return false;
  const parent = world.comments.get(comment.parentId ?? "") ?? comment;
  if (isPublished(comment) && isPublished(parent)) return true;
  if (viewer !== undefined && viewer !== owner) return viewer === comment.authorId;
  const isGone = comment.status === "rejected" || parent.status === "rejected";
  return viewer !== undefined && !isGone;
}

/** The replies of a thread that the caller can read, newest first. */
export function readReplies({ replies }: Thread, call: Call): Comment[] {
  return replies
    .filter((reply) => canRead(reply, call))
    .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** Newest first. */
export function placeOf({ publishedAt, id }: Comment): string {
  return descending(publishedAt, id);
}

/** facts/video-api.json, limits.text. */
const maxChars = 10_000;

/** What a person wants to say. */
export function readCommentText(body: Body, resource: string, place: string): string {
  const text = textAt(body, place) ?? "";
  if (text.trim() === "") throw badBody(resource, "commentTextRequired", place);
  if ([...text].length > maxChars) throw badBody(resource, "commentTextTooLong", place);
  return text;
}

/** Who writes: accounts that have no channel can't. */
export function readAuthor(call: Call, resource: string): string {
  const authorId = viewerOf(call);
  if (findProfile(call.world, authorId) === undefined) {
    throw forbidden(resource, "ineligibleAccount");
  }
  return authorId;
}

/** Not a matter of rights: nobody can read or write there. */
export function commentsDisabled(resource: string): Refusal {
  return new Refusal(403, {
    reason: "commentsDisabled",
    message: "Comments are turned off for the video.",
    domain: `youtube.${resource}`,
    place: { location: "videoId", locationType: "parameter" },
  });
}
