import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import type { HelloEvent, TypedOption } from "../../protocol.ts";
import type { CommandEntry } from "./command-index.ts";
import {
  emptyField,
  fixedListOf,
  isEmpty,
  type OptionField,
  type ShownOption,
  valueOfField,
} from "./field.ts";

/** The required options; text that was typed after the command's name goes into the first one. */
export function startFields({ options }: CommandEntry, rest: string): readonly OptionField[] {
  const required = options.filter((option) => option.required);
  const start = required.length > 0 || !rest ? required : options.slice(0, 1);
  return start.map((option, index) => {
    const takesText = index === 0 && option.type !== OptionType.Attachment;
    return { ...emptyField(option), text: takesText ? rest : "" };
  });
}

/** Text behind the last option that names no option goes into the first option too, if that is unused. */
export function withTail(
  { options: [first] }: CommandEntry,
  fields: readonly OptionField[],
  tail: string,
): readonly OptionField[] {
  const text = tail.trim();
  const isFree = fields.every(({ option }) => option.name !== first?.name);
  const takesText = first !== undefined && first.type !== OptionType.Attachment;
  return text !== "" && isFree && takesText ? [{ ...emptyField(first), text }, ...fields] : fields;
}

/** A field after typing: what names an entry of its list is as good as chosen. */
export function typeInto(
  field: OptionField,
  text: string,
  hello: HelloEvent | undefined,
): OptionField {
  const typed = text.trim().toLowerCase();
  const chosen = fixedListOf(field, hello)?.find(({ name }) => name.toLowerCase() === typed);
  return { ...field, text, chosen };
}

/** The next required option that is empty; -1 when there is none. */
export function nextEmpty(fields: readonly OptionField[]): number {
  return fields.findIndex((field) => field.option.required && isEmpty(field));
}

/** Options of the command that are not in its line yet. */
export function furtherOptions(
  entry: CommandEntry,
  fields: readonly OptionField[],
): readonly ShownOption[] {
  const used = new Set(fields.map(({ option }) => option.name));
  return entry.options.filter(({ name }) => !used.has(name));
}

interface PlacedFiles {
  readonly fields: readonly OptionField[];
  /** For which there was no place. */
  readonly left: readonly File[];
}

/** Puts files into the option that has the cursor, then into other empty ones, adding those that are needed. */
export function placeFiles(
  entry: CommandEntry,
  fields: readonly OptionField[],
  { files, focused }: { readonly files: readonly File[]; readonly focused: number },
): PlacedFiles {
  let left = files;
  const put = (field: OptionField): OptionField => {
    const [file, ...others] = left;
    if (!file || field.file || field.option.type !== OptionType.Attachment) return field;
    left = others;
    return { ...field, file };
  };
  const filled = fields.map((field, index) => (index === focused ? put(field) : field)).map(put);
  const added = furtherOptions(entry, fields)
    .map(emptyField)
    .map(put)
    .filter(({ file }) => file !== undefined);
  return { fields: [...filled, ...added], left };
}

/** What is typed so far, unchecked, for suggestions; the cursor's option as its bare text. */
export function typedSoFar(
  fields: readonly OptionField[],
  focused: OptionField,
): readonly TypedOption[] {
  return fields.flatMap((field) => {
    const value = field === focused ? field.text : valueOfField(field);
    // A number that is none yet has no value; a file travels with the command only.
    const isSent = value !== undefined && !Number.isNaN(value) && field.file === undefined;
    return isSent ? [{ name: field.option.name, value }] : [];
  });
}
