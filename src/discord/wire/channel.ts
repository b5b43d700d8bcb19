import type { APIGuildForumTag, APIOverwrite, REST, Snowflake } from "discord.js";
import { ChannelFlags, ChannelType, Routes } from "discord-api-types/v10";

/** What has to be known about a channel before something is posted in it. */
export interface ChannelFacts {
  readonly id: string;
  readonly name: string;
  /** Undefined for conversations. */
  readonly guildId: string | undefined;
  /** Whether each message in it is a post of its own. */
  readonly isForum: boolean;
  /** As Discord has them, because they are changed all at once. */
  readonly tags: readonly APIGuildForumTag[];
  /** Whether a post without a tag is refused. */
  readonly needsTag: boolean;
  /** For a post: the tags it already has. */
  readonly applied: readonly Snowflake[];
  readonly isArchived: boolean;
  /** What roles and people may do here besides, or may not; of a thread, those of its channel count. */
  readonly overwrites: readonly Pick<APIOverwrite, "id" | "allow" | "deny">[];
}

const forums: ReadonlySet<unknown> = new Set([ChannelType.GuildForum, ChannelType.GuildMedia]);

/** @throws DiscordAPIError, and what the connection does */
export async function readChannelFacts(
  channelId: string,
  rest: Pick<REST, "get">,
): Promise<ChannelFacts> {
  // Only what every channel has, and what forums and their posts have besides.
  const channel = (await rest.get(Routes.channel(channelId))) as {
    readonly id: string;
    readonly type: number;
    readonly name?: string | null;
    readonly guild_id?: string;
    readonly available_tags?: readonly APIGuildForumTag[];
    readonly flags?: number;
    readonly applied_tags?: readonly Snowflake[];
    readonly thread_metadata?: { readonly archived: boolean };
    readonly permission_overwrites?: ChannelFacts["overwrites"];
  };
  return {
    id: channel.id,
    name: channel.name ?? "",
    guildId: channel.guild_id,
    isForum: forums.has(channel.type),
    tags: channel.available_tags ?? [],
    needsTag: ((channel.flags ?? 0) & ChannelFlags.RequireTag) !== 0,
    applied: channel.applied_tags ?? [],
    isArchived: channel.thread_metadata?.archived === true,
    overwrites: channel.permission_overwrites ?? [],
  };
}
