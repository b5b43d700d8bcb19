import { readdirSync, readFileSync } from "node:fs";
import { english } from "./english.ts";
import type { Locale } from "./locales.ts";

/** Messages by key, like `videos.deleted.title`: the file's name, then the path within it. */
export type Catalogue = ReadonlyMap<string, string>;

interface Tree {
  readonly [name: string]: string | Tree;
}

/** Catalogues by language, each read when it is first asked for. */
export type Catalogues = (locale: Locale) => Catalogue;

export function createCatalogues(): Catalogues {
  const read = new Map<Locale, Catalogue>();
  return (locale) => {
    const catalogue = read.get(locale) ?? flat(treeOf(locale));
    read.set(locale, catalogue);
    return catalogue;
  };
}

function treeOf(locale: Locale): Tree {
  if (locale === "en-US") return english;
  const folder = new URL(`./messages/${locale}/`, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => {
      const text = readFileSync(new URL(file, folder), "utf8");
      // The files are ours, and a test holds them to the shape of the English ones.
      return [file.replace(/\.json$/u, ""), JSON.parse(text) as Tree];
    }),
  );
}

function flat(tree: Tree, prefix = "", into = new Map<string, string>()): Catalogue {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") into.set(prefix + name, value);
    else flat(value, `${prefix}${name}.`, into);
  }
  return into;
}
