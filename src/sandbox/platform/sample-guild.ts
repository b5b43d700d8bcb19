import type {
  APIDMChannel,
  APIGuildForumChannel,
  APIGuildForumTag,
  APIOverwrite,
  APIRole,
  APITextChannel,
  APIUser,
  ChannelType,
  OverwriteType,
  RoleFlags,
  UserFlags,
} from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { samplePermissions } from "./permissions.ts";
import { createSnowflakes } from "./snowflake.ts";

/** A sample member of the server. */
export interface SampleMember {
  readonly name: PersonName;
  readonly user: APIUser;
  readonly role: APIRole;
  readonly joinedAt: string;
}

/** The server as it is when the stand-in starts, with its members. */
export interface SampleGuild {
  readonly bot: APIUser;
  readonly guildId: string;
  readonly guildName: string;
  readonly roles: readonly APIRole[];
  readonly botRole: APIRole;
  readonly people: Readonly<Record<PersonName, SampleMember>>;
  /** The one for everybody first. */
  /** Those that are created later are added. */
  readonly channels: ServerChannel[];
  /** The direct conversation of the bot and one person; it is empty until one of them opens it. */
  readonly directChannels: Readonly<Record<PersonName, APIDMChannel>>;
}

// Types of flags have no name for none.
const noFlags = 0 as number as UserFlags;

export const personNames: readonly PersonName[] = ["owner", "moderator", "member"];

const shown: Readonly<Record<PersonName, { username: string; name: string; color: number }>> = {
  owner: { username: "robin", name: "Robin", color: 0xf0_a0_4b },
  moderator: { username: "kim", name: "Kim", color: 0x4c_c3_8a },
  member: { username: "alex", name: "Alex", color: 0x8f_b2_f5 },
};

function user(id: string, username: string, name: string | null, isBot: boolean): APIUser {
  return {
    id,
    username,
    avatar: Buffer.from(username.padEnd(16, "-").slice(0, 16)).toString("hex"),
    discriminator: isBot ? "0042" : "0",
    public_flags: noFlags,
    flags: noFlags,
    ...(isBot ? { bot: true } : {}),
    banner: null,
    accent_color: null,
    global_name: name,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
  };
}

// Roles that anyone may mention, without the right to mention everyone.
const callable: readonly PersonName[] = ["moderator"];

function role(id: string, name: string, held: bigint, rest: Partial<APIRole> = {}): APIRole {
  const color = rest.color ?? 0;
  return {
    id,
    name,
    permissions: String(held),
    position: 0,
    color,
    colors: { primary_color: color, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0 as RoleFlags,
    ...rest,
  };
}

const held: Readonly<Record<PersonName, bigint>> = {
  owner: samplePermissions.all,
  moderator: samplePermissions.moderator,
  member: samplePermissions.everyone,
};

// 1 May 2026. Ids stay the same over restarts, because the bot's store refers to them.
const castAt = 1_777_593_600_000;

export function createSampleGuild(): SampleGuild {
  const nextId = createSnowflakes(() => castAt);
  const joinedAt = new Date(castAt).toISOString();
  const guildId = nextId();
  const bot = user(nextId(), "Greenroom", null, true);
  const botRole = role(nextId(), "Greenroom", samplePermissions.bot, {
    managed: true,
    position: 1,
    tags: { bot_id: bot.id },
  });
  const person = (name: PersonName, position: number): SampleMember => {
    const { username, name: display, color } = shown[name];
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    return {
      name,
      user: user(nextId(), username, display, false),
      role: role(nextId(), title, held[name], {
        position,
        color,
        hoist: true,
        mentionable: callable.includes(name),
      }),
      joinedAt,
    };
  };
  const people = {
    owner: person("owner", 4),
    moderator: person("moderator", 3),
    member: person("member", 2),
  };
  const roles = [
    role(guildId, "@everyone", samplePermissions.everyone),
    botRole,
    ...Object.values(people).map((each) => each.role),
  ];
  const view = samplePermissions.viewChannel;
  const overwrites = [
    overwrite(guildId, { deny: view }),
    ...[people.moderator.role, botRole].map(({ id }) => overwrite(id, { allow: view })),
  ];
  const texts = [
    textChannel(nextId(), "greenroom", { guildId, position: 0 }),
    textChannel(nextId(), "moderators", { guildId, position: 1, overwrites }),
  ];
  const directChannels = {
    owner: directChannel(nextId(), people.owner.user),
    moderator: directChannel(nextId(), people.moderator.user),
    member: directChannel(nextId(), people.member.user),
  };
  const tags = ["Waiting", "Approved", "Rejected"].map((name) => tag(nextId(), name));
  const reviews = forum(nextId(), "review-forum", { guildId, position: 2, overwrites, tags });
  const channels = [...texts, reviews];
  const guildName = "Greenroom Studio";
  return { bot, guildId, guildName, roles, botRole, people, channels, directChannels };
}

/** Where messages are written, or posts are begun. */
export type ServerChannel = APITextChannel | APIGuildForumChannel;

export interface SampleChannelOptions {
  readonly guildId: string;
  readonly position: number;
  readonly overwrites?: readonly APIOverwrite[];
}

/** A text channel as Discord shows it. */
export function textChannel(
  id: string,
  name: string,
  { guildId, position, overwrites = [] }: SampleChannelOptions,
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
  // The type requires a pin time and archive settings, which a text channel does not have.
  return made as unknown as APITextChannel;
}

function tag(id: string, name: string): APIGuildForumTag {
  return { id, name, moderated: false, emoji_id: null, emoji_name: null };
}

function forum(
  id: string,
  name: string,
  { tags, ...place }: SampleChannelOptions & { readonly tags: readonly APIGuildForumTag[] },
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

function overwrite(id: string, { allow = 0n, deny = 0n }): APIOverwrite {
  return { id, type: 0 as OverwriteType.Role, allow: String(allow), deny: String(deny) };
}

function directChannel(id: string, recipient: APIUser): APIDMChannel {
  const made = { id, type: 1, last_message_id: null, flags: 0, recipients: [recipient] };
  // The type requires a name, which a direct channel does not have.
  return made as unknown as APIDMChannel;
}
