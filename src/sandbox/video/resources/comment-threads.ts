import { visibleVideo } from "../access.ts";
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
import { descending, paginateSorted } from "../paginate-sorted.ts";
import { ApiRefusal, badBody, forbidden, notFound, refusal } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { readWords } from "../search/words.ts";
import {
  canRead,
  commentPlace,
  commentsDisabled,
  findVideoOwner,
  readAuthor,
  readCommentText,
  readReplies,
  toInnerComment,
} from "./comment-parts.ts";

const kind = "youtube#commentThread";
/** How many replies come with a thread: docs/services/youtube.md#comments */
const repliesShown = 5;

const parts: ApiParts<StoredCommentThread> = {
  snippet: (thread, call) => ({
    channelId: findVideoOwner(thread.top, call),
    videoId: thread.top.videoId,
    topLevelComment: toInnerComment(call, thread.top),
    canReply: isPublished(thread.top),
    totalReplyCount: shownReplies(thread, call).length,
    isPublic: isPublished(thread.top),
  }),
  replies: (thread, call) => {
    const replies = shownReplies(thread, call).slice(0, repliesShown);
    if (replies.length === 0) return undefined;
    return { comments: replies.map((reply) => toInnerComment(call, reply)) };
  },
};

export const commentThreadHandlers = {
  "commentThreads.list": (call) => {
    const { query } = call;
    if (query.has("id")) return listById(call);
    const about = ["videoId", "allThreadsRelatedToChannelId", "channelId", "postId"];
    const named = about.map((name) => query.text(name)).join();
    const wanted = `${query.text("moderationStatus")} ${query.text("searchTerms")} ${query.text("order")}`;
    const { things, envelope } = paginateSorted(call, find(call), {
      belongsTo: `commentThreads ${named} ${wanted}`,
      place: orders[query.text("order") ?? "time"] ?? byTime,
      goesBack: false,
    });
    const items = things.map((thread) => toThread(call, thread));
    return toList(`${kind}ListResponse`, items, envelope);
  },
  "commentThreads.insert": (call) => {
    const { state, body, now } = call;
    const place = "snippet.topLevelComment.snippet.textOriginal";
    const text = readCommentText(body, "commentThread", place);
    const video = readVideo(call);
    const authorId = readAuthor(call, "commentThread");
    const top = writeComment(state, {
      videoId: video.id,
      parentId: undefined,
      authorId,
      text,
      now,
    });
    return toThread(call, findThread(state, top.id) ?? { top, replies: [] });
  },
} as const satisfies Record<string, Handler>;

function toThread(call: ApiCall, thread: StoredCommentThread): object {
  return toResource(call, { kind, id: thread.top.id, thing: thread, parts });
}

/** A list of published threads shows no replies that wait, not even to the channel. */
function shownReplies(thread: StoredCommentThread, call: ApiCall): StoredComment[] {
  const { query } = call;
  const replies = readReplies(thread, call);
  const isFiltered = !query.has("id") && query.text("moderationStatus") === "published";
  return isFiltered ? replies.filter((reply) => isSeen(reply, call)) : replies;
}

function listById(call: ApiCall): object {
  const found = call.query
    .list("id")
    .map((id) => findThread(call.state, id))
    .filter((thread) => thread !== undefined)
    .filter(({ top }) => canRead(top, call));
  // A few unknown ones are just missing; when nothing at all is left, the service says so.
  if (found.length === 0) throw notFound("commentThread", "commentThreadNotFound", "id");
  const pageInfo = { totalResults: found.length, resultsPerPage: found.length };
  return toList(
    `${kind}ListResponse`,
    found.map((thread) => toThread(call, thread)),
    { pageInfo },
  );
}

/** Threads in which the top comment or a reply has the wanted status; published ones are those that are seen. */
function find(call: ApiCall): StoredCommentThread[] {
  const { query, state } = call;
  const status = query.text("moderationStatus") ?? "published";
  const videos = readVideos(call);
  if (status !== "published") checkOwner(call, videos.channelId);
  return videos.list
    .flatMap(({ id }) => state.threadsByVideo.get(id) ?? [])
    .flatMap((thread) => threadsInTime(thread, call))
    .filter(({ top }) => canRead(top, call))
    .filter((thread) =>
      status === "published"
        ? isSeen(thread.top, call)
        : [thread.top, ...thread.replies].some((comment) => comment.status === status),
    )
    .filter(matches(call));
}

