import type { FieldSpec } from "../methods/spec.ts";
import { describeChoice, describeValue, type ParameterRule } from "./fault.ts";
import {
  countCharacters,
  describeWholeNumber,
  isJsonRecord,
  isLongerThan,
  isTime,
  isWhole,
  timeExample,
} from "./value.ts";

/** What a field and a parameter have in common. */
type TypeSpec = Pick<FieldSpec, "type" | "enum" | "min" | "max">;

interface FieldFault {
  readonly allowed: string;
  readonly was: string;
  readonly rule: ParameterRule;
}

/** What is wrong with the value of a field of a body; undefined when nothing is. */
export function fieldFaultOf(spec: FieldSpec, value: unknown): FieldFault | undefined {
  if (!fitsSpec(spec, value)) return { ...allowedFor(spec), was: describeValue(value) };
  if (spec.type === "strings") return faultInTexts(spec, value as readonly string[]); // `fitsSpec` has looked
  return typeof value === "string" ? faultInText(spec, value) : undefined;
}

function faultInTexts(
  { maxTagChars, ...spec }: FieldSpec,
  texts: readonly string[],
): FieldFault | undefined {
  for (const text of texts) {
    const fault = faultInText(spec, text);
    if (fault !== undefined) return fault;
  }
  const length = countTagCharacters(texts);
  if (maxTagChars === undefined || length <= maxTagChars) return undefined;
  const rule = { rule: "tags", most: maxTagChars, length };
  return {
    allowed: `at most ${maxTagChars} characters long together`,
    was: `${length} long`,
    rule,
  };
}

/**
 * Commas between tags count, and two quotes around a tag with a space
 * (https://developers.google.com/youtube/v3/docs/videos#snippet.tags[]).
 */
function countTagCharacters(tags: readonly string[]): number {
  const quoted = tags.map((tag) => countCharacters(tag) + (tag.includes(" ") ? 2 : 0));
  return quoted.reduce((sum, length) => sum + length, Math.max(0, tags.length - 1));
}

/** Whether a value has the type, is one of the values and is within the bounds of its spec. */
export function fitsSpec(spec: TypeSpec, value: unknown): boolean {
  switch (spec.type) {
    case "string":
      return typeof value === "string" && (spec.enum === undefined || spec.enum.includes(value));
    case "integer":
      return isWhole(value, spec);
    case "boolean":
      return typeof value === "boolean";
    case "datetime":
      return isTime(value);
    case "strings":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "uint64":
      return typeof value === "string" && /^\d{1,20}$/.test(value);
    case "resourceId":
      return isJsonRecord(value) && pointsSomewhere(value);
    case "object":
      return isJsonRecord(value);
  }
}

const idNames = ["videoId", "channelId", "playlistId"] as const;

function pointsSomewhere(value: Readonly<Record<string, unknown>>): boolean {
  const isText = (one: unknown) => typeof one === "string" && one !== "";
  return isText(value.kind) && idNames.some((id) => isText(value[id]));
}

/** What is allowed: as words for the log, and as a rule for the message files. */
export function allowedFor(spec: TypeSpec): Pick<FieldFault, "allowed" | "rule"> {
  return { allowed: allowedOf(spec), rule: ruleOf(spec) };
}

const ruleNames = {
  string: "text",
  integer: "whole",
  boolean: "boolean",
  datetime: "time",
  strings: "list",
  uint64: "whole",
  resourceId: "object",
  object: "object",
} as const satisfies Record<TypeSpec["type"], string>;

function ruleOf({ type, enum: values, min, max }: TypeSpec): ParameterRule {
  if (values) return { rule: "choice", choices: values.join(", ") };
  if (type !== "integer" || min === undefined) return { rule: ruleNames[type] };
  return max === undefined ? { rule: "least", min } : { rule: "range", min, max };
}

/** Words to follow "must be". */
function allowedOf(spec: TypeSpec): string {
  if (spec.enum) return describeChoice(spec.enum);
  switch (spec.type) {
    case "string":
      return "text";
    case "integer":
      return describeWholeNumber(spec);
    case "boolean":
      return "true or false";
    case "datetime":
      return timeExample;
    case "strings":
      return "a list of texts";
    case "uint64":
      return "a whole number written as text";
    case "resourceId":
      return `an object with kind and one of ${idNames.join(", ")}`;
    case "object":
      return "an object";
  }
}

/** Texts are private: an error says what is wrong with them, never what they say. */
function faultInText(spec: FieldSpec, text: string): FieldFault | undefined {
  const { maxChars, maxBytes, forbids = "" } = spec;
  if (maxChars !== undefined && isLongerThan(text, maxChars)) {
    return tooLongText(text, maxChars);
  }
  // No character of a string takes more than three bytes.
  if (maxBytes !== undefined && text.length * 3 > maxBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      const rule = { rule: "bytes", most: maxBytes, length: bytes };
      return { allowed: `at most ${maxBytes} bytes long`, was: `${bytes} bytes long`, rule };
    }
  }
  for (const character of forbids) {
    if (!text.includes(character)) continue;
    const allowed = `free of ${[...forbids].join(" and ")}`;
    const rule = { rule: "free", forbidden: [...forbids].join(" ") };
    return { allowed, was: `text with ${character}`, rule };
  }
  return undefined;
}

export function tooLongText(text: string, maxChars: number): FieldFault {
  const length = countCharacters(text);
  const rule = { rule: "chars", most: maxChars, length };
  return { allowed: `at most ${maxChars} characters long`, was: `${length} long`, rule };
}
