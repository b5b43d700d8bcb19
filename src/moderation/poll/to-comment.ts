import { newHandle } from "../../store/index.ts";
import type { Comment, CommentThread } from "../../video/index.ts";
import { limitedText } from "../comment-text.ts";
import {
  type HeldComment,
  itemIdOf,
  type QueuedComment,
  type Watch,
  type WatchedState,
} from "../records/index.ts";

/** A comment of a list that belongs into the queue, and what it answers. */
export interface Candidate {
  readonly comment: QueuedComment;
  readonly parent?: HeldComment["parent"];
}

/** All comments of a thread as far as they were sent, the top one first. */
export function commentsOf(thread: CommentThread): readonly Comment[] {
  const top = thread.snippet?.topLevelComment;
  return [...(top === undefined ? [] : [top]), ...(thread.replies?.comments ?? [])];
}

/** Undefined for what can't be decided about: nobody could name it. */
export function candidateOf(
  comment: Comment,
  thread: CommentThread,
  state: WatchedState,
): Candidate | undefined {
  const { id, snippet } = comment;
  if (id === undefined || snippet === undefined) return undefined;
  const top = thread.snippet?.topLevelComment;
  const isReply = top !== undefined && top.id !== id;
  const parentId = isReply ? top.id : undefined;
  const canReply = thread.snippet?.canReply;
  return {
    comment: { ...queuedOf(id, snippet, state), parentId, canReply },
    parent: isReply ? parentOf(top) : undefined,
  };
}

type Snippet = NonNullable<Comment["snippet"]>;

function queuedOf(id: string, snippet: Snippet, state: WatchedState): QueuedComment {
  const { videoId, textDisplay = "", imageUrl, authorDisplayName, authorChannelId } = snippet;
  const publishedAt = timeOf(snippet.publishedAt) ?? 0;
  return {
    ...{ id, videoId, text: limitedText(textDisplay), imageUrl },
    authorId: authorChannelId?.value,
    authorName: authorDisplayName,
    authorAvatar: snippet.authorProfileImageUrl,
    likes: snippet.likeCount ?? 0,
    publishedAt,
    updatedAt: timeOf(snippet.updatedAt) ?? publishedAt,
    state,
  };
}

function parentOf({ snippet }: Comment): NonNullable<HeldComment["parent"]> {
  const { authorDisplayName, textDisplay = "" } = snippet ?? {};
  return { authorName: authorDisplayName, text: limitedText(textDisplay) };
}

function timeOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}

/** How it comes into the queue: its card is to be sent. */
export function heldCommentOf(
  { id: watchId, source }: Pick<Watch, "id" | "source">,
  { comment, parent }: Candidate,
  { now, video }: { readonly now: number; readonly video: HeldComment["video"] },
): HeldComment {
  return {
    ...{ id: itemIdOf(comment.id), watchId, source, comment, video, parent },
    ...{ seenAt: now, readAt: now, status: "open", revision: 1 },
    card: { state: "due", handle: newHandle(), since: now },
  };
}
