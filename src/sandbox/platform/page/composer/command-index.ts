import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from "discord-api-types/v10";

/** Something that can be typed after `/`: a command, or a subcommand of one. */
export interface CommandEntry {
  readonly commandId: string;
  /** Group and subcommand below the command. */
  readonly path: readonly string[];
  /** As typed, without the slash: `playlists items add`. */
  readonly name: string;
  readonly description: string;
  /** Command that the entry belongs to; empty for a command without subcommands. */
  readonly group: string;
  /** Required ones first. */
  readonly options: readonly APIApplicationCommandBasicOption[];
}

export function listEntries(commands: readonly APIApplicationCommand[]): readonly CommandEntry[] {
  return commands
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => entriesOf(command))
    .sort((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name));
}

function entriesOf(command: APIApplicationCommand): readonly CommandEntry[] {
  const options = command.options ?? [];
  if (!options.some(isBranch)) return [leaf(command, [], command)];
  return options.flatMap((option) => {
    if (option.type === ApplicationCommandOptionType.Subcommand)
      return [leaf(command, [option.name], option)];
    if (option.type !== ApplicationCommandOptionType.SubcommandGroup) return [];
    return (option.options ?? []).map((sub) => leaf(command, [option.name, sub.name], sub));
  });
}

function leaf(
  command: APIApplicationCommand,
  path: readonly string[],
  node: { description: string; options?: readonly APIApplicationCommandOption[] | undefined },
): CommandEntry {
  const basic = (node.options ?? []).filter(
    (option): option is APIApplicationCommandBasicOption => !isBranch(option),
  );
  return {
    commandId: command.id,
    path,
    name: [command.name, ...path].join(" "),
    description: node.description,
    group: path.length === 0 ? "" : command.name,
    options: basic.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false)),
  };
}

function isBranch({ type }: APIApplicationCommandOption): boolean {
  return (
    type === ApplicationCommandOptionType.Subcommand ||
    type === ApplicationCommandOptionType.SubcommandGroup
  );
}

/** Entries for what is typed after the slash: names that start so, then those that hold every word. */
export function filterEntries(
  entries: readonly CommandEntry[],
  typed: string,
): readonly CommandEntry[] {
  const text = typed.trim().toLowerCase().replace(/\s+/g, " ");
  if (text === "") return entries;
  const words = text.split(" ");
  const starts = entries.filter(({ name }) => name.startsWith(text));
  const holds = entries.filter(
    (entry) => !starts.includes(entry) && words.every((word) => entry.name.includes(word)),
  );
  return [...starts, ...holds];
}

/** The entry whose whole name was typed, followed by a space, and what came after it. */
export function typedEntry(
  entries: readonly CommandEntry[],
  text: string,
): { readonly entry: CommandEntry; readonly rest: string } | undefined {
  const found = entries
    .filter(({ name }) => text.startsWith(`/${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  return found && { entry: found, rest: text.slice(found.name.length + 2) };
}
