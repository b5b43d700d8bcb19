import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionType,
} from "discord-api-types/v10";
import {
  countShape,
  listShape,
  mapShape,
  nullableShape,
  objectShape,
  optionalShape,
  patternShape,
  type ShapeCheck,
  snowflakeShape,
  textShape,
} from "./shape.ts";

// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object, as far as this program reads it.

const bits = patternShape(/^\d{1,30}$/u);
const tag = patternShape(/^[a-z]{2,3}(?:-[A-Za-z\d]{2,8}){0,2}$/u);
const user = objectShape({ id: snowflakeShape, username: textShape });

const attachment = objectShape({
  id: snowflakeShape,
  filename: textShape,
  title: optionalShape(nullableShape(textShape)),
  size: countShape,
  url: textShape,
});

const message = objectShape({
  id: snowflakeShape,
  flags: optionalShape(countShape),
  content: optionalShape(textShape),
  attachments: listShape(attachment),
  embeds: optionalShape(listShape(objectShape({}))),
  components: optionalShape(listShape(objectShape({}))),
  interaction_metadata: optionalShape(
    nullableShape(objectShape({ user: objectShape({ id: snowflakeShape }) })),
  ),
});

const resolved = optionalShape(
  objectShape({
    attachments: optionalShape(mapShape(attachment)),
    channels: optionalShape(mapShape(objectShape({ id: snowflakeShape, type: countShape }))),
    messages: optionalShape(mapShape(message)),
  }),
);

const anyone = {
  id: snowflakeShape,
  application_id: snowflakeShape,
  token: patternShape(/^[\w.-]+$/u),
  type: countShape,
  locale: optionalShape(tag),
  guild_locale: optionalShape(tag),
  app_permissions: optionalShape(bits),
  attachment_size_limit: optionalShape(countShape),
};

const ofServer = objectShape({
  ...anyone,
  guild_id: snowflakeShape,
  member: objectShape({
    user,
    // Only a hint: what counts are the server's roles, which are read where the hint is missing.
    permissions: optionalShape(nullableShape(bits)),
    roles: optionalShape(listShape(snowflakeShape)),
  }),
});
const ofConversation = objectShape({ ...anyone, guild_id: optionalShape(snowflakeShape), user });

const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;

/** A plain option; it is at most below a group and a subcommand. */
const plainOption: ShapeCheck = objectShape({
  name: textShape,
  value: (value) => (["string", "number", "boolean"].includes(typeof value) ? undefined : ""),
});

function optionsShape(levels: number): ShapeCheck {
  if (levels === 0) return optionalShape(listShape(plainOption));
  const nested = objectShape({ name: textShape, options: optionsShape(levels - 1) });
  const option: ShapeCheck = (value) => {
    const { type } = Object(value) as { type?: unknown };
    return (type === Subcommand || type === SubcommandGroup ? nested : plainOption)(value);
  };
  return optionalShape(listShape(option));
}

const typed = objectShape({ name: textShape, options: optionsShape(2), resolved });
const menu = objectShape({ name: textShape, target_id: snowflakeShape, resolved });

const command: ShapeCheck = (data) => {
  const { type } = Object(data) as { type?: unknown };
  return (type === ApplicationCommandType.ChatInput ? typed : menu)(data);
};

const used = { custom_id: textShape, values: optionalShape(listShape(textShape)) };
const component = objectShape(used);
const input = objectShape({ ...used, type: countShape });
const submission = objectShape({
  custom_id: textShape,
  resolved,
  components: listShape(
    objectShape({
      type: countShape,
      component: optionalShape(input),
      components: optionalShape(listShape(input)),
    }),
  ),
});

/** What each kind has in addition to the common fields; an unknown kind has only those. */
const kinds: Readonly<Record<number, ShapeCheck>> = {
  [InteractionType.ApplicationCommand]: objectShape({ data: command }),
  [InteractionType.ApplicationCommandAutocomplete]: objectShape({ data: typed }),
  [InteractionType.MessageComponent]: objectShape({ data: component, message }),
  [InteractionType.ModalSubmit]: objectShape({ data: submission, message: optionalShape(message) }),
};

/**
 * Where a raw interaction lacks something that dispatch reads, such as `.data`; undefined where it can be handled. Checked
 * once, where interactions come in, so that nothing after that has to doubt their types.
 */
export const malformedField: ShapeCheck = (interaction) => {
  const { type, member } = Object(interaction) as { type?: unknown; member?: unknown };
  const common = member === undefined ? ofConversation : ofServer;
  return common(interaction) ?? kinds[Number(type)]?.(interaction);
};
