import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arrowOf, freeRooms, rooms } from "./rooms.ts";

// Shown by editors while code is written. Biome sees only the text of an import, so `test/arrows.test.ts` alone checks
// types, files directly in `src`, and rooms with the same name as a folder of the importing room. It also checks the
// folders within a room, because rules for those took two thirds of Biome's time.

interface Pattern {
  readonly group: readonly string[];
  readonly message: string;
}

const noArrow = "The arrows do not lead there (test/support/rooms.ts).";

/** The rooms that have a folder. */
const folders = Object.keys(rooms).filter((room) =>
  existsSync(join(import.meta.dirname, "../../src", room, "index.ts")),
);

/** The file with the rules, which `biome.json` extends. */
export const biomeRoomsFile = join(import.meta.dirname, "biome-rooms.json");

/** Biome's import rules for every room. */
export function biomeRooms(): string {
  const overrides = Object.keys(rooms).map((name) =>
    override(name === "commands" ? ["commands/**"] : [`src/${name}.ts`, `src/${name}/**`], name),
  );
  // One override a line, so that a small change of the table changes few lines.
  return `{\n  "overrides": [\n    ${overrides.map((one) => JSON.stringify(one)).join(",\n    ")}\n  ]\n}\n`;
}

function override(includes: readonly string[], name: string) {
  const patterns = [packagePattern(name), ...roomPatterns(name)];
  const options = { patterns: patterns.filter(({ group }) => group.length > 0) };
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: "error", options } } } },
  };
}

function packagePattern(name: string): Pattern {
  const all = Object.values(rooms).flatMap(({ packages = [] }) => packages);
  const others = new Set(all.filter((one) => rooms[name]?.packages?.includes(one) !== true));
  // Biome accepts no names with a slash between braces.
  const [scoped = [], plain = []] = [true, false].map((wanted) =>
    [...others].filter((one) => one.startsWith("@") === wanted),
  );
  return {
    group: [...scoped, anyOf(plain)].flatMap((one) => [one, `${one}/**`]),
    message: "Another room uses this package (test/support/rooms.ts).",
  };
}

function roomPatterns(name: string): readonly Pattern[] {
  const { imports = [], folders: own = {} } = rooms[name] ?? {};
  const allowed = [...freeRooms, ...imports.map((one) => arrowOf(one).to)];
  const others = folders.filter((one) => one !== name && !Object.hasOwn(own, one));
  return [
    {
      group: below(
        "**/",
        others.filter((one) => !allowed.includes(one)),
      ),
      message: noArrow,
    },
    {
      group: exceptDoors(
        "**/",
        others.filter((one) => allowed.includes(one)),
      ),
      message: "Rooms meet only at their index.ts.",
    },
  ];
}

/** Everything in these folders. */
function below(prefix: string, folders: readonly string[]): readonly string[] {
  return folders.length === 0 ? [] : [`${prefix}${anyOf(folders)}/**`];
}

/** Everything in these folders except their `index.ts`. */
function exceptDoors(prefix: string, folders: readonly string[]): readonly string[] {
  return below(prefix, folders).flatMap((all) => [all, `!${all.replace(/\*\*$/u, "index.ts")}`]);
}

/** One pattern for many names: Biome compares every import with every pattern, which took most of its time. */
function anyOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? "") : `{${names.join(",")}}`;
}

if (import.meta.main) writeFileSync(biomeRoomsFile, biomeRooms());
