import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gmu;
const types = /^(?:export )?(?:declare )?(?:interface|type) (\w+)/gmu;
/** Names that an `index.ts` exports from other files: `export { a, type B } from "./c.ts"`. */
const passedOn = /^export (?:type )?\{([^}]*)\} from/gmu;

const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));

const files = ["src", "commands"].flatMap(sourcesIn);

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

const declared = (pattern: RegExp) => (file: string) =>
  [...textOf(file).matchAll(pattern)].map(([, name = ""]) => name);

function namesPassedOn(file: string): readonly string[] {
  return [...textOf(file).matchAll(passedOn)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((one) => /(\w+)\s*$/u.exec(one)?.[1] ?? []),
  );
}

/**
 * The room is the same for all files of, say, `src/video`; each folder of `src/features` counts as a room of its own.
 */
function roomOf(file: string): string {
  return file
    .split("/")
    .slice(0, file.startsWith("src/features/") ? 3 : 2)
    .join("/");
}

/** Names that more than one of these files has, with those files. */
function namesTwice(among: readonly string[], namesIn: (file: string) => readonly string[]) {
  const places = new Map<string, string[]>();
  for (const file of among) {
    for (const name of new Set(namesIn(file))) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  return [...places].flatMap(([name, at]) => (at.length > 1 ? [`${name}: ${at.join(", ")}`] : []));
}

describe("names", () => {
  it.each([
    ["exports", exported],
    ["types, exported or not,", types],
  ] as const)("of %s are unique in their room", (_, pattern) => {
    const rooms = Map.groupBy(files, roomOf).values();

    expect([...rooms].flatMap((room) => namesTwice(room, declared(pattern)))).toEqual([]);
  });

  it("that rooms give to others are unique among them", () => {
    const indexes = files.filter((file) => /^src\/\w[\w-]*\/index\.ts$/u.test(file));

    expect(namesTwice(indexes, namesPassedOn)).toEqual([]);
  });

  it("that tests describe are names of the code", () => {
    const words = new Set(
      [...sourcesIn("src"), ...sourcesIn("test/support")].flatMap(
        (file) => textOf(file).match(/\w+/gu) ?? [],
      ),
    );
    const gone = sourcesIn("test").flatMap((file) =>
      [...textOf(file).matchAll(/describe[^"\n]*\("([a-z]+[A-Z]\w*)"/gu)]
        .filter(([, name = ""]) => !words.has(name))
        .map(([, name]) => `${file}: ${name}`),
    );

    expect(gone).toEqual([]);
  });
});
