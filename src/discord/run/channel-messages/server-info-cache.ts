import type { REST } from "discord.js";
import { createAnswerCache, createCache } from "../../../cache.ts";
import { isOpenToEveryone } from "../../access/channel-permissions.ts";
import { readChannelFacts } from "../../wire/channel.ts";
import { readServerInfo } from "../../wire/post.ts";

/**
 * Servers and channels as they were a few minutes ago, so that a thousand cards ask once. Reads throw DiscordAPIError, and
 * what the connection does.
 */
export type ServerInfoCache = ReturnType<typeof createServerInfoCache>;

/** Names and languages may be this old. */
const freshMs = 5 * 60_000;
/** Who can read a channel is asked again before each message but those of the same moment: people make channels public. */
const readersMs = 2_000;

export function createServerInfoCache(rest: Pick<REST, "get">, now: () => number) {
  const cache = createAnswerCache(now);
  const server = (guildId: string, ms = freshMs) =>
    cache.recall("guild", { ms, owner: guildId }, () => readServerInfo(guildId, rest));
  const channel = (channelId: string, ms = freshMs) =>
    cache.recall("channel", { ms, owner: channelId }, () => readChannelFacts(channelId, rest));
  return {
    server,
    channel,
    /**
     * Whether everyone in the server can read a channel of it, as it was some seconds ago; undefined where Discord does not
     * tell.
     */
    async isOpenToEveryone(guildId: string, channelId: string) {
      const [{ everyone }, { overwrites }] = await Promise.all([
        server(guildId, readersMs),
        channel(channelId, readersMs),
      ]);
      if (everyone === undefined) return undefined;
      return isOpenToEveryone({ guildId, overwrites }, BigInt(everyone));
    },
    /** Reads that channel again when somebody asks for it next. */
    forget: cache.forget,
  };
}

const maxMessages = 5_000;
const messageMs = 24 * 3_600_000;

/** What is known about messages that were handled in the last day. */
export function createMessageCache<T extends string | number | boolean>(now: () => number) {
  return createCache<T>({ maxSize: maxMessages, maxAgeMs: messageMs, now });
}
