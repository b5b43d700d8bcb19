import type { FieldSpec, MethodSpec } from "../../video/index.ts";
import { ApiError, badBody } from "./api-error.ts";
import bodyReasons from "./body-reasons.json" with { type: "json" };
import { type JsonBody, valueAt } from "./json-body.ts";

/**
 * Why a field is refused, by resource and place, as the method's page below https://developers.google.com/youtube/v3/docs
 * names it; what is not listed is `required` or `badRequest`.
 */
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
  readonly values: readonly unknown[];
}

/**
 * Refuses a body that YouTube would refuse before it looks at its own data. Fields that the spec does not list are
 * ignored, because clients send whole resources back; fields that `part` does not name are only checked for their type.
 */
export function checkRequestBody(
  { body: known }: MethodSpec,
  body: JsonBody,
  parts: readonly string[],
): void {
  if (known === undefined) return;
  if (known.optional === true && Object.keys(body).length === 0) return;
  const fields = Object.entries(known.fields).map(([place, spec]) => {
    return { place, spec, body, resource: known.resource, values: valuesAt(body, place) };
  });
  for (const { place, spec, values } of fields) {
    if (values.every((value) => hasType(value, spec.type))) continue;
    const message = `Invalid value at '${place}' (${spec.type}).`;
    throw new ApiError(400, { reason: "badRequest", message, place: { other: `body.${place}` } });
  }
  for (const field of fields) {
    const { place, spec, values } = field;
    const [part = "", isInPart] = place.split(".");
    const isNamed = parts.includes(part);
    checkPresence(field, isNamed);
    if (!isNamed && isInPart !== undefined) continue;
    const needs = Object.entries(spec.needs ?? {});
    const hasCompany = needs.every(([other, wanted]) => valueAt(body, other) === wanted);
    if (values.every((value) => hasCompany && isWithin(spec, value))) continue;
    throw badField(field, reasons[known.resource]?.[place]?.invalid ?? "badRequest");
  }
}

/** Every value at a field's place; `*` stands for each key of an object. */
function valuesAt(body: JsonBody, place: string): unknown[] {
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
  const [value] = field.values;
  const isEmpty = value === "" && spec.mayBeEmpty !== true;
  if (value !== undefined && !isEmpty) return;
  const { missing = "required", ...others } = reasons[resource]?.[place] ?? {};
  const hasPart = body[place.split(".")[0] ?? ""] !== undefined;
  const special = isEmpty ? others.empty : hasPart ? undefined : others.missingPart;
  throw badField(field, special ?? missing);
}

function hasType(value: unknown, type: FieldSpec["type"]): boolean {
  const isText = typeof value === "string";
  switch (type) {
    case "string":
    case "datetime":
      return isText;
    case "integer":
      return Number.isInteger(value) || (isText && /^-?\d{1,10}$/.test(value));
    case "uint64":
      return Number.isInteger(value) || (isText && /^-?\d{1,20}$/.test(value));
    case "boolean":
      return typeof value === "boolean";
    case "strings":
      return Array.isArray(value) && value.every((entry) => typeof entry === "string");
    case "resourceId":
    case "object":
      return typeof value === "object" && !Array.isArray(value);
  }
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

function badField({ place, resource }: BodyField, reason: string): ApiError {
  const isGeneral = reason === "required" || reason === "badRequest";
  const name = resource.charAt(0).toLowerCase() + resource.slice(1);
  return badBody(isGeneral ? "" : name, reason, place);
}
