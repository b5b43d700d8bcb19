import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import type { CommandEntry } from "./command-index.ts";
import { emptyField, type Field } from "./field.ts";
import type { ShownOption } from "./in-language.ts";

/** Options of the command that are not in its line yet. */
export function furtherOptions(
  entry: CommandEntry,
  fields: readonly Field[],
): readonly ShownOption[] {
  const used = new Set(fields.map(({ option }) => option.name));
  return entry.options.filter(({ name }) => !used.has(name));
}

export interface Placed {
  readonly fields: readonly Field[];
  /** For which there was no place. */
  readonly left: readonly File[];
}

/** Puts files into the option that has the cursor, then into other empty ones, adding those that are needed. */
export function placeFiles(
  entry: CommandEntry,
  fields: readonly Field[],
  { files, focused }: { readonly files: readonly File[]; readonly focused: number },
): Placed {
  let left = files;
  const put = (field: Field): Field => {
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
