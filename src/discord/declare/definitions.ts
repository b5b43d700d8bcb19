import type {
  APIApplicationCommandBasicOption,
  RESTPostAPIApplicationCommandsJSONBody,
} from "discord.js";
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  Locale,
} from "discord-api-types/v10";
import { type Languages, localeFor } from "../../language/index.ts";
import { type Rank, ranks, showingPermissions } from "../rank.ts";
import type { Command, Menu, OptionSet } from "./command.ts";
import type { Option } from "./option.ts";
import { channelTypes } from "./text-channel.ts";

/** Commands and menus by the names they have in Discord. */
export type CommandCatalogue = ReadonlyMap<string, Command | Menu>;

type Definition = RESTPostAPIApplicationCommandsJSONBody;
type Translations = Partial<Readonly<Record<Locale, string>>>;

// Servers only: every credential belongs to one.
const place = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/**
 * The commands as Discord registers them, in every language.
 * @throws TypeError for a name or description that English does not have
 */
export function defineCommands(catalogue: CommandCatalogue, languages: Languages): Definition[] {
  return [...catalogue].map(([name, entry]) =>
    entry.kind === "menu"
      ? {
          type: ApplicationCommandType.Message,
          name: entry.title,
          // Its file, and so its messages, are named after its title.
          name_localizations: translations(languages, [
            `${entry.title.toLowerCase().replaceAll(" ", "-")}.title`,
          ]),
          ...place,
          ...shownFrom(entry.rank ?? "member"),
        }
      : defineCommand(name, entry, languages),
  );
}

function defineCommand(name: string, command: Command, languages: Languages): Definition {
  const keys = `${name}.command`;
  const { run, subcommands = {} } = command;
  const all = run === undefined ? Object.values(subcommands) : [run];
  const wanted = all.map(({ rank = "member" }) => rank);
  return {
    type: ApplicationCommandType.ChatInput,
    name,
    ...labels(languages, [keys]),
    ...place,
    ...shownFrom(ranks.find((rank) => wanted.includes(rank)) ?? "member"),
    options:
      run !== undefined
        ? defineOptions(run.options ?? {}, keys, languages)
        : Object.entries(subcommands).map(([sub, declaration]) => ({
            type: ApplicationCommandOptionType.Subcommand as const,
            name: sub,
            ...labels(languages, [`${keys}.${sub}`]),
            options: defineOptions(declaration.options ?? {}, `${keys}.${sub}`, languages),
          })),
  };
}

/**
 * Discord shows a command to those who have the permission, unless the server says otherwise under Server Settings →
 * Integrations; it knows no permissions of single subcommands. Our own check decides all the same.
 */
function shownFrom(rank: Rank): Pick<Definition, "default_member_permissions"> {
  const permission = showingPermissions[rank];
  return permission === undefined ? {} : { default_member_permissions: `${permission}` };
}

/** Required options first, as Discord demands; otherwise in the order of the declaration. */
function defineOptions(
  options: OptionSet,
  keys: string,
  languages: Languages,
): APIApplicationCommandBasicOption[] {
  return Object.entries(options)
    .sort(([, one], [, other]) => Number(other.required) - Number(one.required))
    .map(([name, option]) => defineOption(name, option, { keys, languages }));
}

const types = {
  string: ApplicationCommandOptionType.String,
  integer: ApplicationCommandOptionType.Integer,
  number: ApplicationCommandOptionType.Number,
  boolean: ApplicationCommandOptionType.Boolean,
  attachment: ApplicationCommandOptionType.Attachment,
  role: ApplicationCommandOptionType.Role,
  user: ApplicationCommandOptionType.User,
  channel: ApplicationCommandOptionType.Channel,
} as const satisfies Record<Option["type"], ApplicationCommandOptionType>;

interface Naming {
  /** Message key of the command or subcommand. */
  readonly keys: string;
  readonly languages: Languages;
}

function defineOption(
  name: string,
  option: Option,
  { keys, languages }: Naming,
): APIApplicationCommandBasicOption {
  const bounds =
    option.type === "string"
      ? { min_length: option.min, max_length: option.max }
      : { min_value: option.min, max_value: option.max };
  const given = {
    ...bounds,
    choices: option.choices?.values.map((value) => {
      const texts = [`choices.${option.choices?.group}.${value}`];
      const name_localizations = translations(languages, texts);
      return { name: english(languages, texts), value, name_localizations };
    }),
    channel_types: option.type === "channel" ? channelTypes[option.channels ?? "texts"] : undefined,
    autocomplete: option.suggest === undefined ? undefined : true,
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  // Each type of option takes only some of these, and the builders of options set only those.
  return {
    type: types[option.type],
    name,
    ...labels(languages, [`${keys}.options.${name}`, `options.${name}`]),
    required: option.required,
    ...Object.fromEntries(present),
  } as APIApplicationCommandBasicOption;
}

/** Description and translations; the name in English is the declaration's own. */
function labels(languages: Languages, places: readonly string[]) {
  const names = places.map((key) => `${key}.name`);
  const descriptions = places.map((key) => `${key}.description`);
  return {
    name_localizations: translations(languages, names),
    description: english(languages, descriptions),
    description_localizations: translations(languages, descriptions),
  };
}

function english(languages: Languages, keys: readonly string[]): string {
  const text = findFirst(languages, keys).get("en-US");
  if (text === undefined) throw new TypeError(`English has no ${keys.join(" or ")}`);
  return text;
}

/** Every locale of Discord's that we answer in another language than English: `es-419` has the words of `es-ES`. */
const translated = Object.values(Locale)
  .map((locale) => [locale, localeFor(locale)] as const)
  .filter(([, ours]) => ours !== "en-US");

function translations(languages: Languages, keys: readonly string[]): Translations {
  const texts = findFirst(languages, keys);
  return Object.fromEntries(
    translated.flatMap(([locale, ours]) => {
      const text = texts.get(ours);
      return text === undefined ? [] : [[locale, text]];
    }),
  );
}

/** A subcommand's own words come before those that several share. */
function findFirst(languages: Languages, keys: readonly string[]): ReadonlyMap<string, string> {
  for (const key of keys) {
    const found = languages.each(key);
    if (found.size > 0) return found;
  }
  return new Map();
}
