import { cut, gone, md, type Reply } from "../../discord/index.ts";
import { type Comment, type CommentThread, channelCommentsClosed } from "../../video/index.ts";
import {
  type CommentFor,
  commentAddress,
  commentItem,
  presses,
  quoteComment,
} from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { actionFor, option } from "../declarations/index.ts";
import { type BrowsableList, browse } from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import { channels, ownVideos } from "../suggestions/index.ts";
import { commentedVideoTitles, findCommentById } from "./find.ts";

export const threadListOptions = {
  video: option.video({ covers: "videoId", suggest: ownVideos }),
  channel: option.channel({ covers: "allThreadsRelatedToChannelId", suggest: channels }),
  search: option.field("commentThreads.list", "searchTerms"),
  about: option.choice({ group: "comment_subject", values: ["videos", "channel"] }),
  order: option.field("commentThreads.list", "order", { group: "comment_order" }),
  comment: option.ids({ of: "comment", covers: "id" }),
};

/**
 * Threads about a video or a channel, or threads by their ids; without any of them, on the linked channel's videos.
 * @throws InputError `conflicting_parameters`; AccessError `channel_comments_closed` if YouTube no longer offers the
 * threads about a channel itself; what `findChannel` throws
 */
export async function openThreads(ctx: CtxFor<typeof threadListOptions>): Promise<Reply> {
  const { video, channel, about, search, order, comment } = ctx.options;
  const filters = { search, order };
  requireOneOf({ video, channel, comment });
  if (about === "channel") {
    requireOneOf({ about, video, comment });
    const { id, title } = await findChannel(ctx, channel);
    const query = { channelId: id, isAboutChannel: true, name: title, ...filters };
    return threads.open(ctx, query).catch((error: unknown) => {
      throw channelCommentsClosed(error) ?? error;
    });
  }
  if (comment !== undefined) return threads.open(ctx, { ids: comment, ...filters });
  if (video !== undefined) return openThreadsOfVideo(ctx, { videoId: video, ...filters });
  if (ctx.extra.query.postId !== undefined) return threads.open(ctx, filters);
  const { id, title } = await findChannel(ctx, channel);
  return threads.open(ctx, { channelId: id, name: title, ...filters });
}

/** Reads the video's title first, which refuses a video that the reader can't see. */
async function openThreadsOfVideo(
  ctx: Ctx,
  query: ThreadQuery & { readonly videoId: string },
): Promise<Reply> {
  const { videoId } = query;
  const titles = await commentedVideoTitles(ctx.video, [videoId], ctx.signal);
  const name = titles.get(videoId);
  if (name === undefined) return gone("video", ctx.words);
  return threads.open(ctx, { ...query, name });
}

/** The replies to a comment; for a reply, those to the comment above it. */
export async function openReplies(ctx: Ctx, id: string): Promise<Reply> {
  const { video, signal, words } = ctx;
  const comment = await findCommentById(video, id, signal);
  if (comment === undefined) return gone("comment", words);
  const parentId = comment.snippet?.parentId ?? id;
  const parent = parentId === id ? comment : await findCommentById(video, parentId, signal);
  if (parent === undefined) return gone("comment", words);
  const quote = quoteComment(parent, words, 200);
  return replies.open(ctx, { id: parentId, quote, videoId: parent.snippet?.videoId });
}

const openCommentsOfVideo = actionFor(presses.video.comments, {
  method: "commentThreads.list",
  uses: ["videos.list"],
  run: (ctx, { id }) => openThreadsOfVideo(ctx, { videoId: id }),
});

const openRepliesOfComment = actionFor(presses.comment.replies, {
  method: "comments.list",
  run: (ctx, { id }) => openReplies(ctx, id),
});

/** Which threads to list: a video's, a channel's, or some by their ids. */
interface ThreadQuery {
  readonly videoId?: string | undefined;
  readonly channelId?: string | undefined;
  /** Threads about the channel itself rather than on its videos. */
  readonly isAboutChannel?: boolean | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly order?: "time" | "relevance" | undefined;
  /** Title of the video or the channel. */
  readonly name?: string | undefined;
}

interface ReplyQuery {
  readonly id: string;
  /** The comment above, on one line. */
  readonly quote: string;
  /** YouTube does not always say which video a reply belongs to. */
  readonly videoId?: string | undefined;
}

interface ListedThread {
  readonly comment: Comment;
  readonly replies: number;
  readonly video?: string | undefined;
}

