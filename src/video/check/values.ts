import type { FieldSpec } from "../methods/spec.ts";
import { describeChoice, describeValue, type Requirement } from "./parameter-errors.ts";

/** What a field of a body and a parameter have in common. */
type TypeSpec = Pick<FieldSpec, "type" | "enum" | "min" | "max">;

const idNames = ["videoId", "channelId", "playlistId"] as const;

const typeRequirements = {
  string: { allowed: "text", rule: { rule: "text" } },
  integer: { allowed: "a whole number", rule: { rule: "whole" } },
  boolean: { allowed: "true or false", rule: { rule: "boolean" } },
  datetime: { allowed: "a time like 2026-01-31T12:00:00Z", rule: { rule: "time" } },
  strings: { allowed: "a list of texts", rule: { rule: "list" } },
  uint64: { allowed: "a whole number written as text", rule: { rule: "whole" } },
  resourceId: {
    allowed: `an object with kind and one of ${idNames.join(", ")}`,
    rule: { rule: "object" },
  },
  object: { allowed: "an object", rule: { rule: "object" } },
} as const satisfies Record<TypeSpec["type"], Requirement>;

export function requirementFor({ type, enum: values, min, max }: TypeSpec): Requirement {
  if (values) {
    return {
      allowed: describeChoice(values),
      rule: { rule: "choice", choices: values.join(", ") },
    };
  }
  if (type !== "integer" || min === undefined) return typeRequirements[type];
  if (max === undefined) {
    return { allowed: `a whole number, ${min} or more`, rule: { rule: "least", min } };
  }
  return { allowed: `a whole number from ${min} to ${max}`, rule: { rule: "range", min, max } };
}

/** Whether a value has the type, is one of the values and is within the bounds of its spec. */
export function fitsSpec(spec: TypeSpec, value: unknown): boolean {
  const { min = -Infinity, max = Infinity } = spec;
  switch (spec.type) {
    case "string":
      return typeof value === "string" && (spec.enum === undefined || spec.enum.includes(value));
    case "integer":
      return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
    case "boolean":
      return typeof value === "boolean";
    case "datetime":
      return isTime(value);
    case "strings":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "uint64":
      return typeof value === "string" && /^\d{1,20}$/.test(value);
    case "resourceId":
      return isJsonRecord(value) && isText(value.kind) && idNames.some((id) => isText(value[id]));
    case "object":
      return isJsonRecord(value);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

interface BrokenRequirement extends Requirement {
  readonly was: string;
}

/** What a field of a body should be and is not; undefined when nothing is wrong with its value. */
export function brokenRequirement(spec: FieldSpec, value: unknown): BrokenRequirement | undefined {
  if (!fitsSpec(spec, value)) return { ...requirementFor(spec), was: describeValue(value) };
  if (spec.type !== "strings") {
    return typeof value === "string" ? brokenTextLimit(spec, value) : undefined;
  }
  const texts = value as readonly string[]; // `fitsSpec` has looked
  for (const text of texts) {
    const broken = brokenTextLimit(spec, text);
    if (broken !== undefined) return broken;
  }
  const { maxTagChars: most = Infinity } = spec;
  const length = countTagCharacters(texts);
  if (length <= most) return undefined;
  const rule = { rule: "tags", most, length };
  return { allowed: `at most ${most} characters long together`, was: `${length} long`, rule };
}

/**
 * Commas between tags count, and two quotes around a tag with a space
 * (https://developers.google.com/youtube/v3/docs/videos#snippet.tags[]).
 */
function countTagCharacters(tags: readonly string[]): number {
  const quoted = tags.map((tag) => countCharacters(tag) + (tag.includes(" ") ? 2 : 0));
  return quoted.reduce((sum, length) => sum + length, Math.max(0, tags.length - 1));
}

/** Texts are private: an error says what is wrong with them, never what they say. */
export function brokenTextLimit(
  {
    maxChars = Infinity,
    maxBytes = Infinity,
    forbids = "",
  }: Pick<FieldSpec, "maxChars" | "maxBytes" | "forbids">,
  text: string,
): BrokenRequirement | undefined {
  if (text.length > maxChars) {
    const length = countCharacters(text);
    const rule = { rule: "chars", most: maxChars, length };
    const allowed = `at most ${maxChars} characters long`;
    if (length > maxChars) return { allowed, was: `${length} long`, rule };
  }
  // No character of a string takes more than three bytes.
  if (text.length * 3 > maxBytes) {
    const length = Buffer.byteLength(text);
    const rule = { rule: "bytes", most: maxBytes, length };
    const allowed = `at most ${maxBytes} bytes long`;
    if (length > maxBytes) return { allowed, was: `${length} bytes long`, rule };
  }
  const found = [...forbids].find((character) => text.includes(character));
  if (found === undefined) return undefined;
  const rule = { rule: "free", forbidden: [...forbids].join(" ") };
  return { allowed: `free of ${[...forbids].join(" and ")}`, was: `text with ${found}`, rule };
}

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export function isTime(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return typeof value === "string" && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
}

export function isJsonRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a value is given; empty texts and lists count as absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Whether a value selects something; `mine: false` does not. */
export function isChosen(value: unknown): boolean {
  return value !== false && isGiven(value);
}

/**
 * The value in an object at a path like `snippet.title`, or a list of names, which may contain dots; undefined when the
 * path ends earlier.
 */
export function valueAtPath(value: unknown, place: string | readonly string[]): unknown {
  let here = value;
  for (const name of typeof place === "string" ? place.split(".") : place) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name]; // hasOwn has just said so
  }
  return here;
}
