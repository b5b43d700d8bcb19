import type { Desk, DeskMessage, DeskPlace, DeskSearch } from "../../desk.ts";
import { createSettingsCache, type SettingsCache } from "../access/settings-cache.ts";
import { withPing } from "../draw/render.ts";
import type { ChannelFacts } from "../wire/channel.ts";
import { editMessage, leaveMessage } from "../wire/post.ts";
import { wordsIn } from "./context.ts";
import { asking, type DeskTools } from "./desk/asking.ts";
import { channelGone } from "./desk/failure.ts";
import { removeMessage, removePost } from "./desk/forum.ts";
import { hasHandle, ownMessages } from "./desk/look.ts";
import { createDeskPosts, type DeskPosts, type Drawn } from "./desk/posts.ts";
import { createRecentCache } from "./desk/recent-cache.ts";
import { createDrawing, type Drawing } from "./drawing.ts";
import { eventCtx } from "./event-ctx.ts";
import type { ServerInfoCache } from "./server-info-cache.ts";
import type { TellDeps } from "./tell.ts";

export interface DeskDeps extends TellDeps {
  /** Of `createDeskRest`. */
  readonly rest: DeskTools["rest"];
  readonly places: ServerInfoCache;
  readonly settleMs?: number;
}

interface DeskState extends DeskDeps {
  readonly tools: DeskTools;
  readonly drawing: Drawing;
  readonly settings: SettingsCache;
  readonly posts: DeskPosts;
  /** Handles whose presses are written down, with how many they are. */
  readonly writtenCache: ReturnType<typeof createRecentCache<number>>;
}

/** Messages that the bot leaves in channels unasked, and looks after. */
export function createDesk(deps: DeskDeps): Desk {
  const { routes, services, rest, places, botId, settleMs } = deps;
  const { store, random, now, log } = services;
  const tools = { rest, random, now, botId, ...(settleMs !== undefined && { settleMs }) };
  const state: DeskState = {
    ...deps,
    tools,
    drawing: createDrawing({ routes, continuations: store.continuations }),
    settings: createSettingsCache(store.settings, now),
    posts: createDeskPosts({ tools, places, log }),
    writtenCache: createRecentCache<number>(now),
  };
  return {
    post: (message) => post(state, message),
    edit: (place, message) => edit(state, place, message),
    remove: (place) => remove(tools, place),
    find: (search, since) => find(state, search, since),
  };
}

async function post(state: DeskState, message: DeskMessage): Promise<DeskPlace> {
  const { rest, tools, places, posts } = state;
  const { channelId, pingRoleId, nonce } = message;
  const channel = await channelOf(state, message);
  const { reply, rendered: plain } = await draw(state, message);
  const rendered = pingRoleId === undefined ? plain : withPing(plain, pingRoleId);
  try {
    if (channel.isForum) return await posts.begin(message, channel, { reply, rendered });
    const send = () => leaveMessage(channelId, rendered, { rest, nonce });
    return { channelId, messageId: await asking({ what: "post" }, send, tools) };
  } catch (error) {
    // It may be another channel by now: with other tags, or none at all.
    places.forget(channelId);
    throw error;
  }
}

async function edit(state: DeskState, place: DeskPlace, message: DeskMessage): Promise<void> {
  const { rest, tools, posts } = state;
  const drawn = await draw(state, message);
  if (place.channelId !== message.channelId) {
    return posts.edit(place, await channelOf(state, message), drawn);
  }
  return asking({ what: "edit" }, () => editMessage(place, drawn.rendered, rest), tools);
}

async function remove(tools: DeskTools, place: DeskPlace): Promise<void> {
  // A post goes by the id of the message that it began with.
  if (place.channelId === place.messageId) return removePost(place, tools);
  return asking({ what: "remove" }, () => removeMessage(place, tools), tools);
}

async function find(
  state: DeskState,
  search: DeskSearch,
  since: number,
): Promise<DeskPlace | undefined> {
  const { rest, botId, tools, posts } = state;
  const { channelId, handle } = search;
  const { isForum } = await channelOf(state, search);
  if (isForum) return posts.find(search, since);
  const look = async () => {
    for await (const message of ownMessages(rest, { channelId, botId, since })) {
      if (hasHandle(message, handle)) return { channelId, messageId: message.id };
    }
    return undefined;
  };
  return asking({ what: "look" }, look, tools);
}

async function channelOf(
  { places, tools }: DeskState,
  { guildId, channelId }: DeskSearch,
): Promise<ChannelFacts> {
  const channel = await asking({ what: "look" }, () => places.channel(channelId), tools);
  // Whatever a record says: nothing of one server is left in another.
  if (channel.guildId !== guildId) throw channelGone();
  return channel;
}

async function draw(state: DeskState, message: DeskMessage): Promise<Drawn> {
  const { drawing, writtenCache } = state;
  const { reply, holder } = await replyTo(state, message);
  const { kept } = reply;
  if (kept !== undefined && writtenCache.get(kept.handle) !== kept.presses.length) {
    await drawing.keep(kept, holder);
    writtenCache.set(kept.handle, kept.presses.length);
  }
  return { reply, rendered: await drawing.message(reply, holder) };
}

async function replyTo(state: DeskState, { event: name, facts, guildId }: DeskMessage) {
  const { routes, services, places, tools, botId } = state;
  const event = routes.events.get(name);
  if (event === undefined) throw new TypeError(`no event is called ${name}`);
  const guild = () => asking({ what: "look" }, () => places.guild(guildId), tools);
  const [{ locale }, known] = await Promise.all([guild(), state.settings.of(guildId)]);
  const words = wordsIn(locale, services.languages);
  const serverName = async () => (await guild()).name;
  const log = services.log.child({ event: name });
  const around = { guildId, words, settings: known.value, serverName, log };
  const reply = await event.run(eventCtx(around, services), facts);
  return { reply, holder: { guildId, userId: botId, words } };
}
