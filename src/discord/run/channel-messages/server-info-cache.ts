import type { REST } from "discord.js";
import { createAnswerCache, createCache } from "../../../cache.ts";
import { isOpenToEveryone } from "../../access/channel-permissions.ts";
import { type ChannelFacts, readChannelFacts } from "../../wire/channel.ts";
import { readServerInfo, type ServerInfo } from "../../wire/post.ts";

/** Servers and channels as they were a few minutes ago, so that a thousand cards ask once. */
export interface ServerInfoCache {
  /** @throws DiscordAPIError, and what the connection does */
  server(guildId: string): Promise<ServerInfo>;
  /** @throws DiscordAPIError, and what the connection does */
  channel(channelId: string): Promise<ChannelFacts>;
  /**
   * Whether everyone in the server can read a channel of it, as it was some seconds ago; undefined where Discord does not
   * tell. @throws DiscordAPIError, and what the connection does
   */
  isOpenToEveryone(guildId: string, channelId: string): Promise<boolean | undefined>;
  /** Reads that channel again when somebody asks for it next. */
  forget(channelId: string): void;
}

/** Names and languages may be this old. */
const freshMs = 5 * 60_000;
/** Who can read a channel is asked again before each message but those of the same moment: people make channels public. */
const readersMs = 2_000;

export function createServerInfoCache(rest: Pick<REST, "get">, now: () => number): ServerInfoCache {
  const cache = createAnswerCache(now);
  const guild = (guildId: string, ms = freshMs) =>
    cache.recall("guild", { ms, owner: guildId }, () => readServerInfo(guildId, rest));
  const channel = (channelId: string, ms = freshMs) =>
    cache.recall("channel", { ms, owner: channelId }, () => readChannelFacts(channelId, rest));
  return {
    server: (guildId) => guild(guildId),
    channel: (channelId) => channel(channelId),
    async isOpenToEveryone(guildId, channelId) {
      const [{ everyone }, { overwrites }] = await Promise.all([
        guild(guildId, readersMs),
        channel(channelId, readersMs),
      ]);
      if (everyone === undefined) return undefined;
      return isOpenToEveryone({ guildId, overwrites }, BigInt(everyone));
    },
    forget: cache.forget,
  };
}

const maxMessages = 5_000;
const messageMs = 24 * 3_600_000;

/** What is known about messages that were handled in the last day. */
export function createMessageCache<T extends string | number | boolean>(now: () => number) {
  return createCache<T>({ maxSize: maxMessages, maxAgeMs: messageMs, now });
}
