import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']|(?:import|new URL)\(\s*["']([^"']+)["']/gu;

/** Test files, as paths from the project's root, by what they need according to their direct and indirect imports. */
export function readTestLevels(root: string) {
  const imports = readImports(root);
  const quick = [...imports.keys()].filter(
    (file) => file.endsWith(".test.ts") && !file.endsWith(".full.test.ts"),
  );
  const heavy = reaching(imports, (file) =>
    /^src\/sandbox\/|^test\/support\/databases\//u.test(file),
  );
  const isUnit = (file: string) => !heavy.has(file) && !file.startsWith("test/e2e/");
  const each = reaching(imports, (file) => file === "test/support/databases/each-kind.ts");
  // These files start a server only for a file that runs on PostgreSQL.
  const starting = reaching(
    imports,
    (file, targets) =>
      file === "test/support/find-chromium.ts" ||
      (/^test\/(?!support\/(?:databases\/|deployments\.ts))/u.test(file) &&
        targets.some((target) =>
          /^(?:node:child_process|recheck)$|\/postgres-server\.ts$/u.test(target),
        )),
  );
  return {
    /** Files that need neither the sandbox nor a database. */
    unit: quick.filter(isUnit),
    /** Files that need the sandbox or a database, all in one process. */
    product: quick.filter((file) => !isUnit(file)),
    /** Files of `product` whose tests run on each kind of database. */
    eachDatabase: quick.filter((file) => each.has(file)),
    /** Files outside `test:full` that can start a process, a browser or a database server, which they must not. */
    misplaced: quick.filter((file) => starting.has(file)),
  };
}

type Imports = ReadonlyMap<string, readonly string[]>;

function readImports(root: string): Imports {
  const files = ["src", "commands", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  return new Map(
    files.map((file) => {
      const found = readFileSync(join(root, file), "utf8").matchAll(statement);
      const targets = [...found].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");
      const paths = targets.map((target) =>
        target.startsWith(".") ? join(dirname(file), target) : target,
      );
      return [file, paths];
    }),
  );
}

/** The files for which `holds` is true, and all files that import one of them. */
function reaching(
  imports: Imports,
  holds: (file: string, targets: readonly string[]) => boolean,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  const left = [...imports].filter(([file, targets]) => holds(file, targets)).map(([file]) => file);
  const reached = new Set(left);
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    for (const importer of importers.get(file) ?? []) {
      if (reached.has(importer)) continue;
      reached.add(importer);
      left.push(importer);
    }
  }
  return reached;
}