const threads: BrowsableList<ThreadQuery> = browse<
  "commentThreads.list",
  ThreadQuery,
  ListedThread
>({
  name: "comments.turn",
  method: "commentThreads.list",
  uses: ["videos.list"],
  params: ({ videoId, channelId, isAboutChannel, ids, search, order }) => ({
    part: ["snippet"],
    textFormat: "plainText",
    videoId,
    ...(channelId && {
      [isAboutChannel ? "channelId" : "allThreadsRelatedToChannelId"]: channelId,
    }),
    id: ids,
    ...(search && { searchTerms: search }),
    order,
  }),
  found: listThreads,
  title: ({ videoId, channelId, isAboutChannel, name = "" }, words) => {
    const title = cut(name, 80);
    if (videoId !== undefined) return words.say("comments.of_video", { title });
    if (channelId === undefined) return words.say("comments.some");
    const of = isAboutChannel ? "about_channel" : "of_channel";
    return words.say(`comments.${of}`, { channel: title });
  },
  text: ({ search }, words) =>
    search === undefined ? undefined : words.say("comments.filtered", { search: cut(search, 80) }),
  item: ({ comment, replies, video }, { ctx }) =>
    commentItem(comment, { ...commentContext(ctx), replies, video }),
  empty: (words, { search, isAboutChannel }) => {
    if (isAboutChannel) return words.say("comments.empty.channel");
    return words.say(search === undefined ? "comments.empty.all" : "comments.empty.search");
  },
  columns: {
    ...commentColumns("snippet.topLevelComment."),
    url: ({ snippet }) => commentAddress(snippet?.topLevelComment ?? {}),
    replies: "snippet.totalReplyCount",
  },
});

const replies: BrowsableList<ReplyQuery> = browse<"comments.list", ReplyQuery>({
  name: "comments.turn-replies",
  method: "comments.list",
  params: ({ id }) => ({ part: ["snippet"], parentId: id, textFormat: "plainText" }),
  title: (_, words) => words.say("comments.replies.title"),
  text: ({ quote }) => md`> ${quote}`,
  item: (comment, { ctx, query }) =>
    commentItem(onVideo(comment, query.videoId), commentContext(ctx)),
  empty: (words) => words.say("comments.replies.empty"),
  columns: { ...commentColumns(""), url: commentAddress },
});

export function commentContext({ words, rank, channelId }: Ctx): CommentFor {
  return { words, rank, channelId };
}

/** In a list across several videos, each comment names its video, and comments on hidden videos are left out. */
async function listThreads(
  items: readonly CommentThread[],
  ctx: Ctx<unknown>,
  { videoId }: ThreadQuery,
): Promise<readonly (ListedThread | undefined)[]> {
  const found = items.map(({ snippet }) => {
    const comment = snippet?.topLevelComment;
    if (comment === undefined) return undefined;
    return { comment: onVideo(comment, snippet?.videoId), replies: snippet?.totalReplyCount ?? 0 };
  });
  if (videoId !== undefined) return found;
  const ids = found.map((one) => one?.comment.snippet?.videoId);
  const titles = await commentedVideoTitles(ctx.video, ids, ctx.signal);
  return found.map((one) => {
    const on = one?.comment.snippet?.videoId;
    const isHidden = on !== undefined && !titles.has(on);
    return one === undefined || isHidden ? undefined : { ...one, video: titles.get(on ?? "") };
  });
}

function onVideo(comment: Comment, videoId: string | undefined): Comment {
  if (videoId === undefined || comment.snippet?.videoId !== undefined) return comment;
  return { ...comment, snippet: { ...comment.snippet, videoId } };
}

function commentColumns<P extends "" | "snippet.topLevelComment.">(comment: P) {
  return {
    id: `${comment}id`,
    videoId: `${comment}snippet.videoId`,
    author: `${comment}snippet.authorDisplayName`,
    authorChannelId: `${comment}snippet.authorChannelId.value`,
    text: `${comment}snippet.textDisplay`,
    likes: `${comment}snippet.likeCount`,
    publishedAt: `${comment}snippet.publishedAt`,
    updatedAt: `${comment}snippet.updatedAt`,
    state: `${comment}snippet.moderationStatus`,
  } as const;
}

export const commentListActions = [
  ...threads.actions,
  ...replies.actions,
  openCommentsOfVideo,
  openRepliesOfComment,
] as const;
