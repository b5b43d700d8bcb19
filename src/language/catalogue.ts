import { readdirSync, readFileSync } from "node:fs";
import { english } from "./english.ts";
import { type Locale, locales } from "./locales.ts";

/** Messages by key, like `videos.deleted.title`: the file's name, then the path within it. */
export type Catalogue = ReadonlyMap<string, string>;

interface Tree {
  readonly [name: string]: string | Tree;
}

/** Every message of every language. */
export function readCatalogues(): Readonly<Record<Locale, Catalogue>> {
  const entries = locales.map((locale) => [locale, flat(treeOf(locale))] as const);
  return Object.fromEntries(entries) as Record<Locale, Catalogue>;
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
