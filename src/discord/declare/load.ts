import { readdir } from "node:fs/promises";
import type { Command, Menu } from "./command.ts";
import type { CommandCatalogue } from "./definitions.ts";

/**
 * Loads the folder: each file declares one command or menu and is named after it.
 * @throws TypeError naming the file whose default export is neither, or whose menu has another name than the file.
 */
export async function loadCommands(folder: URL): Promise<CommandCatalogue> {
  const names = (await readdir(folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
  const entries = names.map(async (name) => [name, await load(name, folder)] as const);
  return new Map(await Promise.all(entries));
}

async function load(name: string, folder: URL): Promise<Command | Menu> {
  const loaded = (await import(new URL(`${name}.ts`, folder).href)) as { default?: unknown };
  const entry = loaded.default as Command | Menu | undefined;
  if (entry?.kind === "command") return entry;
  if (entry?.kind === "menu" && entry.title.toLowerCase().replaceAll(" ", "-") === name)
    return entry;
  throw new TypeError(`commands/${name}.ts does not export the command or menu of its name`);
}
