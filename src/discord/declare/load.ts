import { readdir } from "node:fs/promises";
import type { Command, Menu } from "./command.ts";
import type { CommandCatalogue } from "./definitions.ts";

/**
 * Loads the folder: each file declares one command or menu and is named after it.
 * @throws TypeError naming the file whose default export is neither, or whose menu has another name than the file.
 */
export async function loadCommands(folder: URL): Promise<CommandCatalogue> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts")).sort();
  const entries = files.map(async (file): Promise<[string, Command | Menu]> => {
    const name = file.slice(0, -".ts".length);
    const loaded = (await import(new URL(file, folder).href)) as { default?: unknown };
    const entry = loaded.default as Command | Menu | undefined;
    const isItsMenu =
      entry?.kind === "menu" && entry.title.toLowerCase().replaceAll(" ", "-") === name;
    if (entry?.kind === "command" || isItsMenu) return [name, entry];
    throw new TypeError(`commands/${file} does not export the command or menu of its name`);
  });
  return new Map(await Promise.all(entries));
}
