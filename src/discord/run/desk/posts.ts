import type { DeskMessage, DeskPlace, DeskSearch } from "../../../desk.ts";
import type { Log } from "../../../log.ts";
import type { EventReply } from "../../declare/events.ts";
import type { Rendered } from "../../draw/render.ts";
import type { ForumPost } from "../../draw/reply.ts";
import { cut, oneLine, visible } from "../../draw/text.ts";
import { type ChannelFacts, channelFacts } from "../../wire/channel.ts";
import type { ServerInfoCache } from "../server-info-cache.ts";
import { asking, type DeskTools } from "./asking.ts";
import { isMissing, isStale } from "./failure.ts";
import { beginPost, editPost, placePost, type Standing } from "./forum.ts";
import { hasHandle, ownPosts, type Post, starterOf } from "./look.ts";
import { createRecentCache } from "./recent-cache.ts";
import { createTags, type Tags } from "./tags.ts";

/** What an event has drawn. */
export interface Drawn {
  readonly reply: EventReply;
  readonly rendered: Rendered;
}

/** Messages that are posts of a forum. All of it throws what `failureOf` makes of the platform's answers. */
export interface DeskPosts {
  begin(message: DeskMessage, forum: ChannelFacts, drawn: Drawn): Promise<DeskPlace>;
  edit(place: DeskPlace, forum: ChannelFacts, drawn: Drawn): Promise<void>;
  find(search: DeskSearch, since: number): Promise<DeskPlace | undefined>;
}

export interface DeskPostsDeps {
  readonly tools: DeskTools;
  readonly places: ServerInfoCache;
  readonly log: Log;
}

interface PostsState extends DeskPostsDeps {
  readonly tags: Tags;
  /** How posts stand, as they were left. */
  readonly standingCache: ReturnType<typeof createRecentCache<string>>;
  /** Whether a post has a handle, which never changes. */
  readonly handleCache: ReturnType<typeof createRecentCache<boolean>>;
}

/** A post's name, which the platform shows as it is. */
const longestTitle = 100;

export function createDeskPosts(deps: DeskPostsDeps): DeskPosts {
  const { tools, places } = deps;
  const { rest, now } = tools;
  const state: PostsState = {
    ...deps,
    tags: createTags({ rest, places, now }),
    standingCache: createRecentCache<string>(now),
    handleCache: createRecentCache<boolean>(now),
  };
  return {
    begin: (message, forum, drawn) => begin(state, { message, forum, ...drawn }),
    async edit(place, forum, { reply, rendered }) {
      await editPost(place, rendered, tools);
      const { post } = reply;
      const postId = place.channelId;
      if (post !== undefined) await putInPlace(state, { postId, forum, post });
    },
    find: (search, since) =>
      findPost(state, { ...search, since }, ({ id }) => starts(state, id, search.handle)),
  };
}

interface Beginning extends Drawn {
  readonly message: DeskMessage;
  readonly forum: ChannelFacts;
}

async function begin(
  state: PostsState,
  { message, forum, reply, rendered }: Beginning,
): Promise<DeskPlace> {
  const { tools, standingCache } = state;
  const title = visible(cut(oneLine(reply.post?.title ?? reply.title), longestTitle));
  const isIt = async ({ id, name }: Post) =>
    reply.kept === undefined ? name === title : starts(state, id, reply.kept.handle);
  const look = (since: number) => findPost(state, { ...message, since }, isIt);
  return withTags(state, { forum, names: reply.post?.tags ?? [] }, async (applied) => {
    const post = { ...{ forumId: forum.id, title, rendered, look }, tags: applied };
    const place = await beginPost(post, tools);
    standingCache.set(place.channelId, keyOf({ tags: applied, isOver: false }));
    return place;
  });
}

/** Somebody may have changed the forum's tags since they were read. */
async function withTags<T>(
  { tags, places, tools, log }: PostsState,
  { forum, names }: { readonly forum: ChannelFacts; readonly names: readonly string[] },
  use: (ids: readonly string[]) => Promise<T>,
): Promise<T> {
  try {
    return await use(await tags.idsOf(forum, names, log));
  } catch (error) {
    if (!isStale(error)) throw error;
    places.forget(forum.id);
    const fresh = await looking(tools, () => places.channel(forum.id));
    return use(await tags.idsOf(fresh, names, log));
  }
}

/** Whether a post began with a message of that handle. */
async function starts(
  { tools, handleCache }: PostsState,
  postId: string,
  handle: string,
): Promise<boolean> {
  const key = `${postId} ${handle}`;
  const known = handleCache.get(key);
  if (known !== undefined) return known;
  const isIt = await starterOf(tools.rest, postId).then(
    (starter) => hasHandle(starter, handle),
    (error: unknown) => {
      // Somebody removed it, and left the post.
      if (isMissing(error)) return false;
      throw error;
    },
  );
  handleCache.set(key, isIt);
  return isIt;
}

async function findPost(
  { tools }: PostsState,
  { guildId, channelId, since }: DeskSearch & { readonly since: number },
  isIt: (post: Post) => Promise<boolean>,
): Promise<DeskPlace | undefined> {
  const { rest, botId } = tools;
  const at = { guildId, forumId: channelId, botId, since };
  for (const post of await looking(tools, () => ownPosts(rest, at))) {
    if (await looking(tools, () => isIt(post))) return { channelId: post.id, messageId: post.id };
  }
  return undefined;
}

interface PostInForum {
  readonly postId: string;
  readonly forum: ChannelFacts;
  readonly post: ForumPost;
}

async function putInPlace(state: PostsState, { postId, forum, post }: PostInForum): Promise<void> {
  const { tools, log, standingCache } = state;
  await withTags(state, { forum, names: post.tags }, async (ids) => {
    const wanted = { tags: ids, isOver: post.isOver === true };
    const known = standingCache.get(postId) ?? keyOf(await standingOf(postId, tools));
    if (known === keyOf(wanted)) return;
    if (!(await placePost(postId, wanted, tools))) {
      log.info("a post's tags were not changed", { channel: forum.id });
    }
    standingCache.set(postId, keyOf(wanted));
  });
}

async function standingOf(postId: string, tools: DeskTools): Promise<Standing> {
  const read = () => channelFacts(postId, tools.rest);
  const { applied, isArchived } = await asking({ what: "edit", isForum: true }, read, tools);
  return { tags: applied, isOver: isArchived };
}

function looking<T>(tools: DeskTools, send: () => Promise<T>): Promise<T> {
  return asking({ what: "look" }, send, tools);
}

function keyOf({ tags, isOver }: Standing): string {
  return `${tags.toSorted().join()} ${isOver}`;
}
