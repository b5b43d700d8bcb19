import { isVisible, requireVideo, requireViewer } from "../access.ts";
import { badBody, forbidden, notFound, notFoundInBody } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  findThread,
  isPublished,
  type StoredComment,
  type StoredCommentThread,
  type StoredVideo,
  seenLate,
  writeComment,
} from "../data/index.ts";
import { textAt } from "../json-body.ts";
import { descending } from "../pages.ts";
import { defineResource, onOnePage } from "../resource.ts";
import { readWords } from "../search/words.ts";
import {
  canRead,
  commentPlace,
  commentResource,
  commentsDisabled,
  findVideoOwner,
  readAuthor,
  readCommentText,
  readReplies,
} from "./comments.ts";

/** How many replies come with a thread: docs/services/youtube.md#comments */
const repliesShown = 5;

/** A thread has the id of its top comment. */
interface ShownThread extends StoredCommentThread {
  readonly id: string;
}

const threadResource = defineResource<ShownThread>("commentThread", (thread, call) => {
  const { top } = thread;
  const { query } = call;
  // A list of published threads shows no replies that wait, not even to the channel.
  const isOfPublished = !query.has("id") && query.text("moderationStatus") === "published";
  const replies = readReplies(thread, call).filter(
    (reply) => !isOfPublished || isListedAsPublished(reply, call),
  );
  // Inside a thread comments are whole, whatever parts were asked for.
  const comments = [top, ...replies.slice(0, repliesShown)].map((comment) =>
    commentResource.show(call, comment, ["snippet"]),
  );
  return {
    snippet: {
      channelId: findVideoOwner(top, call),
      videoId: top.videoId,
      topLevelComment: comments[0],
      canReply: isPublished(top),
      totalReplyCount: replies.length,
      isPublic: isPublished(top),
    },
    replies: replies.length === 0 ? undefined : { comments: comments.slice(1) },
  };
});

export const commentThreadHandlers = {
  "commentThreads.list": (call) => {
    const { query, state } = call;
    if (query.has("id")) {
      const found = query
        .list("id")
        .flatMap((id) => findThread(state, id) ?? [])
        .filter(({ top }) => canRead(top, call))
        .map(identify);
      // A few unknown ones are just missing; when nothing at all is left, YouTube says so.
      if (found.length === 0) throw notFound("commentThread", "commentThreadNotFound", "id");
      return threadResource.list(call, found, onOnePage(found));
    }
    const isByRelevance = query.text("order") === "relevance";
    return threadResource.page(call, find(call).map(identify), {
      place: ({ top, replies }) =>
        isByRelevance
          ? descending(top.likes + replies.length * 5, commentPlace(top))
          : commentPlace(top),
      isForwardOnly: true,
    });
  },
  "commentThreads.insert": (call) => {
    const { body, state, now } = call;
    const field = "snippet.topLevelComment.snippet.textOriginal";
    const text = readCommentText(call, "commentThread", field);
    const channelId = textAt(body, "snippet.channelId") ?? "";
    if (!state.channels.has(channelId)) {
      throw notFoundInBody("commentThread", "channelNotFound", "snippet.channelId");
    }
    const videoId = textAt(body, "snippet.videoId") ?? "";
    // Nobody can comment on a channel itself: docs/services/youtube.md#comments-about-a-channel
    if (!videoId) throw badBody("commentThread", "channelOrVideoIdMissing", "snippet.videoId");
    const video = state.videos.get(videoId);
    if (video === undefined || !isVisible(video, call)) {
      throw notFoundInBody("commentThread", "videoNotFound", "snippet.videoId");
    }
    if (video.channelId !== channelId) {
      throw badBody("commentThread", "invalidCommentThreadMetadata", "snippet.channelId");
    }
    if (video.comments === undefined) throw commentsDisabled("commentThread");
    const authorId = readAuthor(call, "commentThread");
    const top = writeComment(state, { videoId, authorId, text, now });
    return threadResource.show(call, identify({ top, replies: [] }));
  },
} as const satisfies Record<string, Handler>;

function identify(thread: StoredCommentThread): ShownThread {
  return { id: thread.top.id, ...thread };
}

/** Threads in which the top comment or a reply has the wanted status. */
function find(call: ApiCall): StoredCommentThread[] {
  const { query, state, now, lateMs } = call;
  const status = query.text("moderationStatus") ?? "published";
  const videos = readVideos(call, status !== "published");
  const terms = query.text("searchTerms");
  const match = terms === undefined ? undefined : readWords(terms);
  const at = now - lateMs;
  return videos
    .flatMap(({ id }) => state.threadsByVideo.get(id) ?? [])
    .flatMap((thread) => {
      if (lateMs === 0) return [thread];
      // Lists may be behind what was said and decided.
      const top = seenLate(thread.top, at);
      if (top === undefined) return [];
      return [{ top, replies: thread.replies.flatMap((reply) => seenLate(reply, at) ?? []) }];
    })
    .filter(({ top }) => canRead(top, call))
    .filter(({ top, replies }) =>
      status === "published"
        ? isListedAsPublished(top, call)
        : [top, ...replies].some((comment) => comment.status === status),
    )
    .filter((thread) => {
      // Reading every text for nothing is most of the work of a list.
      if (match === undefined) return true;
      const all = [thread.top, ...readReplies(thread, call)];
      return match(all.map(({ text }) => [text, 1] as const)) > 0;
    });
}

/** The channel does not find what waits for a decision among the published ones; its author does not know that it waits. */
function isListedAsPublished(comment: StoredComment, call: ApiCall): boolean {
  const isAuthor = comment.authorId === call.viewer;
  return isPublished(comment) || (isAuthor && call.viewer !== findVideoOwner(comment, call));
}

/** The videos that a list is about; with `isOwn` only their channel may ask. */
function readVideos(call: ApiCall, isOwn: boolean): readonly StoredVideo[] {
  const { query, state } = call;
  const videoId = query.text("videoId");
  if (videoId !== undefined) {
    const video = requireVideo(call, videoId, "videoId");
    if (video.comments === undefined) throw commentsDisabled("commentThread");
    if (isOwn) checkOwner(call, video.channelId);
    return [video];
  }
  const filter = query.has("channelId") ? "channelId" : "allThreadsRelatedToChannelId";
  const channelId = query.text(filter);
  if (channelId !== undefined && !state.channels.has(channelId) && !state.users.has(channelId)) {
    throw notFound("commentThread", "channelNotFound", filter);
  }
  if (isOwn) checkOwner(call, channelId);
  // Posts and channels have no comments here: docs/services/youtube.md#comments-about-a-channel
  if (channelId === undefined || filter === "channelId") return [];
  return [...state.videos.values()].filter((video) => video.channelId === channelId);
}

function checkOwner(call: ApiCall, channelId: string | undefined): void {
  if (requireViewer(call) !== channelId) throw forbidden("commentThread");
}
