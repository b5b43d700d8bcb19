import {
  type Browse,
  browse,
  type CommentFor,
  type Ctx,
  commentItem,
  cut,
  md,
  pages,
} from "../../discord/index.ts";
import type { Comment, CommentThread } from "../../video/index.ts";
import { videoTitles } from "./find.ts";

/** Which threads are listed: a video's, a channel's, or those that are named. */
export interface ThreadQuery {
  readonly videoId?: string | undefined;
  readonly channelId?: string | undefined;
  /** Threads about the channel itself rather than on its videos. */
  readonly isAboutChannel?: boolean | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly order?: "time" | "relevance" | undefined;
  /** Of the video or the channel. */
  readonly name?: string | undefined;
}

interface ReplyQuery {
  readonly id: string;
  /** The comment above, on one line. */
  readonly quote: string;
  /** The service does not always say which video a reply belongs to. */
  readonly videoId?: string | undefined;
}

interface Found {
  readonly comment: Comment;
  readonly replies: number;
  readonly video?: string | undefined;
}

/** Threads by their first comments. */
export const threads: Browse<ThreadQuery> = browse<"commentThreads.list", ThreadQuery, Found>({
  name: "comments.turn",
  row: "commentThreads.list",
  uses: ["videos.list"],
  params: ({ videoId, channelId, isAboutChannel, ids, search, order }) => ({
    part: ["snippet"],
    textFormat: "plainText",
    ...(videoId && { videoId }),
    ...(channelId && {
      [isAboutChannel ? "channelId" : "allThreadsRelatedToChannelId"]: channelId,
    }),
    ...(ids && { id: ids }),
    ...(search && { searchTerms: search }),
    ...(order && { order }),
  }),
  found: (items, ctx, { videoId }) => foundIn(items, ctx, videoId),
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
    commentItem(comment, { ...seenBy(ctx), replies, video }),
  empty: (words, { search, isAboutChannel }) => {
    if (isAboutChannel) return words.say("comments.empty.channel");
    return words.say(search === undefined ? "comments.empty.all" : "comments.empty.search");
  },
  columns: {
    ...columnsOf<CommentThread>(({ snippet }) => snippet?.topLevelComment),
    replies: ({ snippet }) => snippet?.totalReplyCount,
  },
});

/** All replies to a comment. */
export const replies: Browse<ReplyQuery> = browse<"comments.list", ReplyQuery>({
  name: "comments.turn-replies",
  row: "comments.list",
  params: ({ id }) => ({ part: ["snippet"], parentId: id, textFormat: "plainText" }),
  title: (_, words) => words.say("comments.replies.title"),
  text: ({ quote }) => md`> ${quote}`,
  item: (comment, { ctx, query }) => commentItem(onVideo(comment, query.videoId), seenBy(ctx)),
  empty: (words) => words.say("comments.replies.empty"),
  columns: columnsOf<Comment>((comment) => comment),
});

export function seenBy({ words, rank, channelId }: Ctx): CommentFor {
  return { words, rank, channelId };
}

/** In a list across videos each comment says which one it is on; comments on hidden videos are left out. */
async function foundIn(
  items: readonly CommentThread[],
  ctx: Ctx,
  videoId: string | undefined,
): Promise<readonly Found[]> {
  const found = items.flatMap(({ snippet }) => {
    const comment = snippet?.topLevelComment;
    if (comment === undefined) return [];
    return [
      { comment: onVideo(comment, snippet?.videoId), replies: snippet?.totalReplyCount ?? 0 },
    ];
  });
  if (videoId !== undefined) return found;
  const ids = found.map(({ comment }) => comment.snippet?.videoId);
  const titles = await videoTitles(ctx.video, ids, ctx.signal);
  return found
    .map((one) => ({ ...one, video: titles.get(one.comment.snippet?.videoId ?? "") }))
    .filter(({ comment, video }) => video !== undefined || comment.snippet?.videoId === undefined);
}

function onVideo(comment: Comment, videoId: string | undefined): Comment {
  if (videoId === undefined || comment.snippet?.videoId !== undefined) return comment;
  return { ...comment, snippet: { ...comment.snippet, videoId } };
}

function columnsOf<I>(of: (item: I) => Comment | undefined) {
  const snippet = (item: I) => of(item)?.snippet;
  return {
    id: (item: I) => of(item)?.id,
    videoId: (item: I) => snippet(item)?.videoId,
    author: (item: I) => snippet(item)?.authorDisplayName,
    authorChannelId: (item: I) => snippet(item)?.authorChannelId?.value,
    text: (item: I) => snippet(item)?.textDisplay,
    likes: (item: I) => snippet(item)?.likeCount,
    publishedAt: (item: I) => snippet(item)?.publishedAt,
    updatedAt: (item: I) => snippet(item)?.updatedAt,
    state: (item: I) => snippet(item)?.moderationStatus,
    url: (item: I) => {
      const { id } = of(item) ?? {};
      const videoId = snippet(item)?.videoId;
      return id === undefined || videoId === undefined ? undefined : pages.comment(videoId, id);
    },
  };
}
