/** Discord's specification describes no events, so their own fields are listed here as in the documentation. */

export interface Part {
  readonly at: string;
  readonly schema: string;
  readonly value: unknown;
}

type Node = Readonly<Record<string, unknown>>;

function nodeOf(value: unknown): Node {
  return typeof value === "object" && value !== null ? (value as Node) : {};
}

// https://docs.discord.com/developers/resources/guild-scheduled-event#guild-scheduled-event-object
const eventFields = [
  ..."id guild_id channel_id name scheduled_start_time scheduled_end_time privacy_level".split(" "),
  ..."status entity_type entity_id entity_metadata recurrence_rule".split(" "),
];

// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
// https://docs.discord.com/developers/events/gateway-events#ready
export const documented = {
  READY: ["v", "user", "guilds", "session_id", "resume_gateway_url", "application"],
  RESUMED: [],
  GUILD_CREATE: [
    ..."id name owner_id roles emojis features joined_at large unavailable member_count".split(" "),
    ..."members channels threads voice_states presences stage_instances".split(" "),
    ..."guild_scheduled_events soundboard_sounds".split(" "),
  ],
  GUILD_DELETE: ["id"],
  GUILD_ROLE_UPDATE: ["guild_id", "role"],
  GUILD_MEMBERS_CHUNK: ["guild_id", "members", "chunk_index", "chunk_count"],
  GUILD_MEMBER_UPDATE: ["guild_id", "roles", "user", "nick", "joined_at"],
  GUILD_SCHEDULED_EVENT_CREATE: eventFields,
  GUILD_SCHEDULED_EVENT_UPDATE: eventFields,
  GUILD_SCHEDULED_EVENT_DELETE: eventFields,
  CHANNEL_CREATE: ["id", "type", "guild_id"],
  CHANNEL_UPDATE: ["id", "type", "guild_id"],
  CHANNEL_DELETE: ["id", "type", "guild_id"],
  CHANNEL_PINS_UPDATE: ["channel_id"],
  THREAD_CREATE: ["id", "type", "guild_id", "parent_id", "newly_created"],
  THREAD_UPDATE: ["id", "type", "guild_id", "parent_id"],
  THREAD_DELETE: ["id", "type", "guild_id", "parent_id"],
  MESSAGE_CREATE: ["id", "channel_id", "author", "content", "timestamp", "mentions"],
  MESSAGE_UPDATE: ["id", "channel_id", "author", "content", "timestamp", "mentions"],
  MESSAGE_DELETE: ["id", "channel_id"],
  MESSAGE_REACTION_ADD: [
    ..."user_id channel_id message_id emoji message_author_id burst type".split(" "),
  ],
  MESSAGE_REACTION_REMOVE: ["user_id", "channel_id", "message_id", "emoji", "burst", "type"],
  MESSAGE_REACTION_REMOVE_ALL: ["channel_id", "message_id"],
  MESSAGE_REACTION_REMOVE_EMOJI: ["channel_id", "message_id", "emoji"],
  TYPING_START: ["channel_id", "user_id", "timestamp"],
  INTERACTION_CREATE: [
    ..."id application_id type data guild guild_id channel channel_id member token".split(" "),
    ..."version app_permissions locale guild_locale entitlements context".split(" "),
    ...["authorizing_integration_owners", "attachment_size_limit"],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

// In a conversation with the bot there is no server, so `user` replaces `member`.
const ofServer = ["guild", "guild_id", "guild_locale", "member"];
const ofUser = ["user"];
const directContext = 1;

function fieldsOf(kind: keyof typeof documented, { context }: Node): readonly string[] {
  const all: readonly string[] = documented[kind];
  if (kind !== "INTERACTION_CREATE" || context !== directContext) return all;
  return [...all.filter((field) => !ofServer.includes(field)), ...ofUser];
}

export function missingFields(kind: keyof typeof documented, object: unknown): readonly string[] {
  const fields = nodeOf(object);
  return fieldsOf(kind, fields)
    .filter((field) => fields[field] === undefined)
    .map((field) => `lacks ${field}`);
}

export function readyParts(object: unknown): readonly Part[] {
  const { user } = nodeOf(object);
  return [{ at: "user", schema: "UserResponse", value: without(user, readyOnly) }];
}

// Only the bot's own user has these, and the specification only knows them together with a locale.
const readyOnly = ["mfa_enabled", "verified", "email"];

function without(value: unknown, fields: readonly string[]): unknown {
  const entries = Object.entries(nodeOf(value));
  return Object.fromEntries(entries.filter(([field]) => !fields.includes(field)));
}

function each(value: unknown, at: string, schema: string): readonly Part[] {
  return Object.entries(nodeOf(value)).map(([id, one]) => ({
    at: `${at}/${id}`,
    schema,
    value: one,
  }));
}

// Discord has sent the bot's permissions there since 2026-07-16; the specification does not know that yet.
const withoutRights = ({ value, ...part }: Part): Part => ({
  ...part,
  value: without(value, ["app_permissions"]),
});

function schemaOf(channel: unknown): string {
  return nodeOf(channel).type === 11 ? "ThreadResponse" : "GuildChannelResponse";
}

const eventOnly = ["guild_id", "member", "newly_created"];

function listed(value: unknown, at: string, schema: string): readonly Part[] {
  return Array.isArray(value) ? each(value, at, schema) : [];
}

/** The parts of an event that the specification describes: servers, members, messages and so on. */
export function eventParts(kind: string, object: unknown): readonly Part[] {
  const { members, roles, channels, threads, role } = nodeOf(object);
  if (kind === "GUILD_CREATE" || kind === "GUILD_MEMBERS_CHUNK") {
    return [
      ...listed(members, "members", "GuildMemberResponse"),
      ...listed(roles, "roles", "GuildRoleResponse"),
      ...listed(channels, "channels", "GuildChannelResponse"),
      ...listed(threads, "threads", "ThreadResponse"),
    ];
  }
  if (kind === "GUILD_ROLE_UPDATE")
    return [{ at: "role", schema: "GuildRoleResponse", value: role }];
  const schema = wholes[kind];
  return schema === undefined
    ? []
    : [{ at: "", schema, value: without(object, eventOnlyOf(kind)) }];
}

/** Events that consist of one object, with its schema. */
const wholes: Readonly<Record<string, string>> = {
  GUILD_MEMBER_UPDATE: "GuildMemberResponse",
  CHANNEL_CREATE: "GuildChannelResponse",
  CHANNEL_UPDATE: "GuildChannelResponse",
  CHANNEL_DELETE: "GuildChannelResponse",
  THREAD_CREATE: "ThreadResponse",
  THREAD_UPDATE: "ThreadResponse",
  MESSAGE_CREATE: "MessageResponse",
  MESSAGE_UPDATE: "MessageResponse",
};

// A channel's `guild_id` belongs to the channel itself, not to the event.
function eventOnlyOf(kind: string): readonly string[] {
  return /^(CHANNEL|THREAD)/.test(kind) ? ["newly_created"] : eventOnly;
}

export function interactionParts(object: unknown): readonly Part[] {
  const { member, user, message, channel, data, context } = nodeOf(object);
  const resolved = nodeOf(nodeOf(data).resolved);
  const isDirect = context === directContext;
  return [
    isDirect
      ? { at: "user", schema: "UserResponse", value: user }
      : { at: "member", schema: "GuildMemberResponse", value: without(member, ["permissions"]) },
    {
      at: "channel",
      schema: isDirect ? "PrivateChannelResponse" : schemaOf(channel),
      value: channel,
    },
    ...each(resolved.channels, "channels", "")
      .map((part) => ({ ...part, schema: schemaOf(part.value) }))
      .map(withoutRights),
    ...(message === undefined
      ? []
      : [{ at: "message", schema: "MessageResponse", value: message }]),
    ...each(resolved.attachments, "attachments", "MessageAttachmentResponse"),
    ...each(resolved.messages, "messages", "MessageResponse"),
    ...each(resolved.users, "users", "UserResponse"),
    ...each(resolved.roles, "roles", "GuildRoleResponse"),
  ];
}
