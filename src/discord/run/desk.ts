import type { Desk, DeskMessage, DeskPlace, DeskSearch } from "../../desk.ts";
import type { Places } from "../access/places.ts";
import { createNearSettings } from "../access/settings.ts";
import type { EventReply } from "../declare/events.ts";
import { asking, type DeskTools } from "../desk/asking.ts";
import { channelGone } from "../desk/failure.ts";
import { beginPost, editPost, removeMessage, removePost, retag } from "../desk/forum.ts";
import { hasHandle, ownMessages, ownPosts, type Post, starterOf } from "../desk/look.ts";
import { createRecent } from "../desk/recent.ts";
import { createTags } from "../desk/tags.ts";
import { withPing } from "../draw/ping.ts";
import type { Rendered } from "../draw/render.ts";
import { cut, oneLine } from "../draw/text.ts";
import type { ChannelFacts } from "../wire/channel.ts";
import { editMessage, leaveMessage } from "../wire/post.ts";
import { wordsIn } from "./context.ts";
import { createDrawing } from "./drawing.ts";
import { eventCtx } from "./event-ctx.ts";
import type { TellParts } from "./tell.ts";

export interface DeskParts extends TellParts {
  /** Of `createDeskRest`. */
  readonly rest: DeskTools["rest"];
  readonly places: Places;
  readonly settleMs?: number;
}

/** A post's name, which the platform shows as it is. */
const longestTitle = 100;

