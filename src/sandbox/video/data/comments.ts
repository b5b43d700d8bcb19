import { mintId } from "./random.ts";
import type { StoredComment, StoredCommentStatus, StoredCommentThread } from "./records.ts";
import type { VideoState } from "./state.ts";

type NewStoredComment = Pick<StoredComment, "videoId" | "authorId" | "text"> & {
  /** Undefined for a comment at the top. */
  readonly parentId?: string | undefined;
  readonly status?: StoredCommentStatus;
  readonly now: number;
};

/** Adds a comment that arrives now; what a banned author writes is rejected at once. */
export function writeComment(
  state: VideoState,
  { now, parentId, status = "published", ...written }: NewStoredComment,
): StoredComment {
  const id = mintId(state, "comment", 22);
  const channelId = state.videos.get(written.videoId)?.channelId ?? "";
  const isBanned = state.bannedAuthors.get(channelId)?.has(written.authorId) === true;
  const comment: StoredComment = {
    ...written,
    id: parentId === undefined ? `Ug${id}AaABAg` : `${parentId}.${id}`,
    parentId,
    status: isBanned ? "rejected" : status,
    likes: 0,
    publishedAt: now,
    updatedAt: now,
    hasImage: false,
  };
  placeComment(state, comment);
  countComments(state, comment.videoId);
  return comment;
}

/** Puts a comment where it belongs; its video's count is left to `countComments`. */
export function placeComment(state: VideoState, comment: StoredComment): void {
  state.comments.set(comment.id, comment);
  if (comment.parentId !== undefined) {
    state.threads.get(comment.parentId)?.replies.push(comment);
    return;
  }
  const thread = { top: comment, replies: [] };
  state.threads.set(comment.id, thread);
  const threads = state.threadsByVideo.get(comment.videoId);
  if (threads === undefined) state.threadsByVideo.set(comment.videoId, [thread]);
  else threads.push(thread);
}

/** Its author deletes a comment, and with it the replies to it. */
export function withdrawComment(state: VideoState, comment: StoredComment): void {
  const thread = state.threads.get(comment.id);
  for (const { id } of [comment, ...(thread?.replies ?? [])]) {
    state.comments.delete(id);
    state.deletedCommentIds.add(id);
  }
  const siblings =
    thread === undefined
      ? state.threads.get(comment.parentId ?? "")?.replies
      : state.threadsByVideo.get(comment.videoId);
  const at = siblings?.findIndex((one) => one === comment || one === thread) ?? -1;
  if (at >= 0) siblings?.splice(at, 1);
  state.threads.delete(comment.id);
  countComments(state, comment.videoId);
}

/** Sets the status of comments, and bans their authors from the channel if `ban` is set. */
export function setModerationStatus(
  state: VideoState,
  comments: readonly StoredComment[],
  {
    status,
    ban,
    now,
  }: { readonly status: StoredCommentStatus; readonly ban: boolean; readonly now: number },
): void {
  for (const comment of comments) {
    if (comment.status !== status) comment.formerly = { status: comment.status, until: now };
    comment.status = status;
    if (!ban) continue;
    const channelId = state.videos.get(comment.videoId)?.channelId ?? "";
    const banned = state.bannedAuthors.get(channelId) ?? new Set();
    state.bannedAuthors.set(channelId, banned.add(comment.authorId));
  }
  for (const videoId of new Set(comments.map((comment) => comment.videoId))) {
    countComments(state, videoId);
  }
}

/** Recounts a video's public comments; a video with comments turned off has no count. */
export function countComments(
  state: Pick<VideoState, "videos" | "threadsByVideo">,
  videoId: string,
): void {
  const video = state.videos.get(videoId);
  if (video?.comments === undefined) return;
  const threads = state.threadsByVideo.get(videoId) ?? [];
  video.comments = threads
    .filter(({ top }) => isPublished(top))
    .reduce((sum, { replies }) => sum + 1 + replies.filter(isPublished).length, 0);
}

/** The comment as delayed lists show it; undefined while they do not contain it yet. */
export function seenLate(comment: StoredComment, at: number): StoredComment | undefined {
  if (comment.publishedAt > at) return undefined;
  const { formerly } = comment;
  return formerly !== undefined && formerly.until > at
    ? { ...comment, status: formerly.status }
    : comment;
}

export function isPublished({ status }: StoredComment): boolean {
  return status === "published";
}

/** A comment by id, unless its video is gone. */
export function findStoredComment(state: VideoState, id: string): StoredComment | undefined {
  const comment = state.comments.get(id);
  return comment !== undefined && state.videos.has(comment.videoId) ? comment : undefined;
}

export function findThread(state: VideoState, id: string): StoredCommentThread | undefined {
  return findStoredComment(state, id) && state.threads.get(id);
}
