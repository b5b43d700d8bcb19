import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCommands } from "../src/discord/index.ts";

const catalogue = await loadCommands(new URL("../commands/", import.meta.url));
const cwd = new URL("../", import.meta.url);
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "src/sandbox/README.md",
  ...globSync("docs/**/*.md", { cwd }),
];
const code = globSync(["src/**/*.{ts,mjs,css}", "{commands,test,docs}/**/*.ts"], { cwd }).filter(
  (file) => file !== "test/documents.test.ts",
);

/**
 * What else begins with a slash in the documents: pages of the bot, and folders of Linux and of the container image.
 */
const paths = new Set("api healthz readyz metrics hub bin etc proc srv usr app tmp run".split(" "));

const textOf = (file: string) => readFileSync(new URL(file, cwd), "utf8");
const withoutUrls = (text: string) => text.replace(/\bhttps?:\/\/\S+/gu, "URL");

/** `/watch ping` becomes `watch ping`. */
function commandsIn(text: string): readonly string[] {
  const named = [...text.matchAll(/`\/([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gu)];
  return [...new Set(named.map(([, name = ""]) => name))].filter(
    (name) => !paths.has(name.split(" ")[0] ?? ""),
  );
}

/** Files and folders of the project that the text names; placeholders in recipes are in capitals. */
function filesIn(text: string): readonly string[] {
  const named = [...withoutUrls(text).matchAll(/(?:src|commands|test|docs)\/[\w./-]+/gu)];
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

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = textOf(file).replace(/^```.*?^```/gmsu, "");
  const headings = [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(headings);
}

const anchors = new Map(documents.map((file) => [file, anchorsOf(file)]));

/** Whether the file exists in the project, and has the heading that follows `#`. */
function isThere(target: string): boolean {
  const [file = "", anchor] = target.split("#");
  if (!existsSync(new URL(file, cwd))) return false;
  return anchor === undefined || anchors.get(file)?.has(anchor) === true;
}

/** Citations of `docs/x.md` and `docs/x.md#heading`, relative to the project's root, that lead nowhere. */
function lostCitations(text: string): readonly string[] {
  const cited = withoutUrls(text).match(/(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]*)?/gu) ?? [];
  return [...new Set(cited)].filter((target) => !isThere(target));
}

/** Links of the form `[text](path#heading)`, relative to the document's folder, that lead nowhere. */
function lostLinks(file: string): readonly string[] {
  const text = textOf(file).replace(/`[^`\n]*`/gu, "");
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/gu)];
  return links
    .map(([, target = ""]) => target)
    .filter((target) => {
      const path = target.startsWith("#") ? file : posix.join(posix.dirname(file), target);
      return !isThere(target.startsWith("#") ? `${path}${target}` : path);
    });
}

/** All comments; those on consecutive lines count as one. */
function commentsIn(text: string): readonly string[] {
  const found = text.match(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*/gsu) ?? [];
  return found.map((comment) => comment.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/gu, " "));
}

/** How comments refer to papers that readers don't have. */
const unreachable = [
  /(?<![\w/])facts\/|\(facts[,:)]|\bthe facts (?:name|of the service)/iu,
  /\b(?:interface|given) specification|\(specification[,:]|\bspecifications?,? \(?(?:section|name)/iu,
  /\breliability(?:\.md|:| page| \d)|\b(?:design|performance|wording|style) (?:page|\d)/iu,
  /\b(?:design|performance|style|wording|[\w-]+-notes)\.md|\b[\w-]+-api\.json/iu,
];
const standard = /https?:|\b(?:RFC|TIFF|EXIF|ITU)\b/u;

/** Comments that cite something outside the project: a paper, or a section of an unnamed document. */
function lostPapers(text: string): readonly string[] {
  return commentsIn(text).filter(
    (comment) =>
      unreachable.some((form) => form.test(withoutUrls(comment))) ||
      (/\bsections? \d/iu.test(comment) && !standard.test(comment)),
  );
}

describe("the documents", () => {
  it.each(documents.filter((file) => !file.startsWith("docs/services/")))(
    "name only commands that exist: %s",
    (file) => {
      expect(commandsIn(textOf(file)).filter((name) => !exists(name))).toEqual([]);
    },
  );

  it.each(documents)("name only files that exist: %s", (file) => {
    const missing = filesIn(textOf(file)).filter((path) => !existsSync(new URL(path, cwd)));

    expect(missing).toEqual([]);
  });

  it.each(documents)("link and cite only what exists: %s", (file) => {
    expect([...lostLinks(file), ...lostCitations(textOf(file))]).toEqual([]);
  });

  it("name log messages as the program writes them", () => {
    const [, table = ""] = textOf("docs/operating.md").split("Some messages to know:");
    const rows = [...(table.split("\n## ", 1)[0]?.matchAll(/^\| (`.+`) \|/gmu) ?? [])];
    const messages = rows.flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/gu)].map(([, message = ""]) => message),
    );
    const source = code.filter((file) => file.startsWith("src/")).map(textOf);

    expect(messages.length).toBeGreaterThan(15);
    expect(messages.filter((one) => !source.some((text) => text.includes(`"${one}"`)))).toEqual([]);
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

  it("list every decision in the index", () => {
    const decisions = textOf("docs/decisions.md");
    const headings = [...decisions.matchAll(/^### (.+)$/gmu)].map(([, heading = ""]) => heading);

    expect(headings.filter((one) => !decisions.includes(`- [${one}](`))).toEqual([]);
  });
});

describe("citations in the code", () => {
  it("lead to a document, and to a heading in it", () => {
    const lost = code.flatMap((file) => lostCitations(textOf(file)).map((to) => `${file}: ${to}`));

    expect(lost).toEqual([]);
  });

  it("name a heading where the document is long", () => {
    const long = /docs\/(?:decisions|services\/\w+)\.md(?!#)/u;

    expect(code.filter((file) => long.test(textOf(file)))).toEqual([]);
  });

  it("name no paper that is not in the project", () => {
    const lost = code.flatMap((file) => lostPapers(textOf(file)).map((one) => `${file}: ${one}`));

    expect(lost).toEqual([]);
  });

  it.each([
    "docs/services/youtube.md#no-such-heading",
    "docs/services/nothing.md",
    "docs/decisions.md#",
  ])("are found when they lead nowhere: %s", (target) => {
    expect(lostCitations(`/** A limit (${target}). */`)).toEqual([target]);
  });

  it.each([
    "/** facts/discord.md: Limits. */",
    "/** Most pixels of an input (facts, limits). */",
    "/** The most ids that one call takes (facts). */",
    "/** Threads of one call (facts: limits). */",
    "// Public by default (specification, section 2).",
    "/** Specification, section 8. */",
    "/** 12 MB when absent (interface specification, limits). */",
    "// Named in the specification\n  // (section 4).",
    "/** Retry class `create`: look first (reliability.md 2). */",
    "/**\n * Belongs to one server (reliability\n * 3).\n */",
    "/** The rank of these permissions (design 7). */",
    "/** Figure 5 of the performance page. */",
    "// It is in live-api-notes.md.",
    "/** See section 3. */",
  ])("are found when they name papers: %s", (comment) => {
    expect(lostPapers(`const x = 1;\n  ${comment}\nconst y = 2;`)).toHaveLength(1);
  });
});
