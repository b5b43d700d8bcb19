import { z } from "zod";
import { minuteMs } from "../../clock.ts";
import { isBlank, typedText } from "../../discord/index.ts";
import { type Facts, InputError } from "../../errors.ts";
import type { CommentRule, ImportedRules, RuleBook, RuleTest } from "../../moderation/index.ts";
import { parseUntrustedJson } from "../../untrusted-json.ts";
import { collapseSpaces } from "../watches/index.ts";
import { chosenEffect, nameSigns, ruleEffects, toEffect } from "./draft.ts";
import { maxRuleNameChars } from "./form.ts";

/** Rules as a JSON file, which people may also write by hand. */

const formatName = "greenroom-rules";
/** Rises when a file of the version before can't be read any more. */
const formatVersion = 1;
/** Fifty rules with full lists of words fit, in any script. */
export const maxRulesFileBytes = 2 * 1024 * 1024;
const kibibyte = 1024;

const maxMinutes = 7 * 24 * 60;
const channelId = z.string().regex(/^UC[\w-]{22}$/u);
const authorSchema = z.strictObject({ id: channelId, name: z.string().max(100).optional() });
const authorsSchema = z.array(authorSchema).max(200);
const lookAlikes = z.boolean().default(true);
const common = {
  name: z.string().min(1).max(maxRuleNameChars),
  does: z.enum(ruleEffects),
  on: z.boolean().default(true),
};
const ruleSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("words"),
    ...common,
    words: z.array(z.string().min(1).max(100)).min(1).max(200),
    look_alikes: lookAlikes,
  }),
  z.strictObject({
    kind: z.literal("patterns"),
    ...common,
    patterns: z.array(z.string().min(1).max(500)).min(1).max(20),
    look_alikes: lookAlikes,
  }),
  z.strictObject({
    kind: z.literal("links"),
    ...common,
    allowed: z.array(z.string().min(1).max(300)).max(50),
  }),
  z.strictObject({
    kind: z.literal("repeated"),
    ...common,
    times: z.int().min(2).max(50),
    within_minutes: z.number().min(1).max(maxMinutes),
  }),
  z.strictObject({ kind: z.literal("authors"), ...common, authors: authorsSchema.min(1) }),
  z.strictObject({
    kind: z.literal("names"),
    ...common,
    signs: z.array(z.enum(nameSigns)).min(1).max(nameSigns.length),
  }),
]);
const exemptSchema = z.strictObject({ members: z.boolean(), authors: authorsSchema });
const fileSchema = z.strictObject({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  rules: z.array(ruleSchema).max(50),
  exempt: exemptSchema.optional(),
  daily_actions: z.int().min(0).max(10_000).optional(),
});

type FileRule = z.input<typeof ruleSchema>;

