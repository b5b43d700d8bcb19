import { mintId } from "./random.ts";
import type { World } from "./types.ts";

export type CommentStatus = "published" | "heldForReview" | "likelySpam" | "rejected";

export interface Comment {
  readonly id: string;
  readonly videoId: string;
  /** The top-level comment it answers; undefined when it is one. */
  readonly parentId: string | undefined;
  /** A channel or a person. */
  readonly authorId: string;
  text: string;
  status: CommentStatus;
  readonly likes: number;
  readonly publishedAt: number;
  updatedAt: number;
  /** It came with a picture. */
  readonly hasImage: boolean;
  /** What it was until somebody decided about it, and when. */
  formerly?: { readonly status: CommentStatus; readonly until: number };
}

export interface Thread {
  readonly top: Comment;
  /** In the order in which they came. */
  readonly replies: Comment[];
}

/** What people wrote under the videos. */
export interface Conversation {
  /** Every comment that still exists, replies too, by id. */
  readonly comments: Map<string, Comment>;
  /** By the id of their top-level comment. */
  readonly threads: Map<string, Thread>;
  readonly threadsOf: Map<string, Thread[]>;
  /** Comments that their authors have deleted. */
  readonly withdrawn: Set<string>;
  /** Whose comments a channel rejects unread, by channel. */
  readonly banned: Map<string, Set<string>>;
}

export function noConversation(): Conversation {
  return {
    comments: new Map(),
    threads: new Map(),
    threadsOf: new Map(),
    withdrawn: new Set(),
    banned: new Map(),
  };
}

export type NewComment = Pick<Comment, "videoId" | "parentId" | "authorId" | "text"> & {
  readonly status?: CommentStatus;
  readonly now: number;
};

/** Adds a comment that arrives now; what a banned author writes is rejected at once. */
export function writeComment(world: World, { now, status, ...written }: NewComment): Comment {
  const comment: Comment = {
    ...written,
    id: nextId(world, written.parentId),
    status: isBanned(world, written) ? "rejected" : (status ?? "published"),
    likes: 0,
    publishedAt: now,
    updatedAt: now,
    hasImage: false,
  };
  placeComment(world, comment);
  countComments(world, comment.videoId);
  return comment;
}

function nextId(world: World, parentId: string | undefined): string {
  const id = mintId(world, "comment", 22);
  return parentId === undefined ? `Ug${id}AaABAg` : `${parentId}.${id}`;
}

function isBanned(
  world: World,
  { videoId, authorId }: Pick<Comment, "videoId" | "authorId">,
): boolean {
  return world.banned.get(world.videos.get(videoId)?.channelId ?? "")?.has(authorId) ?? false;
}

/** Puts a comment where it belongs; its video's count is left to `countComments`. */
export function placeComment(world: Conversation, comment: Comment): void {
  world.comments.set(comment.id, comment);
  if (comment.parentId !== undefined) {
    world.threads.get(comment.parentId)?.replies.push(comment);
    return;
  }
  const thread = { top: comment, replies: [] };
  world.threads.set(comment.id, thread);
  const threads = world.threadsOf.get(comment.videoId);
  if (threads === undefined) world.threadsOf.set(comment.videoId, [thread]);
  else threads.push(thread);
}

/** Its author deletes a comment, and with it the replies to it. */
export function withdrawComment(world: World, comment: Comment): void {
  const thread = world.threads.get(comment.id);
  for (const { id } of [comment, ...(thread?.replies ?? [])]) {
    world.comments.delete(id);
    world.withdrawn.add(id);
  }
  const siblings =
    thread === undefined
      ? world.threads.get(comment.parentId ?? "")?.replies
      : world.threadsOf.get(comment.videoId);
  const at = siblings?.findIndex((one) => one === comment || one === thread) ?? -1;
  if (at >= 0) siblings?.splice(at, 1);
  world.threads.delete(comment.id);
  countComments(world, comment.videoId);
}

/** Sets what became of comments, and who may no longer write under the channel's videos. */
export function moderateComments(
  world: World,
  comments: readonly Comment[],
  {
    status,
    ban,
    now,
  }: { readonly status: CommentStatus; readonly ban: boolean; readonly now: number },
): void {
  for (const comment of comments) {
    if (comment.status !== status) comment.formerly = { status: comment.status, until: now };
    comment.status = status;
    if (!ban) continue;
    const channelId = world.videos.get(comment.videoId)?.channelId ?? "";
    const banned = world.banned.get(channelId) ?? new Set();
    world.banned.set(channelId, banned.add(comment.authorId));
  }
  for (const videoId of new Set(comments.map((comment) => comment.videoId))) {
    countComments(world, videoId);
  }
}

/** Keeps a video's count to what everybody can read; a video without comments has none. */
export function countComments(world: Pick<World, "videos" | "threadsOf">, videoId: string): void {
  const video = world.videos.get(videoId);
  if (video?.comments === undefined) return;
  const threads = world.threadsOf.get(videoId) ?? [];
  video.comments = threads
    .filter(({ top }) => isPublished(top))
    .reduce((sum, { replies }) => sum + 1 + replies.filter(isPublished).length, 0);
}

/** The comment as lists that are behind show it; undefined while they don't have it yet. */
export function seenLate(comment: Comment, at: number): Comment | undefined {
  if (comment.publishedAt > at) return undefined;
  const { formerly } = comment;
  return formerly !== undefined && formerly.until > at
    ? { ...comment, status: formerly.status }
    : comment;
}

export function isPublished({ status }: Comment): boolean {
  return status === "published";
}

/** A comment by id, unless its video is gone. */
export function findComment(world: World, id: string): Comment | undefined {
  const comment = world.comments.get(id);
  return comment !== undefined && world.videos.has(comment.videoId) ? comment : undefined;
}

export function findThread(world: World, id: string): Thread | undefined {
  return findComment(world, id) && world.threads.get(id);
}
