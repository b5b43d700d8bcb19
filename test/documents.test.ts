import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadCommands } from "../src/discord/index.ts";

const catalogue = await loadCommands(new URL("../commands/", import.meta.url));
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/operating.md",
  "docs/decisions.md",
  "docs/deploy/kubernetes.md",
];

/** What else begins with a slash in the documents: pages of the bot, and folders of Linux and of the image. */
const paths = new Set("api healthz readyz metrics hub bin etc proc srv usr app tmp run".split(" "));

const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

/** `/watch ping` as `watch ping`. */
function commandsIn(text: string): readonly string[] {
  const named = [...text.matchAll(/`\/([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gu)];
  return [...new Set(named.map(([, name = ""]) => name))].filter(
    (name) => !paths.has(name.split(" ")[0] ?? ""),
  );
}

/** Files and folders of the project; those that a recipe adds have a name in capitals. */
function filesIn(text: string): readonly string[] {
  const named = [...text.matchAll(/(?:src|commands|test|docs)\/[\w./-]+/gu)];
  return [...new Set(named.map(([path]) => path.replace(/\.$/u, "")))].filter(
    (path) => !/[A-Z]{4}/u.test(path),
  );
}

function exists(name: string): boolean {
  const [command = "", subcommand] = name.split(" ");
  const entry = catalogue.get(command);
  if (entry?.kind !== "command") return false;
  return subcommand === undefined || subcommand in (entry.subcommands ?? {});
}

describe("the documents", () => {
  it.each(documents)("name only commands that exist: %s", (file) => {
    expect(commandsIn(textOf(file)).filter((name) => !exists(name))).toEqual([]);
  });

  it.each(documents)("name only files that exist: %s", (file) => {
    const missing = filesIn(textOf(file)).filter(
      (path) => !existsSync(new URL(`../${path}`, import.meta.url)),
    );

    expect(missing).toEqual([]);
  });

  it("name every command in the README", () => {
    const readme = textOf("README.md");
    const missing = [...catalogue].filter(([name, entry]) =>
      entry.kind === "menu"
        ? !readme.includes(`**${entry.title}**`)
        : !readme.includes(`\`/${name}`),
    );

    expect(missing.map(([name]) => name)).toEqual([]);
  });
});
