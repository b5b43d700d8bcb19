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
  const top = thread.snippet?.topLevelComment;
  const isReply = top !== undefined && top.id !== id;
  const parentId = isReply ? top.id : undefined;
  const canReply = thread.snippet?.canReply;
  return {
    comment: { ...toQueuedComment(id, snippet, state), parentId, canReply },
    parent: isReply ? quotedParent(top) : undefined,
  };
}

type CommentSnippet = NonNullable<Comment["snippet"]>;

function toQueuedComment(id: string, snippet: CommentSnippet, state: WatchedState): QueuedComment {
  const { videoId, textDisplay = "", imageUrl, authorDisplayName, authorChannelId } = snippet;
  const publishedAt = parseTime(snippet.publishedAt) ?? 0;
  return {
    id,
    videoId,
    text: limitText(textDisplay),
    imageUrl,
    authorId: authorChannelId?.value,
    authorName: authorDisplayName,
    authorAvatar: snippet.authorProfileImageUrl,
    likes: snippet.likeCount ?? 0,
    publishedAt,
    updatedAt: parseTime(snippet.updatedAt) ?? publishedAt,
    state,
  };
}

function quotedParent({ snippet }: Comment): NonNullable<HeldComment["parent"]> {
  const { authorDisplayName, textDisplay = "" } = snippet ?? {};
  return { authorName: authorDisplayName, text: limitText(textDisplay) };
}

function parseTime(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
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
