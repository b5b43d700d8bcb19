import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import { descriptionIn, type Locale, nameIn } from "../../locales.ts";
import type { HelloEvent } from "../../protocol.ts";
import { roleLabel, shownName } from "../state/names.ts";
import { channelsFor } from "../state/place.ts";

export interface Choice {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** One option of a command that is being typed. */
export interface Field {
  readonly option: ShownOption;
  readonly text: string;
  /** Taken from a list; typing drops it. */
  readonly chosen?: Choice | undefined;
  readonly file?: File | undefined;
}

const booleans: readonly Choice[] = [
  { name: "True", value: true },
  { name: "False", value: false },
];

export function emptyField(option: ShownOption): Field {
  return { option, text: "" };
}

export function isEmpty(field: Field): boolean {
  return field.text.trim() === "" && field.chosen === undefined && field.file === undefined;
}

export function isAutocompleted({ option }: Field): boolean {
  return "autocomplete" in option && option.autocomplete === true;
}

/** The fixed list an option is chosen from; undefined where it is typed freely or suggested. */
export function listOf(
  { option }: Field,
  hello: HelloEvent | undefined,
): readonly Choice[] | undefined {
  const users = hello?.people.map(({ user }) => ({ name: shownName(user), value: user.id })) ?? [];
  const roles = hello?.roles.map((role) => ({ name: roleLabel(role), value: role.id })) ?? [];
  switch (option.type) {
    case OptionType.Boolean:
      return booleans;
    case OptionType.User:
      return users;
    case OptionType.Role:
      return roles;
    case OptionType.Mentionable:
      return [...users, ...roles];
    case OptionType.Channel:
      return channelsFor(hello, option.channel_types).map(({ id, name }) => ({
        name: `#${name}`,
        value: id,
      }));
    case OptionType.Attachment:
      return undefined;
    default:
      return fixedChoices(option);
  }
}

function fixedChoices(
  option: APIApplicationCommandBasicOption,
): readonly APIApplicationCommandOptionChoice[] | undefined {
  if (!("choices" in option) || !option.choices?.length) return undefined;
  return option.choices as readonly APIApplicationCommandOptionChoice[];
}

/** What of a list fits the typed text; all of it while a choice stands. */
export function narrow(list: readonly Choice[], field: Field): readonly Choice[] {
  const text = field.text.trim().toLowerCase();
  if (text === "" || field.chosen) return list;
  return list.filter(({ name }) => name.toLowerCase().includes(text));
}

/** The value to send, attachments aside; undefined when the field is empty. */
export function valueOfField(field: Field): string | number | boolean | undefined {
  if (field.chosen) return field.chosen.value;
  if (field.text.trim() === "") return undefined;
  const isNumeric =
    field.option.type === OptionType.Integer || field.option.type === OptionType.Number;
  return isNumeric ? Number(field.text) : field.text;
}

/** An option as one person reads it: description and choices are in their language, `name` stays the command's own. */
export type ShownOption = APIApplicationCommandBasicOption & {
  /** Its name in their language. */
  readonly label: string;
};

export function optionIn(option: APIApplicationCommandBasicOption, locale: Locale): ShownOption {
  const shown = {
    ...option,
    label: nameIn(option, locale),
    description: descriptionIn(option, locale),
  };
  if (!("choices" in option) || option.choices === undefined) return shown;
  const choices = option.choices.map((choice) => ({ ...choice, name: nameIn(choice, locale) }));
  // Which type of choices an option has goes with its own type, and that has not changed.
  return { ...shown, choices } as ShownOption;
}
