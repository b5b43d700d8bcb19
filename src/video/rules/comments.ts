import { AccessError, BotError } from "../../errors.ts";
import type { Comment, CommentThread } from "../resources/index.ts";
import type { VideoCallOptions, VideoClient } from "../types.ts";
import { foreseenError } from "./rule-errors.ts";

/** Not documented; YouTube may refuse fewer. */
export const maxCommentChars = 10_000;

interface NewComment {
  readonly videoId: string;
  readonly text: string;
}

/**
 * Starts a thread under a video. Costs a write and a read, and another read where the video shows no number of comments.
 * @throws InputError `comment_text_required`, `comment_text_too_long` or `video_not_found`, AccessError `comments_disabled`,
 * all of them before the write; what `call` throws.
 */
export async function postComment(
  client: VideoClient,
  { videoId, text }: NewComment,
  options: VideoCallOptions = {},
): Promise<CommentThread> {
  const method = "commentThreads.insert";
  checkText(method, text);
  const topLevelComment = { snippet: { textOriginal: text } };
  const { channelId, hasCount } = await readCommentedVideo(client, videoId, options);
  // A video without a number of comments mostly takes none. The list says so for one unit, the write for fifty.
  const list = { part: ["id"], videoId, maxResults: 1 } as const;
  if (!hasCount) await client.call("commentThreads.list", list, options);
  const body = { snippet: { channelId, videoId, topLevelComment } };
  return client.call(method, { part: ["snippet"], body }, options);
}

/** Reasons that may mean that there are no comments about channels any more. It is not documented which one is used. */
const closedReasons: ReadonlySet<unknown> = new Set([
  "channelOrVideoIdMissing",
  "commentsDisabled",
  "forbidden",
  "invalidCommentThreadMetadata",
  "operationNotSupported",
  "processingFailure",
]);

/**
 * The error when a call about a channel's own comments was refused because there are none any more; undefined when it
 * failed for another reason.
 */
export function channelCommentsClosed(error: unknown): AccessError | undefined {
  if (!(error instanceof BotError) || error.outcome !== "nothing") return undefined;
  if (!closedReasons.has(error.facts.reason)) return undefined;
  return new AccessError(`${error.message}: there are no comments about channels`, {
    code: "channel_comments_closed",
    facts: error.facts,
    cause: error,
  });
}

interface NewReply {
  /** A comment, or a reply: replies have no replies, so the answer goes to the comment above. */
  readonly commentId: string;
  readonly text: string;
}

/**
 * Replies in the thread of a comment, if the thread takes replies. Costs a write and two reads.
 * @throws InputError `comment_text_required`, `comment_text_too_long` or `comment_not_found`; AccessError
 * `replies_not_allowed`; all of them before the write. What `call` throws.
 */
export async function replyToComment(
  client: VideoClient,
  { commentId, text }: NewReply,
  options: VideoCallOptions = {},
): Promise<Comment> {
  const method = "comments.insert";
  checkText(method, text);
  const parentId = await readTopLevelId(client, commentId, options);
  await requireReplies(client, parentId, options);
  const body = { snippet: { parentId, textOriginal: text } };
  return client.call(method, { part: ["snippet"], body }, options);
}

function checkText(method: string, text: string): void {
  if (text.trim() === "") {
    throw foreseenError("no text", { reason: "commentTextRequired", status: 400, method });
  }
  const chars = [...text].length;
  if (chars > maxCommentChars) {
    const facts = { chars, maxChars: maxCommentChars };
    throw foreseenError(`${chars} characters`, {
      reason: "commentTextTooLong",
      status: 400,
      method,
      facts,
    });
  }
}

async function readCommentedVideo(
  client: VideoClient,
  videoId: string,
  options: VideoCallOptions,
): Promise<{ readonly channelId: string; readonly hasCount: boolean }> {
  const method = "videos.list";
  const part = ["snippet", "statistics"] as const;
  const { items } = await client.call(method, { part, id: [videoId] }, options);
  const { snippet, statistics } = items[0] ?? {};
  const hasCount = statistics?.commentCount !== undefined;
  if (snippet?.channelId !== undefined) return { channelId: snippet.channelId, hasCount };
  const facts = { isNamed: true, given: videoId };
  throw foreseenError("no such video", { reason: "videoNotFound", status: 404, method, facts });
}

/** Id of the top-level comment. It is read, because the format of ids is not documented. */
async function readTopLevelId(
  client: VideoClient,
  id: string,
  options: VideoCallOptions,
): Promise<string> {
  const method = "comments.list";
  const { items } = await client.call(method, { part: ["snippet"], id: [id] }, options);
  const [comment] = items;
  if (comment !== undefined) return comment.snippet?.parentId ?? id;
  throw foreseenError("no such comment", { reason: "commentNotFound", status: 404, method });
}

/** A thread that is not found by the id of its comment is not refused, because the two ids may differ. */
async function requireReplies(
  client: VideoClient,
  id: string,
  options: VideoCallOptions,
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
