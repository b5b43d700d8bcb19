import { readdirSync, readFileSync } from "node:fs";
import type { English } from "./english.ts";
import type { Locale } from "./locales.ts";

/** Messages by key, like `videos.deleted.title`: the file's name, then the path within it. */
type Catalogue = ReadonlyMap<string, string>;

interface MessageTree {
  readonly [name: string]: string | MessageTree;
}

// The files do not change while a process runs.
const catalogues = new Map<Locale, Catalogue>();

/** The messages of a language; its files are read when somebody first uses it. */
export function readCatalogue(locale: Locale): Catalogue {
  const known = catalogues.get(locale);
  if (known !== undefined) return known;
  const folder = new URL(`./messages/${locale}/`, import.meta.url);
  const catalogue = new Map<string, string>();
  for (const file of readdirSync(folder, { encoding: "utf8", recursive: true })) {
    if (!file.endsWith(".json")) continue;
    // A file in a folder adds to the messages of the folder's name: `failures/video.json` to `failures`.
    const [name] = file.split(/[/\\.]/u);
    addMessages(catalogue, `${name}.`, JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  }
  catalogues.set(locale, catalogue);
  return catalogue;
}

function addMessages(catalogue: Map<string, string>, prefix: string, tree: MessageTree): void {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") catalogue.set(prefix + name, value);
    else addMessages(catalogue, `${prefix}${name}.`, value);
  }
}

type Leaves<T> = {
  [Name in keyof T & string]: T[Name] extends string ? Name : `${Name}.${Leaves<T[Name]>}`;
}[keyof T & string];

/** Every message that English has, so that a key nobody wrote does not compile. */
export type MessageKey = Leaves<English>;
