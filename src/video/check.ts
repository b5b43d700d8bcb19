import { InputError } from "../errors.ts";
import type { MethodSpec, ParamSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Names beside the query parameters. */
const bodyName = "body";

/**
 * Holds parameters against the row before anything is sent, because a refused call costs units too.
 * @throws InputError `missing_parameter`, `invalid_parameter`, `unknown_parameter` or `conflicting_parameters`
 */
export function check(method: string, row: MethodSpec, given: Given): void {
  for (const name of Object.keys(given)) {
    const isKnown = Object.hasOwn(row.query, name) || (name === bodyName && row.body !== undefined);
    if (!isKnown && given[name] !== undefined) {
      throw fault(method, name, "unknown_parameter", `There is no \`${name}\` here.`);
    }
  }
  for (const name in row.query) {
    const spec = row.query[name];
    if (spec !== undefined) checkParam(method, name, spec, given[name]);
  }
  if (row.body !== undefined && !isRecord(given.body)) {
    throw fault(method, bodyName, "missing_parameter", `\`${bodyName}\` is missing.`);
  }
  checkFilters(method, row, given);
}

function checkParam(method: string, name: string, spec: ParamSpec, value: unknown): void {
  if (!isGiven(value)) {
    if (spec.required) throw fault(method, name, "missing_parameter", `\`${name}\` is missing.`);
    return;
  }
  const isList = spec.repeated && Array.isArray(value);
  if (isList ? value.every((one) => fits(spec, one)) : fits(spec, value)) return;
  const allowed = allowedOf(spec);
  throw fault(method, name, "invalid_parameter", `\`${name}\` must be ${allowed}.`, allowed);
}

function checkFilters(method: string, { filters }: MethodSpec, given: Given): void {
  const { exactlyOne, atMostOne } = filters ?? {};
  const count = (names: readonly string[]) => names.filter((name) => isChosen(given[name])).length;
  if (exactlyOne && count(exactlyOne) !== 1) throw conflict(method, exactlyOne, "exactly one");
  if (atMostOne && count(atMostOne) > 1) throw conflict(method, atMostOne, "at most one");
}

function fits({ type, enum: allowed, min, max }: ParamSpec, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value) && isWithin(Number(value), min, max);
    case "boolean":
      return typeof value === "boolean";
    case "datetime":
      return value instanceof Date
        ? !Number.isNaN(value.getTime())
        : typeof value === "string" && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
    case "string":
      return typeof value === "string" && (allowed === undefined || allowed.includes(value));
  }
}

function isWithin(value: number, min = -Infinity, max = Infinity): boolean {
  return value >= min && value <= max;
}

function allowedOf({ type, enum: allowed, min, max }: ParamSpec): string {
  if (allowed) return allowed.length === 1 ? `${allowed[0]}` : `one of ${allowed.join(", ")}`;
  if (type === "integer") {
    if (min !== undefined && max !== undefined) return `a whole number from ${min} to ${max}`;
    return "a whole number";
  }
  if (type === "boolean") return "true or false";
  return type === "datetime" ? "a time like 2026-01-31T12:00:00Z" : "text";
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function isChosen(value: unknown): boolean {
  return isGiven(value) && value !== false;
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fault(method: string, name: string, code: string, hint: string, allowed?: string) {
  return new InputError(`${method}: ${hint}`, {
    code,
    hint,
    facts: { method, parameter: name, ...(allowed && { allowed }) },
  });
}

function conflict(method: string, names: readonly string[], how: string): InputError {
  const list = names.map((name) => `\`${name}\``).join(", ");
  const hint = `Give ${how} of ${list}.`;
  return new InputError(`${method}: ${hint}`, {
    code: "conflicting_parameters",
    hint,
    facts: { method, parameter: names.join(", "), allowed: how },
  });
}
