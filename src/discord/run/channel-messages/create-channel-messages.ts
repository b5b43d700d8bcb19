import type { DiscordAPIError } from "@discordjs/rest";
import { RESTJSONErrorCodes as Codes, Routes } from "discord-api-types/v10";
import type {
  MessageSearch,
  OutgoingMessage,
  PublishableMessages,
} from "../../../channel-messages.ts";
import { AccessError, type BotError, InputError } from "../../../errors.ts";
import { withPing } from "../../draw/render.ts";
import type { ChannelFacts } from "../../wire/channel.ts";
import { sendMessageOnce } from "../../wire/post.ts";
import { messageRequest } from "../../wire/send.ts";
import { wordsIn } from "../requester.ts";
import type { Services } from "../services.ts";
import { askDiscord, discordChannelGone, hasCode } from "./failure.ts";
import { createForumPosts, type DrawnMessage, threadName } from "./forum-posts.ts";
import {
  closeMessage,
  hasHandle,
  type MessageRequestDeps,
  ownMessages,
  removeMessage,
  removePost,
} from "./message-requests.ts";
import type { NotificationReader, NotificationRenderer } from "./notification-renderer.ts";
import type { ServerInfoCache } from "./server-info-cache.ts";

interface ChannelMessagesDeps extends Pick<MessageRequestDeps, "rest" | "botId" | "settleMs"> {
  readonly drawing: NotificationRenderer;
  readonly services: Services;
  readonly serverInfo: ServerInfoCache;
}

export function createChannelMessages(deps: ChannelMessagesDeps): PublishableMessages {
  const { drawing, services, rest, serverInfo, botId } = deps;
  const { random, now, log, store } = services;
  const requests: MessageRequestDeps = { ...deps, random, now };
  const posts = createForumPosts({ requests, serverInfo, turns: store.turns, log });
  const look = <T>(read: () => Promise<T>) => askDiscord({ what: "look" }, read, requests);

  async function readChannel({ guildId, channelId }: MessageSearch): Promise<ChannelFacts> {
    const channel = await look(() => serverInfo.channel(channelId));
    // Whatever a record says, nothing from one server is posted in another.
    if (channel.guildId !== guildId) throw discordChannelGone();
    return channel;
  }

  async function findReader(guildId: string, chosen?: string): Promise<NotificationReader> {
    const { locale, name } = await look(() => serverInfo.server(guildId));
    return { guildId, words: wordsIn(chosen ?? locale, services), serverName: async () => name };
  }

  async function draw(message: OutgoingMessage): Promise<DrawnMessage> {
    const reader = await findReader(message.guildId, message.locale);
    const reply = await drawing.replyTo(message, reader);
    return { reply, rendered: await drawing.ownMessage(reply, reader) };
  }

  return {
    async post(message) {
      const { guildId, channelId, pingRoleId, nonce, isConfidential } = message;
      const channel = await readChannel(message);
      const isOpen =
        isConfidential === true &&
        (await look(() => serverInfo.isOpenToEveryone(guildId, channelId)));
      // What Discord does not tell is no reason to keep silent: people were asked when the channel was chosen.
      if (isOpen === true) {
        // The next try sees what was changed.
        for (const id of [channelId, guildId]) serverInfo.forget(id);
        throw new AccessError("everyone can read the channel", { code: "discord_channel_public" });
      }
      const { reply, rendered: plain } = await draw(message);
      const rendered = pingRoleId === undefined ? plain : withPing(plain, pingRoleId);
      try {
        if (channel.isForum) return await posts.begin(message, channel, { reply, rendered });
        const messageId = await askDiscord(
          { what: "post" },
          () => sendMessageOnce(channelId, rendered, { rest, nonce }),
          requests,
        );
        return { channelId, messageId };
      } catch (error) {
        // The channel may have changed: it may have other tags, or none, or be gone.
        serverInfo.forget(channelId);
        throw error;
      }
    },
    async edit(place, message) {
      const drawn = await draw(message);
      if (place.channelId !== message.channelId) {
        const { tagIds } = message;
        return posts.edit(place, await readChannel(message), { ...drawn, tagIds });
      }
      const route = Routes.channelMessage(place.channelId, place.messageId);
      const sent = messageRequest(drawn.rendered);
      await askDiscord({ what: "edit" }, () => rest.patch(route, sent), requests);
    },
    async publish({ channelId, messageId }) {
      const route = Routes.channelMessageCrosspost(channelId, messageId);
      const send = unless(() => rest.post(route), Codes.ThisMessageWasAlreadyCrossposted);
      const limit = "discord_publish_limit";
      await askDiscord({ what: "edit", refusal: publishRefusal, limit }, send, requests);
    },
    async openThread({ channelId, messageId }, name) {
      // A post of a forum is a thread.
      if (channelId === messageId) return;
      const route = Routes.threads(channelId, messageId);
      const body = { name: threadName(name) };
      const send = unless(() => rest.post(route, { body }), Codes.ThreadAlreadyCreatedForMessage);
      await askDiscord({ what: "edit", refusal: threadRefusal }, send, requests);
    },
    async close(place, why) {
      const reply = await drawing.replyTo(why, await findReader(why.facts.guildId));
      await closeMessage(place, "title" in reply ? reply.title : "", requests);
    },
    async remove(place) {
      // A post has the id of the message that it began with.
      if (place.channelId === place.messageId) return removePost(place, requests);
      return askDiscord({ what: "remove" }, () => removeMessage(place, requests), requests);
    },
    async find(search, since) {
      const { channelId, handle } = search;
      if ((await readChannel(search)).isForum) return posts.find(search, since);
      return look(async () => {
        for await (const message of ownMessages(rest, { channelId, botId, since })) {
          if (hasHandle(message, handle)) return { channelId, messageId: message.id };
        }
        return undefined;
      });
    },
  };
}

/** Sends a request. A refusal with that code says that it is done already. */
function unless(send: () => Promise<unknown>, doneCode: number): () => Promise<void> {
  return async () => {
    try {
      await send();
    } catch (error) {
      if (!hasCode(error, doneCode)) throw error;
    }
  };
}

function publishRefusal(error: DiscordAPIError): BotError | undefined {
  if (error.code !== Codes.CannotExecuteActionOnThisChannelType) return undefined;
  return new InputError("only messages of announcement channels can be published", {
    code: "discord_not_publishable",
    cause: error,
  });
}

function threadRefusal(error: DiscordAPIError): BotError | undefined {
  if (error.code !== Codes.MissingPermissions) return undefined;
  return new AccessError("this bot may not open threads there", {
    code: "discord_threads_forbidden",
    cause: error,
  });
}
