import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gmu;
const types = /^(?:export )?(?:declare )?(?:interface|type) (\w+)/gmu;

const files = ["src", "commands"].flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file)),
);

/** Names that are declared in more than one file, each with these files. */
function namesTwice(declaration: RegExp): readonly string[] {
  const places = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    const names = new Set([...text.matchAll(declaration)].map(([, name = ""]) => name));
    for (const name of names) places.set(name, [...(places.get(name) ?? []), file]);
  }
  return [...places].flatMap(([name, at]) => (at.length > 1 ? [`${name}: ${at.join(", ")}`] : []));
}

describe("names", () => {
  it("of exports are unique in the project", () => {
    expect(namesTwice(exported)).toEqual([]);
  });

  it("of types are unique in the project, exported or not", () => {
    expect(namesTwice(types)).toEqual([]);
  });
});
