import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from "discord-api-types/v10";
import { type DiscordLocale, descriptionIn, nameIn, pathIn } from "../../../locales.ts";

/** An option as one person reads it: description and choices are in their language, `name` stays the command's own. */
export type ShownOption = APIApplicationCommandBasicOption & {
  /** Its name in their language. */
  readonly label: string;
};

/** Something that can be typed after `/`: a command, or a subcommand of one. */
export interface CommandEntry {
  readonly commandId: string;
  /** Group and subcommand below the command. */
  readonly path: readonly string[];
  /** The command's own words, without the slash: `playlists items add`. */
  readonly name: string;
  /** The same in the person's language. */
  readonly label: string;
  readonly description: string;
  /** Command that the entry belongs to, as the person reads it; empty for a command without subcommands. */
  readonly group: string;
  /** Required ones first. */
  readonly options: readonly ShownOption[];
}

export function listEntries(
  commands: readonly APIApplicationCommand[],
  locale: DiscordLocale = "en-US",
): readonly CommandEntry[] {
  return commands
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => commandEntries(command, locale))
    .sort((a, b) => a.group.localeCompare(b.group) || a.label.localeCompare(b.label));
}

function commandEntries(
  command: APIApplicationCommand,
  locale: DiscordLocale,
): readonly CommandEntry[] {
  const options = command.options ?? [];
  const leaf = (path: readonly string[], node: CommandLeaf) =>
    createEntry(command, { path, node, locale });
  if (!options.some(isBranch)) return [leaf([], command)];
  return options.flatMap((option) => {
    if (option.type === ApplicationCommandOptionType.Subcommand)
      return [leaf([option.name], option)];
    if (option.type !== ApplicationCommandOptionType.SubcommandGroup) return [];
    return (option.options ?? []).map((sub) => leaf([option.name, sub.name], sub));
  });
}

interface CommandLeaf {
  readonly description: string;
  readonly options?: readonly APIApplicationCommandOption[] | undefined;
}

interface CommandNode {
  readonly path: readonly string[];
  readonly node: CommandLeaf;
  readonly locale: DiscordLocale;
}

function createEntry(
  command: APIApplicationCommand,
  { path, node, locale }: CommandNode,
): CommandEntry {
  const words = pathIn(command, path, locale);
  const basic = (node.options ?? []).filter(
    (option): option is APIApplicationCommandBasicOption => !isBranch(option),
  );
  return {
    commandId: command.id,
    path,
    name: [command.name, ...path].join(" "),
    label: words.join(" "),
    description: descriptionIn(node, locale),
    group: path.length === 0 ? "" : (words[0] ?? ""),
    options: basic
      .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
      .map((option) => {
        const label = nameIn(option, locale);
        const shown = { ...option, label, description: descriptionIn(option, locale) };
        if (!("choices" in option) || option.choices === undefined) return shown;
        const choices = option.choices.map((one) => ({ ...one, name: nameIn(one, locale) }));
        // The type of the choices depends on the option's type, which has not changed.
        return { ...shown, choices } as ShownOption;
      }),
  };
}

function isBranch({ type }: APIApplicationCommandOption): boolean {
  return (
    type === ApplicationCommandOptionType.Subcommand ||
    type === ApplicationCommandOptionType.SubcommandGroup
  );
}

/** Entries for what is typed after the slash, in either language: those that start so, then those that hold every word. */
export function filterEntries(
  entries: readonly CommandEntry[],
  typed: string,
): readonly CommandEntry[] {
  const text = typed.normalize().trim().toLowerCase().replace(/\s+/g, " ");
  if (text === "") return entries;
  const words = text.split(" ");
  const starts = entries.filter((entry) => entryNames(entry).some((name) => name.startsWith(text)));
  const holds = entries.filter(
    (entry) =>
      !starts.includes(entry) &&
      words.every((word) => entryNames(entry).some((name) => name.includes(word))),
  );
  return [...starts, ...holds];
}

/** The entry whose whole name was typed, followed by a space, and what came after it. */
export function typedEntry(
  entries: readonly CommandEntry[],
  text: string,
): { readonly entry: CommandEntry; readonly rest: string } | undefined {
  const [found] = entries
    .flatMap((entry) => entryNames(entry).map((name) => ({ entry, name })))
    .filter(({ name }) => text.normalize().startsWith(`/${name} `))
    .sort((a, b) => b.name.length - a.name.length);
  return found && { entry: found.entry, rest: text.normalize().slice(found.name.length + 2) };
}

function entryNames({ label, name }: CommandEntry): readonly string[] {
  return [label, name];
}
