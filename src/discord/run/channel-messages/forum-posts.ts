import type { MessageSearch, OutgoingMessage, PostedMessage } from "../../../channel-messages.ts";
import type { Log } from "../../../log.ts";
import type { Locks } from "../../../store/index.ts";
import type { NotificationReply } from "../../declare/events.ts";
import type { RenderedMessage } from "../../draw/render.ts";
import type { ForumPost } from "../../draw/reply.ts";
import { cut, oneLine, visible } from "../../draw/text.ts";
import { type ChannelFacts, readChannelFacts } from "../../wire/channel.ts";
import { areTagsStale, askDiscord, isMessageGone } from "./failure.ts";
import { createForumTags, type ForumTags } from "./forum-tags.ts";
import {
  beginPost,
  changePostState,
  editPost,
  hasHandle,
  type ListedPost,
  type MessageRequestDeps,
  ownPosts,
  type PostState,
  readStarter,
} from "./message-requests.ts";
import { createMessageCache, type ServerInfoCache } from "./server-info-cache.ts";

/** A notification as a reply, and as Discord takes it. */
export interface DrawnMessage {
  readonly reply: NotificationReply;
  readonly rendered: RenderedMessage;
}

/** Messages that are posts of a forum. Everything throws what `messageFailure` makes of Discord's answers. */
export interface ForumPosts {
  begin(message: OutgoingMessage, forum: ChannelFacts, drawn: DrawnMessage): Promise<PostedMessage>;
  edit(place: PostedMessage, forum: ChannelFacts, drawn: DrawnMessage): Promise<void>;
  find(search: MessageSearch, since: number): Promise<PostedMessage | undefined>;
}

interface ForumPostsDeps {
  readonly requests: MessageRequestDeps;
  readonly serverInfo: ServerInfoCache;
  readonly turns: Locks;
  readonly log: Log;
}

interface ForumState extends ForumPostsDeps {
  readonly tags: ForumTags;
  /** The last known state of each post. */
  readonly stateCache: ReturnType<typeof createMessageCache<string>>;
  /** Whether a post has a handle, which never changes. */
  readonly handleCache: ReturnType<typeof createMessageCache<boolean>>;
}

/** Of a post's name, which Discord shows as it is. */
const longestTitle = 100;

export function createForumPosts(deps: ForumPostsDeps): ForumPosts {
  const { requests, serverInfo, turns } = deps;
  const { rest, now } = requests;
  const state: ForumState = {
    ...deps,
    tags: createForumTags({ rest, serverInfo, turns, now }),
    stateCache: createMessageCache<string>(now),
    handleCache: createMessageCache<boolean>(now),
  };
  return {
    begin: (message, forum, drawn) => begin(state, { message, forum, ...drawn }),
    async edit(place, forum, { reply, rendered }) {
      await editPost(place, rendered, requests);
      const { post } = reply;
      const postId = place.channelId;
      if (post !== undefined) await applyState(state, { postId, forum, post });
    },
    find: (search, since) =>
      findPost(state, { ...search, since }, ({ id }) => starts(state, id, search.handle)),
  };
}

interface PostToBegin extends DrawnMessage {
  readonly message: OutgoingMessage;
  readonly forum: ChannelFacts;
}

async function begin(
  state: ForumState,
  { message, forum, reply, rendered }: PostToBegin,
): Promise<PostedMessage> {
  const { requests, stateCache } = state;
  const title = visible(cut(oneLine(reply.post?.title ?? reply.title), longestTitle));
  const isIt = async ({ id, name }: ListedPost) =>
    reply.kept === undefined ? name === title : starts(state, id, reply.kept.handle);
  const look = (since: number) => findPost(state, { ...message, since }, isIt);
  return withTags(state, { forum, names: reply.post?.tags ?? [] }, async (applied) => {
    const post = { forumId: forum.id, title, rendered, look, tags: applied };
    const place = await beginPost(post, requests);
    stateCache.set(place.channelId, stateKey({ tags: applied, isOver: false }));
    return place;
  });
}

/** Somebody may have changed the forum's tags since they were read. */
async function withTags<T>(
  { tags, serverInfo, requests, log }: ForumState,
  { forum, names }: { readonly forum: ChannelFacts; readonly names: readonly string[] },
  use: (ids: readonly string[]) => Promise<T>,
): Promise<T> {
  try {
    return await use(await tags.findIds(forum, names, log));
  } catch (error) {
    if (!areTagsStale(error)) throw error;
    serverInfo.forget(forum.id);
    const fresh = await readDiscord(requests, () => serverInfo.channel(forum.id));
    return use(await tags.findIds(fresh, names, log));
  }
}

/** Whether a post began with a message of that handle. */
async function starts(
  { requests, handleCache }: ForumState,
  postId: string,
  handle: string,
): Promise<boolean> {
  const key = `${postId} ${handle}`;
  const known = handleCache.get(key);
  if (known !== undefined) return known;
  const isIt = await readStarter(requests.rest, postId).then(
    (starter) => hasHandle(starter, handle),
    (error: unknown) => {
      // Somebody removed the message, and left the post.
      if (isMessageGone(error)) return false;
      throw error;
    },
  );
  handleCache.set(key, isIt);
  return isIt;
}

async function findPost(
  { requests }: ForumState,
  { guildId, channelId, since }: MessageSearch & { readonly since: number },
  isIt: (post: ListedPost) => Promise<boolean>,
): Promise<PostedMessage | undefined> {
  const { rest, botId } = requests;
  const at = { guildId, forumId: channelId, botId, since };
  for (const post of await readDiscord(requests, () => ownPosts(rest, at))) {
    if (await readDiscord(requests, () => isIt(post)))
      return { channelId: post.id, messageId: post.id };
  }
  return undefined;
}

interface PostInForum {
  readonly postId: string;
  readonly forum: ChannelFacts;
  readonly post: ForumPost;
}

async function applyState(state: ForumState, { postId, forum, post }: PostInForum): Promise<void> {
  const { requests, log, stateCache } = state;
  await withTags(state, { forum, names: post.tags }, async (ids) => {
    const wanted = { tags: ids, isOver: post.isOver === true };
    const known = stateCache.get(postId) ?? stateKey(await readState(postId, requests));
    if (known === stateKey(wanted)) return;
    if (!(await changePostState(postId, wanted, requests))) {
      log.info("a post's tags were not changed", { channel: forum.id });
    }
    stateCache.set(postId, stateKey(wanted));
  });
}

async function readState(postId: string, requests: MessageRequestDeps): Promise<PostState> {
  const read = () => readChannelFacts(postId, requests.rest);
  const { applied, isArchived } = await askDiscord({ what: "edit", isForum: true }, read, requests);
  return { tags: applied, isOver: isArchived };
}

function readDiscord<T>(requests: MessageRequestDeps, send: () => Promise<T>): Promise<T> {
  return askDiscord({ what: "look" }, send, requests);
}

function stateKey({ tags, isOver }: PostState): string {
  return `${tags.toSorted().join()} ${isOver}`;
}
