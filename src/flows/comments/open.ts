import {
  actionFor,
  type ChannelRef,
  type Ctx,
  gone,
  presses,
  quoteOf,
  type Reply,
} from "../../discord/index.ts";
import { channelCommentsClosed } from "../../video/index.ts";
import { findChannel } from "../channels/index.ts";
import { requireOneOf } from "../options/index.ts";
import { findComment, videoTitles } from "./find.ts";
import { replies, type ThreadQuery, threads } from "./lists.ts";

interface ListOptions {
  readonly video?: string | undefined;
  readonly channel?: ChannelRef | undefined;
  readonly about?: "videos" | "channel" | undefined;
  readonly search?: ThreadQuery["search"];
  readonly order?: ThreadQuery["order"];
  readonly comment?: readonly string[] | undefined;
}

/**
 * Threads about a video, a channel, or by their ids; about the linked channel's videos when nothing is named.
 * @throws InputError `conflicting_parameters`; what `findChannel` and `openAboutChannel` throw
 */
export async function openThreads(ctx: Ctx, options: ListOptions): Promise<Reply> {
  const { video, channel, about, search, order, comment } = options;
  const filters = { search, order };
  requireOneOf({ video, channel, comment });
  if (about === "channel") {
    requireOneOf({ about, video, comment });
    return openAboutChannel(ctx, channel, filters);
  }
  if (comment !== undefined) return threads.open(ctx, { ids: comment, ...filters });
  if (video !== undefined) return openOfVideo(ctx, { videoId: video, ...filters });
  if (ctx.extra.query.postId !== undefined) return threads.open(ctx, filters);
  const { id, title } = await findChannel(ctx, channel);
  return threads.open(ctx, { channelId: id, name: title, ...filters });
}

/**
 * Threads about a channel itself.
 * @throws AccessError `channel_comments_closed` where the service has none of these any more
 */
async function openAboutChannel(
  ctx: Ctx,
  channel: ChannelRef | undefined,
  filters: Pick<ThreadQuery, "search" | "order">,
): Promise<Reply> {
  const { id, title } = await findChannel(ctx, channel);
  const query = { channelId: id, isAboutChannel: true, name: title, ...filters };
  return threads.open(ctx, query).catch((error: unknown) => {
    throw channelCommentsClosed(error) ?? error;
  });
}

/** Reads the video's title first, so that a video that the reader may not see ends here. */
async function openOfVideo(
  ctx: Ctx,
  query: ThreadQuery & { readonly videoId: string },
): Promise<Reply> {
  const { videoId } = query;
  const titles = await videoTitles(ctx.video, [videoId], ctx.signal);
  const name = titles.get(videoId);
  if (name === undefined) return gone("video", ctx.words);
  return threads.open(ctx, { ...query, name });
}

/** The replies to a comment; for a reply, those to the comment above it. */
export async function openReplies(ctx: Ctx, id: string): Promise<Reply> {
  const { video, signal, words } = ctx;
  const comment = await findComment(video, id, signal);
  if (comment === undefined) return gone("comment", words);
  const parentId = comment.snippet?.parentId ?? id;
  const parent = parentId === id ? comment : await findComment(video, parentId, signal);
  if (parent === undefined) return gone("comment", words);
  const quote = quoteOf(parent, words, 200);
  return replies.open(ctx, { id: parentId, quote, videoId: parent.snippet?.videoId });
}

const ofVideo = actionFor(presses.video.comments, {
  answer: "private",
  by: "anyone",
  row: "commentThreads.list",
  uses: ["videos.list"],
  run: (ctx, { id }) => openOfVideo(ctx, { videoId: id }),
});

const repliesOf = actionFor(presses.comment.replies, {
  answer: "private",
  by: "anyone",
  row: "comments.list",
  run: (ctx, { id }) => openReplies(ctx, id),
});

export const openActions = [...threads.actions, ...replies.actions, ofVideo, repliesOf] as const;
