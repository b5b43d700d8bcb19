import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']|(?:import|new URL)\(\s*["']([^"']+)["']/gu;

/** What makes a test more than a unit test: the sandbox, a browser, a database server. */
const heavy = /^src\/sandbox\/|^test\/support\/(?:databases\/|find-chromium\.ts)/u;

/** The test files that use none of that, by what they import, directly or through others. Paths from the project's root. */
export function unitFiles(root: string): readonly string[] {
  const files = ["src", "commands", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const importersOf = new Map<string, string[]>();
  for (const file of files) {
    for (const [, fixed, dynamic] of readFileSync(join(root, file), "utf8").matchAll(statement)) {
      const target = fixed ?? dynamic ?? "";
      if (!target.startsWith(".")) continue;
      const path = join(dirname(file), target);
      importersOf.set(path, [...(importersOf.get(path) ?? []), file]);
    }
  }
  const left = files.filter((file) => heavy.test(file));
  const reached = new Set(left);
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    for (const importer of importersOf.get(file) ?? []) {
      if (reached.has(importer)) continue;
      reached.add(importer);
      left.push(importer);
    }
  }
  return files.filter((file) => file.endsWith(".test.ts") && !reached.has(file));
}
