import { REST } from "@discordjs/rest";
import type { RESTGetAPIGuildResult, RESTOptions } from "discord.js";
import { Routes } from "discord-api-types/v10";
import type { RenderedMessage } from "../draw/render.ts";
import { type MessageSendDeps, messageRequest } from "./send.ts";

/** What the bot knows about a server. */
export interface ServerInfo {
  readonly name: string;
  readonly ownerId: string;
  /** The server's language, such as `de`. */
  readonly locale: string;
  /** Where Discord itself greets new members; absent where the server has switched that off. */
  readonly systemChannelId: string | undefined;
  /** What the role @everyone allows in the whole server, as bits; undefined where Discord does not tell. */
  readonly everyone: string | undefined;
}

/** @throws DiscordAPIError, and what the connection does */
export async function readServerInfo(
  guildId: string,
  rest: Pick<REST, "get">,
): Promise<ServerInfo> {
  const server = (await rest.get(Routes.guild(guildId))) as RESTGetAPIGuildResult;
  return {
    name: server.name,
    ownerId: server.owner_id,
    locale: server.preferred_locale,
    systemChannelId: server.system_channel_id ?? undefined,
    everyone: server.roles?.find(({ id }) => id === guildId)?.permissions,
  };
}

/**
 * Posts into a channel and answers the message's id. It may be sent again: the same nonce makes one message of both
 * (docs/services/discord.md#messages).
 * @throws DiscordAPIError, and what the connection does
 */
export async function sendMessageOnce(
  channelId: string,
  rendered: RenderedMessage,
  { rest, nonce }: Pick<MessageSendDeps, "rest"> & { readonly nonce: string },
): Promise<string> {
  const { body, files } = messageRequest(rendered);
  const whole = { ...body, nonce, enforce_nonce: true };
  const message = await rest.post(Routes.channelMessages(channelId), { body: whole, files });
  return (message as { readonly id: string }).id;
}

/**
 * For messages in channels. By default discord.js would retry at once after each lost answer, wait two minutes for an
 * answer, retry without end where a 429 names no time, and hold up all requests of a route where it names an hour.
 */
export function createMessageRest(options: Partial<RESTOptions>): REST {
  return new REST({
    ...options,
    retries: 0,
    timeout: messageTryMs,
    rejectOnRateLimit: ({ retryAfter }) => retryAfter <= 0 || retryAfter > longestHoldMs,
  });
}

const messageTryMs = 15_000;
const longestHoldMs = 10_000;
