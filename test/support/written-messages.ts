import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Locale } from "../../src/language/index.ts";
import { messageFiles, messagesFolder, readMessages } from "./message-files.ts";

const src = join(import.meta.dirname, "../../src");

/** What `npm run messages` writes from the English messages, by file path. */
export function writtenFiles(): ReadonlyMap<string, string> {
  return new Map([
    [join(src, "failure-facts.ts"), failureFacts()],
    [join(src, "language/english.ts"), englishFiles()],
  ]);
}

// Biome's line width.
const longestLine = 100;

/** Names in messages, with the fact from which `src/discord/draw/explain.ts` makes each. */
const madeOf: Readonly<Record<string, string>> = {
  field: "parameter",
  call: "method",
  resource: "method",
  choices: "options",
  tick: "permission",
};

/** `explain.ts` adds these when it shows a failure. */
const filledIn: ReadonlySet<string> = new Set(["outcome", "isOwner", "lookIn", "by", "engineHost"]);

/** Facts that only some errors of a code have; `explain.ts` fills in for the rest. */
const optional: ReadonlySet<string> = new Set([
  ...["service", "reason", "step", "rule", "bucket", "end", "isNamed", "channel"],
  ...["method", "permission", "pool"],
]);

interface Fact {
  /** The TypeScript type. */
  readonly type: string;
  /** Whether some failures with this code lack it: the message uses it in only one branch of a `select`. */
  readonly isOptional: boolean;
}

/** Facts by name. */
type FactTypes = ReadonlyMap<string, Fact>;

/** The code of the failure that a message belongs to. The bot throws no `bug`, and `fields` are labels. */
export function failureCodeOf(key: string): string | undefined {
  const code = /^failures\.(\w+)\.(?:title|hint)$/u.exec(key)?.[1];
  return code === "bug" || code === "fields" ? undefined : code;
}

/** TypeScript that gives each code the facts which its English message uses. */
function failureFacts(): string {
  const codes = new Map<string, FactTypes>();
  for (const [key, message] of readMessages("en-US")) {
    const code = failureCodeOf(key);
    if (code === undefined) continue;
    const facts = factsOf(parse(message, { ignoreTag: true }));
    codes.set(code, joined([codes.get(code) ?? new Map(), facts]));
  }
  const lines = [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(lineOf);
  return [
    "// Written by `npm run messages` from the English files in src/language/messages/en-US/failures.",
    "",
    "/** Plain values that words may be built from; never a secret, never an address that holds one. */",
    "export type Facts = Readonly<Record<string, string | number | boolean>>;",
    "",
    "/** Every failure that has words of its own, by its code, with the facts that these words need. */",
    "export interface FailureFacts {",
    ...lines,
    "}",
    "",
  ].join("\n");
}

function factsOf(elements: readonly MessageFormatElement[]): FactTypes {
  return joined(elements.flatMap((element) => [ownFact(element), factsOfBranches(element)]));
}

function ownFact(element: MessageFormatElement): FactTypes {
  const type = typeOf(element);
  if (type === undefined || !("value" in element) || typeof element.value !== "string") {
    return new Map();
  }
  const name = madeOf[element.value] ?? element.value;
  if (filledIn.has(name)) return new Map();
  return new Map([[name, { type, isOptional: optional.has(name) }]]);
}

function factsOfBranches(element: MessageFormatElement): FactTypes {
  if (element.type !== TYPE.select && element.type !== TYPE.plural) return new Map();
  const branches = Object.values(element.options).map(({ value }) => factsOf(value));
  const all = joined(branches);
  return new Map(
    [...all].map(([name, { type, isOptional }]) => {
      const isEverywhere = branches.every((facts) => facts.has(name));
      return [name, { type, isOptional: isOptional || !isEverywhere }];
    }),
  );
}

/** All facts of the parts together. If any part needs one as a number, it is a number. */
function joined(parts: readonly FactTypes[]): FactTypes {
  const facts = new Map<string, Fact>();
  for (const [name, fact] of parts.flatMap((part) => [...part])) {
    const known = facts.get(name) ?? fact;
    facts.set(name, {
      type: known.type === "number" ? known.type : fact.type,
      isOptional: known.isOptional && fact.isOptional,
    });
  }
  return facts;
}

function typeOf({ type }: MessageFormatElement): string | undefined {
  if (type === TYPE.number || type === TYPE.plural) return "number";
  if (type === TYPE.select) return "string | boolean";
  return type === TYPE.argument ? "string | number" : undefined;
}

function lineOf([code, facts]: readonly [string, FactTypes]): string {
  const members = [...facts].map(
    ([name, { type, isOptional }]) => `${name}${isOptional ? "?" : ""}: ${type}`,
  );
  if (members.length === 0) return `  readonly ${code}: Facts;`;
  const line = `  readonly ${code}: Facts & { ${members.join("; ")} };`;
  if (line.length <= longestLine) return line;
  return `  readonly ${code}: Facts & {\n${members.map((one) => `    ${one};\n`).join("")}  };`;
}

/** A type with every English file by name, the source of the keys' types. Files of a folder share the folder's name. */
function englishFiles(): string {
  const files = messageFiles("en-US").toSorted();
  const members = [...Map.groupBy(files, (file) => file.split(/[/.]/u)[0] ?? "")].map(
    ([name, parts]) => {
      const key = /^\w+$/u.test(name) ? name : `"${name}"`;
      const types = parts.map((file) => `typeof import("./messages/en-US/${file}")`);
      return `  readonly ${key}: ${types.join(" &\n    ")};`;
    },
  );
  return [
    "// Written by `npm run messages` from the names of the files in src/language/messages/en-US.",
    "",
    "/** English by file: the language that is always complete, and whose keys are the keys. */",
    "export interface English {",
    ...members,
    "}",
    "",
  ].join("\n");
}

/** Messages that a language lacks. People read them in English until they are translated. */
export function missingMessages(): readonly string[] {
  const keys = [...readMessages("en-US").keys()];
  // Not the list in `src/language`, which can't be loaded while the list of English files is wrong.
  const locales = readdirSync(messagesFolder) as Locale[];
  return locales.flatMap((locale) => {
    const own = readMessages(locale);
    return keys.filter((key) => !own.has(key)).map((key) => `${locale} lacks ${key}`);
  });
}

if (import.meta.main) {
  for (const [file, text] of writtenFiles()) writeFileSync(file, text);
  for (const missing of missingMessages()) console.log(missing);
}