/** The text of the file. */
export function writeRulesFile({ rules, spared, dailyCap }: RuleBook): string {
  const file: z.input<typeof fileSchema> = {
    format: formatName,
    version: formatVersion,
    rules: rules.flatMap(toFileRule),
    exempt: { members: spared.members, authors: [...spared.authors] },
    daily_actions: dailyCap,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Rules of lists are left out: they belong to subscriptions. */
function toFileRule(rule: CommentRule): readonly FileRule[] {
  const test = toFileTest(rule);
  return test === undefined ? [] : [test];
}

function toFileTest({ name, test, isOn, ...rule }: CommentRule): FileRule | undefined {
  const base = { name, does: chosenEffect(rule), on: isOn };
  switch (test.kind) {
    case "words":
      return { kind: test.kind, ...base, words: [...test.words], look_alikes: test.isFolded };
    case "patterns":
      return { kind: test.kind, ...base, patterns: [...test.patterns], look_alikes: test.isFolded };
    case "links":
      return { kind: test.kind, ...base, allowed: [...test.allowed] };
    case "repeated": {
      const { times, withinMs } = test;
      return { kind: test.kind, ...base, times, within_minutes: withinMs / minuteMs };
    }
    case "authors":
      return { kind: test.kind, ...base, authors: [...test.authors] };
    case "names":
      return { kind: test.kind, ...base, signs: [...test.signs] };
    case "list":
      return undefined;
  }
}

/** @throws InputError `rules_file` with the path of the first field that can't be used, and what it may be. */
export function readRulesFile(bytes: Uint8Array): ImportedRules {
  if (bytes.length > maxRulesFileBytes) throw rulesFileTooLarge();
  const text = decode(bytes);
  if (text.trim() === "") throw refuseFile({ reason: "empty" });
  const parsed = parseJson(text);
  const { format, version } = Object(parsed) as Readonly<Record<string, unknown>>;
  if (format !== formatName) throw refuseFile({ reason: "format" });
  if (version !== formatVersion) throw refuseFile({ reason: "version", most: formatVersion });
  const { data, error } = fileSchema.safeParse(parsed);
  if (error !== undefined) throw refuseFile(describeIssue(parsed, error.issues[0]));
  const { rules, exempt, daily_actions: dailyCap } = data;
  return {
    rules: rules.map((rule, at) => {
      const name = collapseSpaces(rule.name);
      if (isBlank(name)) throw refuseFile({ reason: "missing", path: `rules[${at}].name` });
      return { name, test: toTest(rule), ...toEffect(rule.does), isOn: rule.on };
    }),
    spared: exempt,
    dailyCap,
  };
}

export function rulesFileTooLarge(): InputError {
  return refuseFile({ reason: "large", most: maxRulesFileBytes / kibibyte });
}

function toTest(rule: z.output<typeof ruleSchema>): RuleTest {
  switch (rule.kind) {
    case "words":
      return { kind: rule.kind, words: rule.words, isFolded: rule.look_alikes };
    case "patterns":
      return { kind: rule.kind, patterns: rule.patterns, isFolded: rule.look_alikes };
    case "links":
      return { kind: rule.kind, allowed: rule.allowed };
    case "repeated":
      return { kind: rule.kind, times: rule.times, withinMs: rule.within_minutes * minuteMs };
    case "authors":
      return { kind: rule.kind, authors: rule.authors };
    case "names":
      return { kind: rule.kind, signs: rule.signs };
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuseFile({ reason: "text" }, cause);
  }
}

function parseJson(text: string): unknown {
  const read = parseUntrustedJson(text);
  if (read.state === "parsed") return read.value;
  if (read.state === "complex") throw refuseFile({ reason: "many" });
  throw refuseFile({ reason: "json", line: read.line }, read.cause);
}

/** Where the file differs from the format, and what is allowed there. */
function describeIssue(file: unknown, issue: z.core.$ZodIssue | undefined): Facts {
  if (issue === undefined) return { reason: "format" };
  const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  const at = { path: path.join("").replace(/^\./u, "") || "{ }" };
  if (valueAt(file, issue.path) === undefined) return { ...at, reason: "missing" };
  switch (issue.code) {
    case "unrecognized_keys": {
      const allowed = fieldsAt(file, issue.path).join(", ");
      return { ...at, reason: "unknown", given: typedText(issue.keys[0] ?? ""), allowed };
    }
    case "too_big":
      return { ...at, reason: "big", what: issue.origin, limit: Number(issue.maximum) };
    case "too_small":
      return { ...at, reason: "small", what: issue.origin, limit: Number(issue.minimum) };
    case "invalid_value":
      return { ...at, reason: "choice", allowed: issue.values.join(", ") };
    case "invalid_union":
      return { ...at, reason: "choice", allowed: Object.keys(kindFields).join(", ") };
    case "invalid_type":
      return { ...at, reason: "type", what: issue.expected };
    default:
      return { ...at, reason: "channel" };
  }
}

function valueAt(file: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (Object(value) as Readonly<Record<PropertyKey, unknown>>)[key],
    file,
  );
}

const kindFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ruleSchema.options.map(({ shape }) => [shape.kind.value, Object.keys(shape)]),
);

/** The fields of the object at that path. */
function fieldsAt(file: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (path.includes("authors")) return Object.keys(authorSchema.shape);
  if (path[0] === "exempt") return Object.keys(exemptSchema.shape);
  if (path[0] !== "rules") return Object.keys(fileSchema.shape);
  return kindFields[String(valueAt(file, [...path, "kind"]))] ?? [];
}

function refuseFile(found: Facts, cause?: unknown): InputError {
  const facts = { ...found, command: "rules export" };
  return new InputError("a file of rules is refused", { code: "rules_file", facts, cause });
}