/** Messages that the bot leaves in channels unasked, and looks after. */
export function createDesk(parts: DeskParts): Desk {
  const { routes, services, rest, places, botId } = parts;
  const { store, languages, random, now, log } = services;
  const drawing = createDrawing({ routes, continuations: store.continuations });
  const near = createNearSettings(store.settings, now);
  const tools: DeskTools = {
    ...{ rest, random, now, botId },
    ...(parts.settleMs !== undefined && { settleMs: parts.settleMs }),
  };
  const tags = createTags({ rest, places, now });
  /** Handles whose presses are written down, with how many they are. */
  const written = createRecent<number>(now);
  /** Tags of posts, as they were left. */
  const tagged = createRecent<string>(now);
  /** Posts by their handles, and the other way round: a message's never change. */
  const seen = createRecent<boolean>(now);

  async function channelOf({ guildId, channelId }: DeskSearch): Promise<ChannelFacts> {
    const channel = await asking({ what: "look" }, () => places.channel(channelId), tools);
    // Whatever a record says: nothing of one server is left in another.
    if (channel.guildId !== guildId) throw channelGone();
    return channel;
  }

  async function replyTo({ event: name, facts, guildId }: DeskMessage) {
    const event = routes.events.get(name);
    if (event === undefined) throw new TypeError(`no event is called ${name}`);
    const guild = () => asking({ what: "look" }, () => places.guild(guildId), tools);
    const [{ locale }, { value: settings }] = await Promise.all([guild(), near.of(guildId)]);
    const words = wordsIn(locale, languages);
    const serverName = async () => (await guild()).name;
    const ctx = eventCtx(
      { ...{ guildId, words, settings, serverName }, log: log.child({ event: name }) },
      services,
    );
    return { reply: await event.run(ctx, facts), holder: { guildId, userId: botId, words } };
  }

  async function draw(message: DeskMessage) {
    const { reply, holder } = await replyTo(message);
    const { kept } = reply;
    if (kept !== undefined && written.get(kept.handle) !== kept.presses.length) {
      await drawing.keep(kept, holder);
      written.set(kept.handle, kept.presses.length);
    }
    return { reply, rendered: await drawing.message(reply, holder) };
  }

  async function post(message: DeskMessage): Promise<DeskPlace> {
    const { channelId, pingRoleId, nonce } = message;
    const channel = await channelOf(message);
    const { reply, rendered: plain } = await draw(message);
    const rendered = pingRoleId === undefined ? plain : withPing(plain, pingRoleId);
    try {
      if (channel.isForum) return await begin(message, channel, { reply, rendered });
      const send = () => leaveMessage(channelId, rendered, { rest, nonce });
      return { channelId, messageId: await asking({ what: "post" }, send, tools) };
    } catch (error) {
      // It may be another channel by now: with other tags, or none at all.
      places.forget(channelId);
      throw error;
    }
  }

  async function begin(
    message: DeskMessage,
    forum: ChannelFacts,
    { reply, rendered }: { readonly reply: EventReply; readonly rendered: Rendered },
  ): Promise<DeskPlace> {
    const title = cut(oneLine(reply.post?.title ?? reply.title), longestTitle) || "…";
    const applied = await tags.idsOf(forum, reply.post?.tags ?? [], log);
    const isIt = async ({ id, name }: Post) =>
      reply.kept === undefined ? name === title : starts(id, reply.kept.handle);
    const place = await beginPost(
      {
        ...{ forumId: forum.id, title, tags: applied, rendered },
        look: (since) => findPost(message, since, isIt),
      },
      tools,
    );
    tagged.set(place.channelId, applied.join());
    return place;
  }

  /** Whether a post began with a message of that handle. */
  async function starts(postId: string, handle: string): Promise<boolean> {
    const key = `${postId} ${handle}`;
    const known = seen.get(key);
    if (known !== undefined) return known;
    const starter = await starterOf(rest, postId);
    const isIt = starter !== undefined && hasHandle(starter, handle);
    seen.set(key, isIt);
    return isIt;
  }

  async function findPost(
    { guildId, channelId }: DeskSearch,
    since: number,
    isIt: (post: Post) => Promise<boolean>,
  ): Promise<DeskPlace | undefined> {
    const asked = <T>(send: () => Promise<T>) => asking({ what: "look" }, send, tools);
    const posts = await asked(() => ownPosts(rest, { guildId, forumId: channelId, botId, since }));
    for (const post of posts) {
      if (await asked(() => isIt(post))) return { channelId: post.id, messageId: post.id };
    }
    return undefined;
  }

  async function edit(place: DeskPlace, message: DeskMessage): Promise<void> {
    const { reply, rendered } = await draw(message);
    if (place.channelId === message.channelId) {
      return asking({ what: "edit" }, () => editMessage(place, rendered, rest), tools);
    }
    await editPost(place, rendered, tools);
    if (reply.post !== undefined) await tag(place, message, reply.post.tags);
  }

  async function tag(
    { channelId: postId }: DeskPlace,
    message: DeskMessage,
    names: readonly string[],
  ): Promise<void> {
    const wanted = await tags.idsOf(await channelOf(message), names, log);
    const known = tagged.get(postId) ?? (await appliedTo(postId)).join();
    if (known === wanted.join()) return;
    if (!(await retag(postId, wanted, tools))) {
      log.info("a post's tags were not changed", { channel: message.channelId });
    }
    tagged.set(postId, wanted.join());
  }

  async function appliedTo(postId: string): Promise<readonly string[]> {
    const read = () => places.channel(postId);
    return (await asking({ what: "edit", isForum: true }, read, tools)).applied;
  }

  async function remove(place: DeskPlace): Promise<void> {
    // A post goes by the id of the message that it began with.
    if (place.channelId === place.messageId) return removePost(place, tools);
    return asking({ what: "remove" }, () => removeMessage(place, tools), tools);
  }

  async function find(search: DeskSearch, since: number): Promise<DeskPlace | undefined> {
    const { channelId, handle } = search;
    const { isForum } = await channelOf(search);
    if (isForum) return findPost(search, since, ({ id }) => starts(id, handle));
    const look = async () => {
      for await (const message of ownMessages(rest, { channelId, botId, since })) {
        if (hasHandle(message, handle)) return { channelId, messageId: message.id };
      }
      return undefined;
    };
    return asking({ what: "look" }, look, tools);
  }

  return { post, edit, remove, find };
}
