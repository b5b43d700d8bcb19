import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  type RESTPostAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { Command, Menu, OptionSet, Subcommand } from "./command.ts";
import type { Option } from "./options.ts";

/** Commands and menus by the names they have in Discord. */
export type Catalogue = ReadonlyMap<string, Command | Menu>;

type Definition = RESTPostAPIApplicationCommandsJSONBody;

// Servers only: every credential belongs to one.
const place = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/** What Discord is told about the commands. */
export function define(catalogue: Catalogue): Definition[] {
  return [...catalogue].map(([name, entry]) =>
    entry.kind === "menu"
      ? { type: ApplicationCommandType.Message, name: entry.title, ...place }
      : defineCommand(name, entry),
  );
}

function defineCommand(name: string, command: Command): Definition {
  return {
    type: ApplicationCommandType.ChatInput,
    name,
    description: command.description ?? command.run?.description ?? name,
    ...place,
    ...(command.hiddenFromMembers === true
      ? { default_member_permissions: `${PermissionFlagsBits.ManageGuild}` }
      : {}),
    options:
      command.subcommands === undefined
        ? defineOptions(command.run?.options)
        : Object.entries(command.subcommands).map(([sub, declaration]) =>
            defineSubcommand(sub, declaration),
          ),
  };
}

function defineSubcommand(name: string, declaration: Subcommand) {
  return {
    type: ApplicationCommandOptionType.Subcommand as const,
    name,
    description: declaration.description,
    options: defineOptions(declaration.options),
  };
}

/** Required options first, as Discord demands; otherwise in the order of the declaration. */
function defineOptions(options: OptionSet | undefined): APIApplicationCommandBasicOption[] {
  const entries = Object.entries(options ?? {});
  const sorted = [
    ...entries.filter(([, option]) => option.required),
    ...entries.filter(([, option]) => !option.required),
  ];
  return sorted.map(([name, option]) => defineOption(name, option));
}

const types = {
  string: ApplicationCommandOptionType.String,
  integer: ApplicationCommandOptionType.Integer,
  number: ApplicationCommandOptionType.Number,
  boolean: ApplicationCommandOptionType.Boolean,
  attachment: ApplicationCommandOptionType.Attachment,
} as const satisfies Record<Option["type"], ApplicationCommandOptionType>;

function defineOption(name: string, option: Option): APIApplicationCommandBasicOption {
  const bounds =
    option.type === "string"
      ? { min_length: option.min, max_length: option.max }
      : { min_value: option.min, max_value: option.max };
  const given = {
    ...bounds,
    choices: option.choices,
    autocomplete: option.suggest === undefined ? undefined : true,
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  // Each kind of option takes only some of these; the declaration's builders give a kind just what it takes.
  return {
    type: types[option.type],
    name,
    description: option.description,
    required: option.required,
    ...Object.fromEntries(present),
  } as APIApplicationCommandBasicOption;
}
