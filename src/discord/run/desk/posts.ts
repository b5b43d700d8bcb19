import type { DeskMessage, DeskPlace, DeskSearch } from "../../../desk.ts";
import type { Log } from "../../../log.ts";
import type { EventReply } from "../../declare/events.ts";
import type { Rendered } from "../../draw/render.ts";
import type { ForumPost } from "../../draw/reply.ts";
import { cut, oneLine, visible } from "../../draw/text.ts";
import { type ChannelFacts, channelFacts } from "../../wire/channel.ts";
import type { Places } from "../places.ts";
import { asking, type DeskTools } from "./asking.ts";
import { isMissing, isStale } from "./failure.ts";
import { beginPost, editPost, placePost, type Standing } from "./forum.ts";
import { hasHandle, ownPosts, type Post, starterOf } from "./look.ts";
import { createRecent } from "./recent.ts";
import { createTags } from "./tags.ts";

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

export interface DeskPostsParts {
  readonly tools: DeskTools;
  readonly places: Places;
  readonly log: Log;
}

/** A post's name, which the platform shows as it is. */
const longestTitle = 100;

export function createDeskPosts({ tools, places, log }: DeskPostsParts): DeskPosts {
  const { rest, now, botId } = tools;
  const tags = createTags({ rest, places, now });
  /** How posts stand, as they were left. */
  const standing = createRecent<string>(now);
  /** Whether a post has a handle, which never changes. */
  const seen = createRecent<boolean>(now);
  const looking = <T>(send: () => Promise<T>) => asking({ what: "look" }, send, tools);

  async function begin(message: DeskMessage, forum: ChannelFacts, { reply, rendered }: Drawn) {
    const title = visible(cut(oneLine(reply.post?.title ?? reply.title), longestTitle));
    const isIt = async ({ id, name }: Post) =>
      reply.kept === undefined ? name === title : starts(id, reply.kept.handle);
    const look = (since: number) => findPost(message, since, isIt);
    return withTags(forum, reply.post?.tags ?? [], async (applied) => {
      const post = { ...{ forumId: forum.id, title, rendered, look }, tags: applied };
      const place = await beginPost(post, tools);
      standing.set(place.channelId, keyOf({ tags: applied, isOver: false }));
      return place;
    });
  }

  /** Somebody may have changed the forum's tags since they were read. */
  async function withTags<T>(
    forum: ChannelFacts,
    names: readonly string[],
    use: (ids: readonly string[]) => Promise<T>,
  ): Promise<T> {
    try {
      return await use(await tags.idsOf(forum, names, log));
    } catch (error) {
      if (!isStale(error)) throw error;
      places.forget(forum.id);
      const fresh = await looking(() => places.channel(forum.id));
      return use(await tags.idsOf(fresh, names, log));
    }
  }

  /** Whether a post began with a message of that handle. */
  async function starts(postId: string, handle: string): Promise<boolean> {
    const key = `${postId} ${handle}`;
    const known = seen.get(key);
    if (known !== undefined) return known;
    const isIt = await starterOf(rest, postId).then(
      (starter) => hasHandle(starter, handle),
      (error: unknown) => {
        // Somebody removed it, and left the post.
        if (isMissing(error)) return false;
        throw error;
      },
    );
    seen.set(key, isIt);
    return isIt;
  }

  async function findPost(
    { guildId, channelId }: DeskSearch,
    since: number,
    isIt: (post: Post) => Promise<boolean>,
  ): Promise<DeskPlace | undefined> {
    const at = { guildId, forumId: channelId, botId, since };
    for (const post of await looking(() => ownPosts(rest, at))) {
      if (await looking(() => isIt(post))) return { channelId: post.id, messageId: post.id };
    }
    return undefined;
  }

  async function edit(place: DeskPlace, forum: ChannelFacts, { reply, rendered }: Drawn) {
    await editPost(place, rendered, tools);
    if (reply.post !== undefined) await putInPlace(place.channelId, forum, reply.post);
  }

  async function putInPlace(postId: string, forum: ChannelFacts, post: ForumPost): Promise<void> {
    await withTags(forum, post.tags, async (ids) => {
      const wanted = { tags: ids, isOver: post.isOver === true };
      const known = standing.get(postId) ?? keyOf(await standingOf(postId));
      if (known === keyOf(wanted)) return;
      if (!(await placePost(postId, wanted, tools))) {
        log.info("a post's tags were not changed", { channel: forum.id });
      }
      standing.set(postId, keyOf(wanted));
    });
  }

  async function standingOf(postId: string): Promise<Standing> {
    const read = () => channelFacts(postId, rest);
    const { applied, isArchived } = await asking({ what: "edit", isForum: true }, read, tools);
    return { tags: applied, isOver: isArchived };
  }

  return {
    begin,
    edit,
    find: (search, since) => findPost(search, since, ({ id }) => starts(id, search.handle)),
  };
}

function keyOf({ tags, isOver }: Standing): string {
  return `${tags.toSorted().join()} ${isOver}`;
}
