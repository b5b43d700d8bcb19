import { AccessError, BotError } from "../../errors.ts";
import type { Comment, CommentThread } from "../resources/index.ts";
import type { CallOptions, VideoClient } from "../types.ts";
import { refusal } from "./refusal.ts";

/** Characters of a comment (facts, limits.text; the service has the last word). */
export const maxCommentChars = 10_000;

export interface NewComment {
  readonly videoId: string;
  readonly text: string;
  /** Of the video; read when absent, which costs a unit. */
  readonly channelId?: string;
}

/** About the channel itself rather than one of its videos. */
export interface NewChannelComment {
  readonly channelId: string;
  readonly text: string;
  readonly videoId?: undefined;
}

/**
 * Starts a thread under a video, or about a channel (specification, sections 2 and 4, rule 2). Costs a write, and a read
 * without `channelId`.
 * @throws InputError `comment_text_required`, `comment_text_too_long` or `video_not_found` before the write; AccessError
 * `channel_comments_closed`; what `call` throws.
 */
export async function postComment(
  client: VideoClient,
  { videoId, text, channelId }: NewComment | NewChannelComment,
  options: CallOptions = {},
): Promise<CommentThread> {
  const method = "commentThreads.insert";
  checkText(method, text);
  const topLevelComment = { snippet: { textOriginal: text } };
  if (videoId === undefined) {
    const body = { snippet: { channelId, topLevelComment } };
    return client
      .call(method, { part: ["snippet"], body }, options)
      .catch((error: unknown) => Promise.reject(channelCommentsClosed(error) ?? error));
  }
  const owner = channelId ?? (await ownerOf(client, videoId, options));
  const body = { snippet: { channelId: owner, videoId, topLevelComment } };
  return client.call(method, { part: ["snippet"], body }, options);
}

/** How the service says that it has no comments about channels any more; which of them it takes is written nowhere. */
const closedReasons: ReadonlySet<unknown> = new Set([
  "channelOrVideoIdMissing",
  "commentsDisabled",
  "forbidden",
  "invalidCommentThreadMetadata",
  "operationNotSupported",
  "processingFailure",
]);

/** What a call about a channel's own comments was refused for; undefined where it failed for something else. */
export function channelCommentsClosed(error: unknown): AccessError | undefined {
  if (!(error instanceof BotError) || error.outcome !== "nothing") return undefined;
  if (!closedReasons.has(error.facts.reason)) return undefined;
  return new AccessError(`${error.message}: there are no comments about channels`, {
    code: "channel_comments_closed",
    facts: error.facts,
    cause: error,
  });
}

export interface NewReply {
  /** A comment, or a reply: the service has no replies to replies, so it goes to the comment above. */
  readonly commentId: string;
  readonly text: string;
}

/**
 * Replies in the thread of a comment, where its thread takes replies. Costs a write and two reads.
 * @throws InputError `comment_text_required`, `comment_text_too_long` or `comment_not_found`; AccessError
 * `replies_not_allowed`; all before the write; what `call` throws.
 */
export async function replyToComment(
  client: VideoClient,
  { commentId, text }: NewReply,
  options: CallOptions = {},
): Promise<Comment> {
  const method = "comments.insert";
  checkText(method, text);
  const parentId = await topOf(client, commentId, options);
  await requireReplies(client, parentId, options);
  const body = { snippet: { parentId, textOriginal: text } };
  return client.call(method, { part: ["snippet"], body }, options);
}

function checkText(method: string, text: string): void {
  if (text.trim() === "") {
    throw refusal("no text", { reason: "commentTextRequired", status: 400, method });
  }
  const chars = [...text].length;
  if (chars > maxCommentChars) {
    const facts = { chars, maxChars: maxCommentChars };
    throw refusal(`${chars} characters`, {
      reason: "commentTextTooLong",
      status: 400,
      method,
      facts,
    });
  }
}

async function ownerOf(
  client: VideoClient,
  videoId: string,
  options: CallOptions,
): Promise<string> {
  const method = "videos.list";
  const { items } = await client.call(method, { part: ["snippet"], id: [videoId] }, options);
  const channelId = items[0]?.snippet?.channelId;
  if (channelId !== undefined) return channelId;
  throw refusal("no such video", { reason: "videoNotFound", status: 404, method });
}

/** Told by the comment itself: the form of its id is written nowhere. */
async function topOf(client: VideoClient, id: string, options: CallOptions): Promise<string> {
  const method = "comments.list";
  const { items } = await client.call(method, { part: ["snippet"], id: [id] }, options);
  const [comment] = items;
  if (comment !== undefined) return comment.snippet?.parentId ?? id;
  throw refusal("no such comment", { reason: "commentNotFound", status: 404, method });
}

/** A thread that is not found under its comment's id says nothing, because the two need not be the same. */
async function requireReplies(
  client: VideoClient,
  id: string,
  options: CallOptions,
): Promise<void> {
  const { items } = await client.call(
    "commentThreads.list",
    { part: ["snippet"], id: [id] },
    options,
  );
  if (items[0]?.snippet?.canReply !== false) return;
  throw new AccessError("comments.insert: the thread takes no replies", {
    code: "replies_not_allowed",
    facts: { method: "comments.insert" },
  });
}
