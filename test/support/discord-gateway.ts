/** The specification describes no events; their own fields are listed here as the documentation has them. */

export interface Part {
  readonly at: string;
  readonly schema: string;
  readonly value: unknown;
}

type Node = Readonly<Record<string, unknown>>;

function nodeOf(value: unknown): Node {
  return typeof value === "object" && value !== null ? (value as Node) : {};
}

// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
// https://docs.discord.com/developers/events/gateway-events#ready
const documented: Readonly<Record<string, readonly string[]>> = {
  READY: ["v", "user", "guilds", "session_id", "resume_gateway_url", "application"],
  RESUMED: [],
  INTERACTION_CREATE: [
    "id",
    "application_id",
    "type",
    "data",
    "guild",
    "guild_id",
    "channel",
    "channel_id",
    "member",
    "token",
    "version",
    "app_permissions",
    "locale",
    "guild_locale",
    "entitlements",
    "authorizing_integration_owners",
    "context",
    "attachment_size_limit",
  ],
};

// In a conversation with the bot there is no server; who acts is a user then, and no member.
const ofServer = ["guild", "guild_id", "guild_locale", "member"];
const ofUser = ["user"];
const directContext = 1;

function fieldsOf(kind: string, { context }: Node): readonly string[] {
  const all = documented[kind] ?? [];
  if (context !== directContext) return all;
  return [...all.filter((field) => !ofServer.includes(field)), ...ofUser];
}

export function missingFields(kind: string, object: unknown): readonly string[] {
  const fields = nodeOf(object);
  return fieldsOf(kind, fields)
    .filter((field) => fields[field] === undefined)
    .map((field) => `lacks ${field}`);
}

export function readyParts(object: unknown): readonly Part[] {
  const { user } = nodeOf(object);
  return [{ at: "user", schema: "UserResponse", value: without(user, readyOnly) }];
}

// Only the account's own user has these, and the specification knows them with a locale only.
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

// What the bot may do there is told since 2026-07-16; the specification does not know it yet.
const withoutRights = ({ value, ...part }: Part): Part => ({
  ...part,
  value: without(value, ["app_permissions"]),
});

function schemaOf(channel: unknown): string {
  return nodeOf(channel).type === 11 ? "ThreadResponse" : "GuildChannelResponse";
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
