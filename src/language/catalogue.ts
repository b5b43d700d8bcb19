import { readdirSync, readFileSync } from "node:fs";
import { english } from "./english.ts";
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
  const catalogue = catalogues.get(locale) ?? flat(treeOf(locale));
  catalogues.set(locale, catalogue);
  return catalogue;
}

/** A file in a folder adds to the messages of the folder's name: `failures/video.json` to `failures`. */
function treeOf(locale: Locale): MessageTree {
  if (locale === "en-US") return english;
  const folder = new URL(`./messages/${locale}/`, import.meta.url);
  const tree: Record<string, MessageTree> = {};
  for (const file of readdirSync(folder, { encoding: "utf8", recursive: true })) {
    if (!file.endsWith(".json")) continue;
    const [name = file] = file.split(/[/\\.]/u);
    // The files are ours, and a test checks that they have the shape of the English ones.
    tree[name] = { ...tree[name], ...JSON.parse(readFileSync(new URL(file, folder), "utf8")) };
  }
  return tree;
}

function flat(tree: MessageTree, prefix = "", into = new Map<string, string>()): Catalogue {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") into.set(prefix + name, value);
    else flat(value, `${prefix}${name}.`, into);
  }
  return into;
}
