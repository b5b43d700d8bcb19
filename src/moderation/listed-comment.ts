import { parseTime } from "../clock.ts";
import { newHandle } from "../store/index.ts";
import type { Comment, CommentThread } from "../video/index.ts";
import { limitText } from "./comment-text.ts";
import {
  type HeldComment,
  type QueuedComment,
  toItemId,
  type Watch,
  type WatchedState,
} from "./records/index.ts";

/** A comment from a YouTube list that belongs in the queue, and the comment it answers. */
export interface ListedComment {
  readonly comment: QueuedComment;
  readonly parent?: HeldComment["parent"];
}

/** The comments that the list included of a thread, the top-level one first. */
export function commentsInThread(thread: CommentThread): readonly Comment[] {
  const top = thread.snippet?.topLevelComment;
  return [...(top === undefined ? [] : [top]), ...(thread.replies?.comments ?? [])];
}

/** Undefined for a comment without an id, which can't be decided about. */
export function toListedComment(
  comment: Comment,
  thread: CommentThread,
  state: WatchedState,
): ListedComment | undefined {
  const { id, snippet } = comment;
  if (id === undefined || snippet === undefined) return undefined;
  const { topLevelComment: top, canReply } = thread.snippet ?? {};
  const isReply = top !== undefined && top.id !== id;
  const publishedAt = parseTime(snippet.publishedAt) ?? 0;
  return {
    comment: {
      id,
      videoId: snippet.videoId,
      text: limitText(snippet.textDisplay ?? ""),
      imageUrl: snippet.imageUrl,
      authorId: snippet.authorChannelId?.value,
      authorName: snippet.authorDisplayName,
      authorAvatar: snippet.authorProfileImageUrl,
      likes: snippet.likeCount ?? 0,
      publishedAt,
      updatedAt: parseTime(snippet.updatedAt) ?? publishedAt,
      state,
      parentId: isReply ? top.id : undefined,
      canReply,
    },
    parent: isReply
      ? {
          authorName: top.snippet?.authorDisplayName,
          text: limitText(top.snippet?.textDisplay ?? ""),
        }
      : undefined,
  };
}

/** A new comment as it enters the queue, with a card that is due. */
export function toHeldComment(
  { id: watchId, source }: Pick<Watch, "id" | "source">,
  { comment, parent }: ListedComment,
  { now, video }: { readonly now: number; readonly video: HeldComment["video"] },
): HeldComment {
  return {
    id: toItemId(comment.id),
    watchId,
    source,
    comment,
    video,
    parent,
    seenAt: now,
    readAt: now,
    status: "open",
    revision: 1,
    card: { state: "due", handle: newHandle(), since: now },
  };
}
