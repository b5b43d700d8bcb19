import { DiscordAPIError, REST } from "@discordjs/rest";
import type { RESTGetAPIGuildResult, RESTOptions } from "discord.js";
import { Routes } from "discord-api-types/v10";
import type { RenderedMessage } from "../draw/render.ts";
import { type MessageSendDeps, messageRequest, sendUntilDone } from "./send.ts";

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
 * Posts into a channel and answers the message's id. Sent again after a lost connection: the same nonce makes one message
 * of both (docs/services/discord.md#messages).
 * @throws DiscordAPIError
 */
export async function postMessage(
  channelId: string,
  rendered: RenderedMessage,
  { nonce, ...tools }: MessageSendDeps & { readonly nonce: string },
): Promise<string> {
  const { rest } = tools;
  return sendUntilDone(tools, () => sendMessageOnce(channelId, rendered, { rest, nonce }));
}

/** The same with one try. @throws DiscordAPIError, and what the connection does */
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

/** Replaces one of the bot's messages. @throws DiscordAPIError, and what the connection does */
export async function replaceMessage(
  { channelId, messageId }: { readonly channelId: string; readonly messageId: string },
  rendered: RenderedMessage,
  rest: MessageSendDeps["rest"],
): Promise<void> {
  await rest.patch(Routes.channelMessage(channelId, messageId), messageRequest(rendered));
}

/**
 * For messages in channels. By default discord.js would retry at once after each lost answer, wait two minutes for an
 * answer, and retry without end where a 429 names no time.
 */
export function createMessageRest(options: Partial<RESTOptions>): REST {
  const rejectOnRateLimit = ({ retryAfter }: { readonly retryAfter: number }) => retryAfter <= 0;
  return new REST({ ...options, retries: 0, timeout: messageTryMs, rejectOnRateLimit });
}

const messageTryMs = 15_000;

/** The channel for direct messages to a person. @throws DiscordAPIError */
export async function directChannel(userId: string, tools: MessageSendDeps): Promise<string> {
  const body = { recipient_id: userId };
  const open = () => tools.rest.post(Routes.userChannels(), { body });
  return (await sendUntilDone<{ readonly id: string }>(tools, open)).id;
}

/** Whether Discord's answer is final: the channel is gone, closed to the bot, or a person accepts no messages. */
export function isClosed(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status >= 400 && error.status < 500;
}
