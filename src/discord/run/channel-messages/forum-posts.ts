import { RESTJSONErrorCodes as Codes, Routes } from "discord-api-types/v10";
import type { MessageSearch, OutgoingMessage, PostedMessage } from "../../../channel-messages.ts";
import { BotError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { Locks } from "../../../store/index.ts";
import type { NotificationReply } from "../../declare/events.ts";
import type { RenderedMessage } from "../../draw/render.ts";
import { cut, oneLine, visible } from "../../draw/text.ts";
import { type ChannelFacts, readChannelFacts } from "../../wire/channel.ts";
import { askDiscord, hasCode, isForbidden, isMessageGone } from "./failure.ts";
import { createForumTags, type WantedTags } from "./forum-tags.ts";
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

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const longestName = 100;

/** The name of a thread or a post, which Discord shows as it is. */
export function threadName(text: string): string {
  return visible(cut(oneLine(text), longestName));
}

/** Messages that are posts of a forum. Everything throws what `messageError` makes of Discord's answers. */
export function createForumPosts({ requests, serverInfo, turns, log }: ForumPostsDeps) {
  const { rest, now, botId } = requests;
  const tags = createForumTags({ rest, serverInfo, turns, now });
  /** The last known state of each post. */
  const stateCache = createMessageCache<string>(now);
  /** Whether a post has a handle, which never changes. */
  const handleCache = createMessageCache<boolean>(now);
  const look = <T>(read: () => Promise<T>) => askDiscord({ what: "look" }, read, requests);

  /** Somebody may have changed the forum's tags since they were read, and moderated ones may not be the bot's to give. */
  async function withTags<T>(
    forum: ChannelFacts,
    wanted: WantedTags,
    use: (ids: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const found = await tags.find(forum, wanted, log);
    try {
      return await use(found.ids);
    } catch (error) {
      const cause = error instanceof BotError ? error.cause : undefined;
      if (hasCode(cause, Codes.UnknownTag)) {
        serverInfo.forget(forum.id);
        const fresh = await look(() => serverInfo.channel(forum.id));
        return use((await tags.find(fresh, wanted, log)).ids);
      }
      if (!isForbidden(cause) || `${found.ids}` === `${found.openIds}`) throw error;
      const place = await use(found.openIds);
      tags.refuseModerated(forum.id);
      log.info("moderated tags were left out", { channel: forum.id });
      return place;
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

  async function applyState(
    postId: string,
    forum: ChannelFacts,
    { names, ids, isOver }: WantedTags & { readonly isOver: boolean },
  ): Promise<void> {
    let wanted: PostState = { tags: [], isOver };
    try {
      await withTags(forum, { names, ids }, async (tags) => {
        wanted = { tags, isOver };
        const known = stateCache.get(postId) ?? stateKey(await readState(postId));
        if (known !== stateKey(wanted)) await changePostState(postId, wanted, requests);
      });
    } catch (error) {
      if (!(error instanceof BotError && isForbidden(error.cause))) throw error;
      log.info("a post's tags were not changed", { channel: forum.id });
    }
    stateCache.set(postId, stateKey(wanted));
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
      const title = threadName(reply.post?.title ?? reply.title);
      const isIt = async ({ id, name }: ListedPost) =>
        reply.kept === undefined ? name === title : starts(id, reply.kept.handle);
      const findEarlier = (since: number) => findPost({ ...message, since }, isIt);
      const wanted = { names: reply.post?.tags ?? [], ids: message.tagIds };
      return withTags(forum, wanted, async (applied) => {
        const post = { forumId: forum.id, title, rendered, tags: applied };
        const place = await beginPost(post, findEarlier, requests);
        stateCache.set(place.channelId, stateKey({ tags: applied, isOver: false }));
        const lacksTags = wanted.ids?.some((id) => !applied.includes(id));
        return lacksTags ? { ...place, lacksTags } : place;
      });
    },
    async edit(
      place: PostedMessage,
      forum: ChannelFacts,
      { reply: { post }, rendered, tagIds: ids }: DrawnMessage & Pick<OutgoingMessage, "tagIds">,
    ) {
      await editPost(place, rendered, requests);
      if (post === undefined) return;
      const { tags: names, isOver = false } = post;
      await applyState(place.channelId, forum, { names, ids, isOver });
    },
    find: (search: MessageSearch, since: number) =>
      findPost({ ...search, since }, ({ id }) => starts(id, search.handle)),
  };
}

function stateKey({ tags, isOver }: PostState): string {
  return `${tags.toSorted().join()} ${isOver}`;
}
