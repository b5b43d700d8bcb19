import { RESTJSONErrorCodes as Codes, Routes } from "discord-api-types/v10";
import type { MessageSearch, OutgoingMessage, PostedMessage } from "../../../channel-messages.ts";
import { BotError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { Locks } from "../../../store/index.ts";
import type { NotificationReply } from "../../declare/events.ts";
import type { RenderedMessage } from "../../draw/render.ts";
import type { ForumPost } from "../../draw/reply.ts";
import { cut, oneLine, visible } from "../../draw/text.ts";
import { type ChannelFacts, readChannelFacts } from "../../wire/channel.ts";
import { askDiscord, hasCode, isMessageGone } from "./failure.ts";
import { createForumTags } from "./forum-tags.ts";
import {
  beginPost,
  changePostState,
  editPost,
  hasHandle,
  type ListedPost,
  type MessageRequestDeps,
  ownPosts,
  type PostState,
  type ReadMessage,
} from "./message-requests.ts";
import { createMessageCache, type ServerInfoCache } from "./server-info-cache.ts";

/** A notification as a reply, and as Discord takes it. */
export interface DrawnMessage {
  readonly reply: NotificationReply;
  readonly rendered: RenderedMessage;
}

interface ForumPostsDeps {
  readonly requests: MessageRequestDeps;
  readonly serverInfo: ServerInfoCache;
  readonly turns: Locks;
  readonly log: Log;
}

/** Of a post's name, which Discord shows as it is. */
const longestTitle = 100;

/** Messages that are posts of a forum. Everything throws what `messageError` makes of Discord's answers. */
export function createForumPosts({ requests, serverInfo, turns, log }: ForumPostsDeps) {
  const { rest, now, botId } = requests;
  const tags = createForumTags({ rest, serverInfo, turns, now });
  /** The last known state of each post. */
  const stateCache = createMessageCache<string>(now);
  /** Whether a post has a handle, which never changes. */
  const handleCache = createMessageCache<boolean>(now);
  const look = <T>(read: () => Promise<T>) => askDiscord({ what: "look" }, read, requests);

  /** Somebody may have changed the forum's tags since they were read. */
  async function withTags<T>(
    forum: ChannelFacts,
    names: readonly string[],
    use: (ids: readonly string[]) => Promise<T>,
  ): Promise<T> {
    try {
      return await use(await tags.findIds(forum, names, log));
    } catch (error) {
      if (!(error instanceof BotError && hasCode(error.cause, Codes.UnknownTag))) throw error;
      serverInfo.forget(forum.id);
      const fresh = await look(() => serverInfo.channel(forum.id));
      return use(await tags.findIds(fresh, names, log));
    }
  }

  /** Whether a post began with a message of that handle. */
  async function starts(postId: string, handle: string): Promise<boolean> {
    const key = `${postId} ${handle}`;
    const known = handleCache.get(key);
    if (known !== undefined) return known;
    // The message that a post began with has the post's own id.
    const isIt = await rest.get(Routes.channelMessage(postId, postId)).then(
      (starter) => hasHandle(starter as ReadMessage, handle),
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
    { guildId, channelId, since }: MessageSearch & { readonly since: number },
    isIt: (post: ListedPost) => Promise<boolean>,
  ): Promise<PostedMessage | undefined> {
    const at = { guildId, forumId: channelId, botId, since };
    for (const post of await look(() => ownPosts(rest, at))) {
      if (await look(() => isIt(post))) return { channelId: post.id, messageId: post.id };
    }
    return undefined;
  }

  async function applyState(postId: string, forum: ChannelFacts, post: ForumPost): Promise<void> {
    await withTags(forum, post.tags, async (ids) => {
      const wanted = { tags: ids, isOver: post.isOver === true };
      const known = stateCache.get(postId) ?? stateKey(await readState(postId));
      if (known === stateKey(wanted)) return;
      if (!(await changePostState(postId, wanted, requests))) {
        log.info("a post's tags were not changed", { channel: forum.id });
      }
      stateCache.set(postId, stateKey(wanted));
    });
  }

  async function readState(postId: string): Promise<PostState> {
    const { applied, isArchived } = await askDiscord(
      { what: "edit", isForum: true },
      () => readChannelFacts(postId, rest),
      requests,
    );
    return { tags: applied, isOver: isArchived };
  }

  return {
    async begin(message: OutgoingMessage, forum: ChannelFacts, { reply, rendered }: DrawnMessage) {
      const title = visible(cut(oneLine(reply.post?.title ?? reply.title), longestTitle));
      const isIt = async ({ id, name }: ListedPost) =>
        reply.kept === undefined ? name === title : starts(id, reply.kept.handle);
      const findEarlier = (since: number) => findPost({ ...message, since }, isIt);
      return withTags(forum, reply.post?.tags ?? [], async (applied) => {
        const post = { forumId: forum.id, title, rendered, tags: applied };
        const place = await beginPost(post, findEarlier, requests);
        stateCache.set(place.channelId, stateKey({ tags: applied, isOver: false }));
        return place;
      });
    },
    async edit(place: PostedMessage, forum: ChannelFacts, { reply, rendered }: DrawnMessage) {
      await editPost(place, rendered, requests);
      if (reply.post !== undefined) await applyState(place.channelId, forum, reply.post);
    },
    find: (search: MessageSearch, since: number) =>
      findPost({ ...search, since }, ({ id }) => starts(id, search.handle)),
  };
}

function stateKey({ tags, isOver }: PostState): string {
  return `${tags.toSorted().join()} ${isOver}`;
}
