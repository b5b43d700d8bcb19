import type { REST } from "discord.js";
import { createMemory } from "../access/memory.ts";
import { type ChannelFacts, channelFacts } from "../wire/channel.ts";
import { type GuildInfo, guildInfo } from "../wire/post.ts";

/** Servers and channels as they were a few minutes ago, so that a thousand cards ask once. */
export interface Places {
  /** @throws DiscordAPIError, and what the connection does */
  guild(guildId: string): Promise<GuildInfo>;
  /** @throws DiscordAPIError, and what the connection does */
  channel(channelId: string): Promise<ChannelFacts>;
  /** The next who asks about that channel is told how it is now. */
  forget(channelId: string): void;
}

/** So long a name or a language may be an old one. */
const freshMs = 5 * 60_000;

export function createPlaces(rest: Pick<REST, "get">, now: () => number): Places {
  const memory = createMemory(now);
  return {
    guild: (guildId) =>
      memory.recall("guild", { ms: freshMs, owner: guildId }, () => guildInfo(guildId, rest)),
    channel: (channelId) =>
      memory.recall("channel", { ms: freshMs, owner: channelId }, () =>
        channelFacts(channelId, rest),
      ),
    forget: memory.forget,
  };
}
