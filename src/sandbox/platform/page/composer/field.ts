import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import { type DiscordLocale, descriptionIn, nameIn } from "../../locales.ts";
import type { HelloEvent } from "../../protocol.ts";
import { channelsFor } from "../state/channels.ts";
import { roleLabel, shownName } from "../state/names.ts";

export interface FieldChoice {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** One option of a command that is being typed. */
export interface OptionField {
  readonly option: ShownOption;
  readonly text: string;
  /** Taken from a list; typing drops it. */
  readonly chosen?: FieldChoice | undefined;
  readonly file?: File | undefined;
}

const booleans: readonly FieldChoice[] = [
  { name: "True", value: true },
  { name: "False", value: false },
];

export function emptyField(option: ShownOption): OptionField {
  return { option, text: "" };
}

export function isEmpty(field: OptionField): boolean {
  return field.text.trim() === "" && field.chosen === undefined && field.file === undefined;
}

export function isAutocompleted({ option }: OptionField): boolean {
  return "autocomplete" in option && option.autocomplete === true;
}

/** The fixed list an option is chosen from; undefined where it is typed freely or suggested. */
export function fixedListOf(
  { option }: OptionField,
  hello: HelloEvent | undefined,
): readonly FieldChoice[] | undefined {
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

/** The choices that match the typed text; all of them while one is chosen. */
export function narrowList(
  list: readonly FieldChoice[],
  field: OptionField,
): readonly FieldChoice[] {
  const text = field.text.trim().toLowerCase();
  if (text === "" || field.chosen) return list;
  return list.filter(({ name }) => name.toLowerCase().includes(text));
}

/** The value to send, attachments aside; undefined when the field is empty. */
export function valueOfField(field: OptionField): string | number | boolean | undefined {
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

export function optionIn(
  option: APIApplicationCommandBasicOption,
  locale: DiscordLocale,
): ShownOption {
  const shown = {
    ...option,
    label: nameIn(option, locale),
    description: descriptionIn(option, locale),
  };
  if (!("choices" in option) || option.choices === undefined) return shown;
  const choices = option.choices.map((choice) => ({ ...choice, name: nameIn(choice, locale) }));
  // The type of the choices depends on the option's type, which has not changed.
  return { ...shown, choices } as ShownOption;
}
