import { DiscordAPIError, REST, type RESTOptions, Routes } from "discord.js";
import type { Rendered } from "../draw/render.ts";
import { persist, request, type SendTools } from "./send.ts";

/** What is read about a server. */
export interface GuildInfo {
  readonly name: string;
  readonly ownerId: string;
  /** Language of a community's notices: `de`. */
  readonly locale: string;
}

/** @throws DiscordAPIError, and what the connection does */
export async function guildInfo(guildId: string, rest: Pick<REST, "get">): Promise<GuildInfo> {
  const guild = await rest.get(Routes.guild(guildId));
  const { name, owner_id, preferred_locale } = guild as Readonly<Record<string, string>>;
  return { name: name ?? "", ownerId: owner_id ?? "", locale: preferred_locale ?? "en-US" };
}

/**
 * Posts into a channel and answers the message's id. Sent again after a cut: the same nonce makes one message of both
 * (facts/discord.md: Messages).
 * @throws DiscordAPIError
 */
export async function postMessage(
  channelId: string,
  rendered: Rendered,
  { nonce, ...tools }: SendTools & { readonly nonce: string },
): Promise<string> {
  const { rest } = tools;
  return (await persist(tools, () => leaveMessage(channelId, rendered, { rest, nonce }))) as string;
}

/** The same in one try. @throws DiscordAPIError, and what the connection does */
export async function leaveMessage(
  channelId: string,
  rendered: Rendered,
  { rest, nonce }: Pick<SendTools, "rest"> & { readonly nonce: string },
): Promise<string> {
  const { body, files } = request(rendered);
  const whole = { ...body, nonce, enforce_nonce: true };
  const message = await rest.post(Routes.channelMessages(channelId), { body: whole, files });
  return (message as { readonly id: string }).id;
}

/** Replaces one of the bot's messages. @throws DiscordAPIError, and what the connection does */
export async function editMessage(
  { channelId, messageId }: { readonly channelId: string; readonly messageId: string },
  rendered: Rendered,
  rest: SendTools["rest"],
): Promise<void> {
  await rest.patch(Routes.channelMessage(channelId, messageId), request(rendered));
}

/**
 * For what is left in channels: discord.js would send everything again at once after each lost answer, wait two minutes
 * for one, and ask without end where a 429 names no time (reliability.md 1).
 */
export function createDeskRest(options: Partial<RESTOptions>): REST {
  const rejectOnRateLimit = ({ retryAfter }: { readonly retryAfter: number }) => retryAfter <= 0;
  return new REST({ ...options, retries: 0, timeout: deskTryMs, rejectOnRateLimit });
}

const deskTryMs = 15_000;

/** The channel for direct messages to a person. @throws DiscordAPIError */
export async function directChannel(userId: string, tools: SendTools): Promise<string> {
  const body = { recipient_id: userId };
  const opened = await persist(tools, () => tools.rest.post(Routes.userChannels(), { body }));
  return (opened as { readonly id: string }).id;
}

/** Whether the platform's answer is final: the channel is gone, closed to the bot, or a person takes no messages. */
export function isClosed(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status >= 400 && error.status < 500;
}
