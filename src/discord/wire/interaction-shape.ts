import { ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from "discord.js";
import {
  byId,
  count,
  fields,
  list,
  matching,
  nullable,
  optional,
  type Shape,
  snowflake,
  text,
} from "./shape.ts";

// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object, as far as it is read here.

const bits = matching(/^\d{1,30}$/u);
const tag = matching(/^[a-z]{2,3}(?:-[A-Za-z\d]{2,8}){0,2}$/u);
const user = fields({ id: snowflake, username: text });

const attachment = fields({
  id: snowflake,
  filename: text,
  title: optional(nullable(text)),
  size: count,
  url: text,
});

const message = fields({
  id: snowflake,
  flags: optional(count),
  content: optional(text),
  attachments: list(attachment),
  embeds: optional(list(fields({}))),
  components: optional(list(fields({}))),
  interaction_metadata: optional(nullable(fields({ user: fields({ id: snowflake }) }))),
});

const resolved = optional(
  fields({
    attachments: optional(byId(attachment)),
    channels: optional(byId(fields({ id: snowflake, type: count }))),
    messages: optional(byId(message)),
  }),
);

const anyone = {
  id: snowflake,
  application_id: snowflake,
  token: matching(/^[\w.-]+$/u),
  type: count,
  locale: optional(tag),
  guild_locale: optional(tag),
  app_permissions: optional(bits),
  attachment_size_limit: optional(count),
};

const ofServer = {
  ...anyone,
  guild_id: snowflake,
  member: fields({ user, permissions: bits, roles: optional(list(snowflake)) }),
};
const ofConversation = { ...anyone, guild_id: optional(snowflake), user };

const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;

/** A plain option; below a command stand at most a group and a subcommand. */
const plainOption: Shape = fields({
  name: text,
  value: (value) => (["string", "number", "boolean"].includes(typeof value) ? undefined : ""),
});

function optionsOf(levels: number): Shape {
  if (levels === 0) return optional(list(plainOption));
  const nested = fields({ name: text, options: optionsOf(levels - 1) });
  return optional(list((option) => (isNested(option) ? nested : plainOption)(option)));
}

function isNested(option: unknown): boolean {
  const { type } = Object(option) as { type?: unknown };
  return type === Subcommand || type === SubcommandGroup;
}

const typed = fields({ name: text, options: optionsOf(2), resolved });
const menu = fields({ name: text, target_id: snowflake, resolved });

const command: Shape = (data) => {
  const { type } = Object(data) as { type?: unknown };
  return (type === ApplicationCommandType.ChatInput ? typed : menu)(data);
};

const component = fields({ custom_id: text, values: optional(list(text)) });

const input = fields({ type: count, custom_id: text, values: optional(list(text)) });
const submission = fields({
  custom_id: text,
  resolved,
  components: list(
    fields({ type: count, component: optional(input), components: optional(list(input)) }),
  ),
});

/** What each kind has beyond what all have; of kinds that are not known yet only that is read. */
const kinds: Readonly<Record<number, Readonly<Record<string, Shape>>>> = {
  [InteractionType.ApplicationCommand]: { data: command },
  [InteractionType.ApplicationCommandAutocomplete]: { data: typed },
  [InteractionType.MessageComponent]: { data: component, message },
  [InteractionType.ModalSubmit]: { data: submission, message: optional(message) },
};

/**
 * Where a raw interaction lacks what dispatch reads of it, such as `.data`; undefined for one that can be dealt with. It is
 * asked once, where interactions come in, so that nothing behind it has to doubt their types.
 */
export const interactionFault: Shape = (interaction) => {
  const { type, member } = Object(interaction) as { type?: unknown; member?: unknown };
  const own = member === undefined ? ofConversation : ofServer;
  return fields({ ...own, ...kinds[Number(type)] })(interaction);
};