/** Lists may be behind what was said and decided. */
function threadsInTime(
  thread: StoredCommentThread,
  { now, lateMs }: ApiCall,
): readonly StoredCommentThread[] {
  if (lateMs === 0) return [thread];
  const at = now - lateMs;
  const top = seenLate(thread.top, at);
  if (top === undefined) return [];
  const replies = thread.replies.flatMap((reply) => seenLate(reply, at) ?? []);
  return [{ top, replies }];
}

function matches(call: ApiCall): (thread: StoredCommentThread) => boolean {
  const terms = call.query.text("searchTerms");
  // Reading every text for nothing is most of the work of a list.
  if (terms === undefined) return () => true;
  const match = readWords(terms);
  return (thread) => {
    const all = [thread.top, ...readReplies(thread, call)];
    return match(all.map(({ text }) => [text, 1] as const)) > 0;
  };
}

/** What waits for a decision is not among the published ones for the channel; its author does not know that it waits. */
function isSeen(comment: StoredComment, call: ApiCall): boolean {
  const isAuthor =
    comment.authorId === call.viewer && call.viewer !== findVideoOwner(comment, call);
  return isPublished(comment) || isAuthor;
}

interface CommentedVideos {
  readonly list: readonly StoredVideo[];
  /** Whose token may see what waits. */
  readonly channelId: string | undefined;
}

function readVideos(call: ApiCall): CommentedVideos {
  const { query, state } = call;
  const videoId = query.text("videoId");
  if (videoId !== undefined) {
    const video = visibleVideo(call, videoId, "videoId");
    if (video.comments === undefined) throw commentsDisabled("commentThread");
    return { list: [video], channelId: video.channelId };
  }
  const filter = query.has("channelId") ? "channelId" : "allThreadsRelatedToChannelId";
  const channelId = query.text(filter);
  // Posts have no comments here.
  if (channelId === undefined) return { list: [], channelId };
  if (!state.channels.has(channelId) && !state.users.has(channelId)) {
    throw notFound("commentThread", "channelNotFound", filter);
  }
  // Channels have no comments of their own: docs/services/youtube.md#comments-about-a-channel
  if (filter === "channelId") return { list: [], channelId };
  const list = [...state.videos.values()].filter((video) => video.channelId === channelId);
  return { list, channelId };
}

function checkOwner({ viewer }: ApiCall, channelId: string | undefined): void {
  if (viewer === undefined) throw refusal("tokenNeeded");
  if (viewer !== channelId) throw forbidden("commentThread");
}

type ThreadOrder = (thread: StoredCommentThread) => string;

const byTime: ThreadOrder = ({ top }) => commentPlace(top);

const orders: Readonly<Record<string, ThreadOrder>> = {
  time: byTime,
  relevance: ({ top, replies }) => descending(top.likes + replies.length * 5, commentPlace(top)),
};

function readVideo(call: ApiCall): StoredVideo {
  const { body, state } = call;
  const channelId = textAt(body, "snippet.channelId") ?? "";
  if (!state.channels.has(channelId)) throw unknown("channelNotFound", "snippet.channelId");
  const videoId = textAt(body, "snippet.videoId") ?? "";
  // Nobody can comment on a channel itself: docs/services/youtube.md#comments-about-a-channel
  if (videoId === "") throw badBody("commentThread", "channelOrVideoIdMissing", "snippet.videoId");
  const video = state.videos.get(videoId);
  const isHidden = video?.privacy === "private" && video.channelId !== call.viewer;
  if (video === undefined || isHidden) throw unknown("videoNotFound", "snippet.videoId");
  if (video.channelId !== channelId) {
    throw badBody("commentThread", "invalidCommentThreadMetadata", "snippet.channelId");
  }
  if (video.comments === undefined) throw commentsDisabled("commentThread");
  return video;
}

function unknown(reason: string, field: string): ApiRefusal {
  return new ApiRefusal(404, {
    reason,
    message: `What the request's body.${field} names can't be found.`,
    domain: "youtube.commentThread",
    place: { location: `body.${field}`, locationType: "other" },
  });
}
