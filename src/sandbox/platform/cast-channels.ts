import type {
  APIDMChannel,
  APIGuildForumChannel,
  APIGuildForumTag,
  APIOverwrite,
  APITextChannel,
  APIUser,
  ChannelType,
  OverwriteType,
} from "discord-api-types/v10";

/** Where messages are written, or posts are begun. */
export type ServerChannel = APITextChannel | APIGuildForumChannel;

interface ChannelPlace {
  readonly guildId: string;
  readonly position: number;
  readonly overwrites?: readonly APIOverwrite[];
}

export function textChannel(
  id: string,
  name: string,
  { guildId, position, overwrites = [] }: ChannelPlace,
): APITextChannel {
  const made = {
    id,
    type: 0 as ChannelType.GuildText,
    last_message_id: null,
    flags: 0,
    guild_id: guildId,
    name,
    parent_id: null,
    rate_limit_per_user: 0,
    topic: null,
    position,
    permission_overwrites: overwrites,
    nsfw: false,
  };
  // The types ask for a pin time and archive settings, which such a channel has not.
  return made as unknown as APITextChannel;
}

export function tag(id: string, name: string): APIGuildForumTag {
  return { id, name, moderated: false, emoji_id: null, emoji_name: null };
}

export function forum(
  id: string,
  name: string,
  { tags, ...place }: ChannelPlace & { readonly tags: readonly APIGuildForumTag[] },
): APIGuildForumChannel {
  const made = {
    ...textChannel(id, name, place),
    type: 15 as ChannelType.GuildForum,
    topic: "One post for each comment that waits for a decision.",
    available_tags: tags,
    default_reaction_emoji: null,
    default_sort_order: null,
    default_forum_layout: 0,
    default_thread_rate_limit_per_user: 0,
  };
  // As above: the types ask for more than such a channel has.
  return made as unknown as APIGuildForumChannel;
}

export function overwrite(id: string, { allow = 0n, deny = 0n }): APIOverwrite {
  return { id, type: 0 as OverwriteType.Role, allow: String(allow), deny: String(deny) };
}

export function directChannel(id: string, recipient: APIUser): APIDMChannel {
  const made = { id, type: 1, last_message_id: null, flags: 0, recipients: [recipient] };
  // The types ask for a name, which such a channel has not.
  return made as unknown as APIDMChannel;
}
