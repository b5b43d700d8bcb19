import type {
  ChannelMessages,
  MessageSearch,
  Notification,
  OutgoingMessage,
  PostedMessage,
} from "../../../channel-messages.ts";
import { AccessError } from "../../../errors.ts";
import { withPing } from "../../draw/render.ts";
import type { ChannelFacts } from "../../wire/channel.ts";
import { replaceMessage, sendMessageOnce } from "../../wire/post.ts";
import { wordsIn } from "../requester.ts";
import { askDiscord, discordChannelGone } from "./failure.ts";
import { createForumPosts, type DrawnMessage, type ForumPosts } from "./forum-posts.ts";
import {
  closeMessage,
  hasHandle,
  type MessageRequestDeps,
  ownMessages,
  removeMessage,
  removePost,
} from "./message-requests.ts";
import type {
  NotificationReader,
  NotificationRenderer,
  NotificationRendererDeps,
} from "./notification-renderer.ts";
import type { ServerInfoCache } from "./server-info-cache.ts";

interface ChannelMessagesDeps extends Omit<NotificationRendererDeps, "routes" | "features"> {
  readonly drawing: NotificationRenderer;
  /** Of `createMessageRest`. */
  readonly rest: MessageRequestDeps["rest"];
  readonly serverInfo: ServerInfoCache;
  readonly settleMs?: number;
}

interface ChannelMessagesState extends ChannelMessagesDeps {
  readonly requests: MessageRequestDeps;
  readonly posts: ForumPosts;
}

export function createChannelMessages(deps: ChannelMessagesDeps): ChannelMessages {
  const { services, rest, serverInfo, botId, settleMs } = deps;
  const { random, now, log } = services;
  const requests = { rest, random, now, botId, ...(settleMs !== undefined && { settleMs }) };
  const state: ChannelMessagesState = {
    ...deps,
    requests,
    posts: createForumPosts({ requests, serverInfo, turns: services.store.turns, log }),
  };
  return {
    post: (message) => post(state, message),
    edit: (place, message) => edit(state, place, message),
    close: (place, why) => close(state, place, why),
    remove: (place) => remove(requests, place),
    find: (search, since) => find(state, search, since),
  };
}

async function post(state: ChannelMessagesState, message: OutgoingMessage): Promise<PostedMessage> {
  const { rest, requests, serverInfo, posts } = state;
  const { channelId, pingRoleId, nonce } = message;
  const channel = await readChannel(state, message);
  if (message.isConfidential === true) await requireReadByFew(state, message);
  const { reply, rendered: plain } = await draw(state, message);
  const rendered = pingRoleId === undefined ? plain : withPing(plain, pingRoleId);
  try {
    if (channel.isForum) return await posts.begin(message, channel, { reply, rendered });
    const send = () => sendMessageOnce(channelId, rendered, { rest, nonce });
    return { channelId, messageId: await askDiscord({ what: "post" }, send, requests) };
  } catch (error) {
    // The channel may have changed: it may have other tags, or none, or be gone.
    serverInfo.forget(channelId);
    throw error;
  }
}

/** What Discord does not tell is no reason to keep silent: people were asked when the channel was chosen. */
async function requireReadByFew(
  { serverInfo, requests }: ChannelMessagesState,
  { guildId, channelId }: OutgoingMessage,
): Promise<void> {
  const isOpen = await askDiscord(
    { what: "look" },
    () => serverInfo.isOpenToEveryone(guildId, channelId),
    requests,
  );
  if (isOpen !== true) return;
  // The next try sees what was changed.
  for (const id of [channelId, guildId]) serverInfo.forget(id);
  throw new AccessError("everyone can read the channel", { code: "discord_channel_public" });
}

async function edit(
  state: ChannelMessagesState,
  place: PostedMessage,
  message: OutgoingMessage,
): Promise<void> {
  const { rest, requests, posts } = state;
  const drawn = await draw(state, message);
  if (place.channelId !== message.channelId) {
    return posts.edit(place, await readChannel(state, message), drawn);
  }
  return askDiscord({ what: "edit" }, () => replaceMessage(place, drawn.rendered, rest), requests);
}

async function close(
  state: ChannelMessagesState,
  place: PostedMessage,
  why: Notification,
): Promise<void> {
  const reply = await state.drawing.replyTo(why, await findReader(state, why.facts.guildId));
  await closeMessage(place, "title" in reply ? reply.title : "", state.requests);
}

async function remove(requests: MessageRequestDeps, place: PostedMessage): Promise<void> {
  // A post has the id of the message that it began with.
  if (place.channelId === place.messageId) return removePost(place, requests);
  return askDiscord({ what: "remove" }, () => removeMessage(place, requests), requests);
}

async function find(
  state: ChannelMessagesState,
  search: MessageSearch,
  since: number,
): Promise<PostedMessage | undefined> {
  const { rest, botId, requests, posts } = state;
  const { channelId, handle } = search;
  const { isForum } = await readChannel(state, search);
  if (isForum) return posts.find(search, since);
  const look = async () => {
    for await (const message of ownMessages(rest, { channelId, botId, since })) {
      if (hasHandle(message, handle)) return { channelId, messageId: message.id };
    }
    return undefined;
  };
  return askDiscord({ what: "look" }, look, requests);
}

async function readChannel(
  { serverInfo, requests }: ChannelMessagesState,
  { guildId, channelId }: MessageSearch,
): Promise<ChannelFacts> {
  const channel = await askDiscord({ what: "look" }, () => serverInfo.channel(channelId), requests);
  // Whatever a record says, nothing from one server is posted in another.
  if (channel.guildId !== guildId) throw discordChannelGone();
  return channel;
}

async function findReader(
  { services, serverInfo, requests }: ChannelMessagesState,
  guildId: string,
): Promise<NotificationReader> {
  const guild = () => askDiscord({ what: "look" }, () => serverInfo.server(guildId), requests);
  const words = wordsIn((await guild()).locale, services);
  return { guildId, words, serverName: async () => (await guild()).name };
}

async function draw(state: ChannelMessagesState, message: OutgoingMessage): Promise<DrawnMessage> {
  const { drawing } = state;
  const reader = await findReader(state, message.guildId);
  const reply = await drawing.replyTo(message, reader);
  return { reply, rendered: await drawing.ownMessage(reply, reader) };
}
