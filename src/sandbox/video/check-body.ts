import type { FieldSpec, MethodSpec } from "../../video/index.ts";
import bodyReasons from "./body-reasons.json" with { type: "json" };
import { type JsonBody, valueAt } from "./json-body.ts";
import { ApiRefusal, badBody } from "./refusal.ts";

/** Why a field is refused, by resource and place; what is not listed is `required` or `badRequest`. */
const reasons: Readonly<Record<string, Readonly<Record<string, FieldReasons>>>> = bodyReasons;

interface FieldReasons {
  readonly missing?: string;
  /** When the whole part that the field belongs to is missing; like `missing` when absent. */
  readonly missingPart?: string;
  readonly empty?: string;
  readonly invalid?: string;
}

interface BodyField {
  readonly place: string;
  readonly spec: FieldSpec;
  readonly body: JsonBody;
  readonly resource: string;
}

/**
 * Refuses a body that the service would refuse before it looks at its own data. Fields that
 * the spec does not list are ignored, because clients send whole resources back; fields that `part` does not name are
 * only checked for their type.
 */
export function checkRequestBody(
  { body: known }: MethodSpec,
  body: JsonBody,
  parts: readonly string[],
): void {
  if (known === undefined) return;
  const isLeftOut = known.optional === true && Object.keys(body).length === 0;
  if (isLeftOut) return;
  const fields = Object.entries(known.fields).map(([place, spec]) => {
    return { place, spec, body, resource: known.resource };
  });
  for (const field of fields) for (const value of valuesAt(field)) checkShape(field, value);
  for (const field of fields) {
    const isNamed = parts.includes(field.place.split(".")[0] ?? "");
    checkPresence(field, isNamed);
    const isWritten = isNamed || !field.place.includes(".");
    if (isWritten) for (const value of valuesAt(field)) checkValue(field, value);
  }
}

/** Every value at a field's place; `*` stands for each key of an object. */
function valuesAt({ place, body }: Pick<BodyField, "place" | "body">): unknown[] {
  const [before, after] = place.split(".*.");
  if (after === undefined) return [valueAt(body, place)].filter((value) => value != null);
  const entries = valueAt(body, before ?? "");
  if (typeof entries !== "object" || entries === null) return [];
  return Object.values(entries)
    .map((entry) => valueAt({ entry }, `entry.${after}`))
    .filter((value) => value != null);
}

function checkPresence(field: BodyField, isNamed: boolean): void {
  const { place, spec, body, resource } = field;
  if (spec.required !== true && !(spec.required === "with-part" && isNamed)) return;
  const [value] = valuesAt(field);
  const isEmpty = value === "" && spec.mayBeEmpty !== true;
  if (value !== undefined && !isEmpty) return;
  const { missing, missingPart, empty } = reasons[resource]?.[place] ?? {};
  const hasPart = body[place.split(".")[0] ?? ""] !== undefined;
  const reason = hasPart ? missing : (missingPart ?? missing);
  throw refuse(field, (isEmpty ? empty : undefined) ?? reason ?? "required");
}

/** A value of a wrong type is refused in every part. */
function checkShape({ place, spec }: BodyField, value: unknown): void {
  if (shapes[spec.type](value)) return;
  throw new ApiRefusal(400, {
    reason: "badRequest",
    message: `Invalid value at '${place}' (${spec.type}).`,
    place: { location: `body.${place}`, locationType: "other" },
  });
}

const isText = (value: unknown): boolean => typeof value === "string";
const isWhole = (value: unknown): boolean =>
  Number.isInteger(value) || (typeof value === "string" && /^-?\d{1,10}$/.test(value));

const shapes = {
  string: isText,
  datetime: isText,
  integer: isWhole,
  boolean: (value) => typeof value === "boolean",
  strings: (value) => Array.isArray(value) && value.every(isText),
  uint64: (value) => isWhole(value) || (typeof value === "string" && /^\d{1,20}$/.test(value)),
  resourceId: (value) => typeof value === "object" && !Array.isArray(value),
  object: (value) => typeof value === "object" && !Array.isArray(value),
} as const satisfies Record<FieldSpec["type"], (value: unknown) => boolean>;

function checkValue(field: BodyField, value: unknown): void {
  const { place, spec, body, resource } = field;
  const isFine =
    isWithin(spec, value) &&
    Object.entries(spec.needs ?? {}).every(([other, wanted]) => valueAt(body, other) === wanted);
  if (!isFine) throw refuse(field, reasons[resource]?.[place]?.invalid ?? "badRequest");
}

function isWithin(spec: FieldSpec, value: unknown): boolean {
  const { min = -Infinity, max = Infinity, maxChars = Infinity, maxBytes = Infinity } = spec;
  const text = Array.isArray(value) ? value.join("") : String(value);
  if (spec.type === "integer") return Number(value) >= min && Number(value) <= max;
  if (spec.type === "datetime" && Number.isNaN(Date.parse(text))) return false;
  if (spec.enum?.includes(text) === false) return false;
  if ([...(spec.forbids ?? "")].some((letter) => text.includes(letter))) return false;
  return [...text].length <= maxChars && Buffer.byteLength(text) <= maxBytes;
}

function refuse({ place, resource }: BodyField, reason: string): ApiRefusal {
  const isGeneral = reason === "required" || reason === "badRequest";
  const name = resource.charAt(0).toLowerCase() + resource.slice(1);
  return badBody(isGeneral ? "" : name, reason, place);
}
