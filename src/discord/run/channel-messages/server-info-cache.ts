import type { REST } from "discord.js";
import { createAnswerCache, createCache } from "../../../cache.ts";
import { type ChannelFacts, channelFacts } from "../../wire/channel.ts";
import { type GuildInfo, guildInfo } from "../../wire/post.ts";

/** Servers and channels as they were a few minutes ago, so that a thousand cards ask once. */
export interface ServerInfoCache {
  /** @throws DiscordAPIError, and what the connection does */
  guild(guildId: string): Promise<GuildInfo>;
  /** @throws DiscordAPIError, and what the connection does */
  channel(channelId: string): Promise<ChannelFacts>;
  /** Reads that channel again when somebody asks for it next. */
  forget(channelId: string): void;
}

/** Names and languages may be this old. */
const freshMs = 5 * 60_000;

export function createServerInfoCache(rest: Pick<REST, "get">, now: () => number): ServerInfoCache {
  const cache = createAnswerCache(now);
  return {
    guild: (guildId) =>
      cache.recall("guild", { ms: freshMs, owner: guildId }, () => guildInfo(guildId, rest)),
    channel: (channelId) =>
      cache.recall("channel", { ms: freshMs, owner: channelId }, () =>
        channelFacts(channelId, rest),
      ),
    forget: cache.forget,
  };
}

const maxMessages = 5_000;
const messageMs = 24 * 3_600_000;

/** What is known about messages that were handled in the last day. */
export function createMessageCache<T extends string | number | boolean>(now: () => number) {
  return createCache<T>({ maxSize: maxMessages, maxAgeMs: messageMs, now });
}
