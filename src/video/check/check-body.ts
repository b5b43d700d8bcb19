import { isDeepStrictEqual } from "node:util";
import type { CallParams, MethodSpec } from "../methods/spec.ts";
import type { BodyPlan, FieldPlan } from "./check-plan.ts";
import {
  describeValue,
  invalidParameterError,
  missingParameterError,
  notAnObjectError,
  parameterError,
} from "./parameter-errors.ts";
import { brokenRequirement, isJsonRecord, valueAtPath } from "./values.ts";

/**
 * Key of the resource as YouTube has it now, given beside the parameters of an update. Values that do not change are
 * not checked, because the values and limits of our table may be older.
 */
export const storedResource = Symbol("stored");

interface BodyCheck {
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly stored: unknown;
  /** What the call names in `part`. */
  readonly parts: readonly unknown[];
  /** The body has only what changes; the rest is read later. */
  readonly isChange?: true;
}

/** Checks the body against the table; fields that are not in the table pass. */
export function checkBody(
  method: string,
  methodSpec: MethodSpec,
  plan: BodyPlan,
  params: CallParams & { readonly [storedResource]?: unknown },
): void {
  const { body, part } = params;
  if (body === undefined && !methodSpec.body?.optional) throw missingParameterError(method, "body");
  if (body !== undefined && !isJsonRecord(body)) throw notAnObjectError(method, "body", body);
  const parts = Array.isArray(part) ? part : [part];
  const checking = { method, body: body ?? {}, stored: params[storedResource], parts };
  checkParts(plan, checking);
  for (const field of plan.fields) checkPlannedField(field, checking);
}

/** Checks what an update changes before the resource is read for it, because that costs units too. */
export function checkChange(method: string, plan: BodyPlan, change: BodyCheck["body"]): void {
  const checking = { method, body: change, stored: undefined, parts: [], isChange: true } as const;
  for (const field of plan.fields) checkPlannedField(field, checking);
}

/** YouTube silently ignores a part that is sent but not named in `part`. */
function checkParts(plan: BodyPlan, { method, body, parts }: BodyCheck): void {
  for (const name in body) {
    if (body[name] === undefined || !plan.parts.has(name) || parts.includes(name)) continue;
    throw parameterError({
      code: "conflicting_parameters",
      method,
      parameter: `body.${name}`,
      problem: `\`body.${name}\` would not be stored: name ${name} in \`part\` too.`,
      allowed: "what `part` names",
      rule: { rule: "part" },
    });
  }
}

function checkPlannedField(field: FieldPlan, checking: BodyCheck): void {
  const { path, below } = field;
  const value = reach(checking, bodyStart(checking), path);
  if (below === undefined) {
    checkField(field, checking, { value, path });
    return;
  }
  if (isAbsent(value)) return;
  const above = ["body", ...path].join(".");
  if (!isJsonRecord(value)) throw notAnObjectError(checking.method, above, value);
  for (const key of Object.keys(value)) {
    const place = `${above}.${key}`;
    const found = reach(checking, { start: place, from: value[key] }, below);
    checkField(field, checking, { value: found, path: [...path, key, ...below] });
  }
}

interface PathStart {
  readonly start: string;
  readonly from: unknown;
}

function bodyStart({ body }: BodyCheck): PathStart {
  return { start: "body", from: body };
}

/** The value at the end of a path; undefined when the path ends earlier. */
function reach(
  { method }: BodyCheck,
  { start, from }: PathStart,
  path: readonly string[],
): unknown {
  let value = from;
  for (const [depth, step] of path.entries()) {
    if (isAbsent(value)) return undefined;
    if (!isJsonRecord(value)) {
      throw notAnObjectError(method, [start, ...path.slice(0, depth)].join("."), value);
    }
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

interface CheckedValue {
  readonly value: unknown;
  readonly path: readonly string[];
}

function checkField(
  { spec, part }: FieldPlan,
  checking: BodyCheck,
  { value, path }: CheckedValue,
): void {
  const { method, parts } = checking;
  const name = () => ["body", ...path].join(".");
  if (isAbsent(value) && checking.isChange) return;
  // YouTube treats blanks as an empty text, and erases what was stored.
  const isBlank = typeof value === "string" && value.trim() === "";
  if (isAbsent(value) || (isBlank && spec.required && !spec.mayBeEmpty)) {
    const isRequired = spec.required === "with-part" ? parts.includes(part) : spec.required;
    if (isRequired) throw missingParameterError(method, name());
    return;
  }
  const broken = brokenRequirement(spec, value);
  if (broken && isDeepStrictEqual(value, valueAtPath(checking.stored, path))) return;
  if (broken) throw invalidParameterError(method, { parameter: name(), ...broken });
  if (checking.isChange) return;
  for (const [place, needed] of Object.entries(spec.needs ?? {})) {
    const beside = reach(checking, bodyStart(checking), place.split("."));
    if (beside === needed) continue;
    const allowed = `\`body.${place}\` to be ${needed}`;
    throw parameterError({
      code: "conflicting_parameters",
      method,
      parameter: name(),
      problem: `\`${name()}\` needs ${allowed}.`,
      was: isAbsent(beside) ? "not given" : describeValue(beside),
      allowed,
      rule: { rule: "needs_value", other: place, value: `${needed}` },
    });
  }
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
