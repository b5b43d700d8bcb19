import { isDeepStrictEqual } from "node:util";
import type { MethodSpec } from "../methods/spec.ts";
import { at } from "../place.ts";
import type { Given } from "../split.ts";
import { conflict, invalid, missing, shown } from "./fault.ts";
import { faultIn } from "./field.ts";
import type { BodyPlan, FieldPlan } from "./plan.ts";
import { isRecord } from "./value.ts";

/**
 * Beside the parameters of an update: the resource as the service holds it now. What stays as it is there is not held
 * against the row, whose values and limits may be older.
 */
export const stored = Symbol("stored");

interface Checking {
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly stored: unknown;
  /** Parts that the call names. */
  readonly parts: readonly unknown[];
}

/** Holds the body against the row; fields that the row does not name pass. */
export function checkBody(
  method: string,
  row: MethodSpec,
  plan: BodyPlan,
  given: Given & { readonly [stored]?: unknown },
): void {
  const { body, part } = given;
  if (body === undefined && !row.body?.optional) throw missing(method, "body");
  if (body !== undefined && !isRecord(body)) throw noObject(method, "body", body);
  const parts = Array.isArray(part) ? part : [part];
  const checking = { method, body: body ?? {}, stored: given[stored], parts };
  checkParts(plan, checking);
  for (const field of plan.fields) checkPlan(field, checking);
}

/** A part that is sent and not named is not stored, and nobody is told. */
function checkParts(plan: BodyPlan, { method, body, parts }: Checking): void {
  for (const name in body) {
    if (body[name] === undefined || !plan.parts.has(name) || parts.includes(name)) continue;
    const problem = `\`body.${name}\` would not be stored: name ${name} in \`part\` too.`;
    const rule = { rule: "part" };
    throw conflict(method, `body.${name}`, { problem, allowed: "what `part` names", rule });
  }
}

function checkPlan(field: FieldPlan, checking: Checking): void {
  const { path, below } = field;
  const value = reach(checking, whole(checking), path);
  if (below === undefined) {
    checkField(field, checking, { value, path });
    return;
  }
  if (isAbsent(value)) return;
  const above = ["body", ...path].join(".");
  if (!isRecord(value)) throw noObject(checking.method, above, value);
  for (const key of Object.keys(value)) {
    const place = `${above}.${key}`;
    const found = reach(checking, { start: place, from: value[key] }, below);
    checkField(field, checking, { value: found, path: [...path, key, ...below] });
  }
}

interface Start {
  readonly start: string;
  readonly from: unknown;
}

function whole({ body }: Checking): Start {
  return { start: "body", from: body };
}

/** What stands at the end of a path; undefined when the path ends before. */
function reach({ method }: Checking, { start, from }: Start, path: readonly string[]): unknown {
  let value = from;
  for (const [depth, step] of path.entries()) {
    if (isAbsent(value)) return undefined;
    if (!isRecord(value)) {
      throw noObject(method, [start, ...path.slice(0, depth)].join("."), value);
    }
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

interface Found {
  readonly value: unknown;
  readonly path: readonly string[];
}

function checkField({ spec, part }: FieldPlan, checking: Checking, { value, path }: Found): void {
  const { method, parts } = checking;
  const name = () => ["body", ...path].join(".");
  if (isAbsent(value) || (isBlank(value) && spec.required && !spec.mayBeEmpty)) {
    const isDue = spec.required === "with-part" ? parts.includes(part) : spec.required;
    if (isDue) throw missing(method, name());
    return;
  }
  const fault = faultIn(spec, value);
  if (fault && isDeepStrictEqual(value, at(checking.stored, path))) return;
  if (fault) throw invalid(method, { parameter: name(), ...fault });
  for (const place in spec.needs) {
    const wanted = spec.needs[place];
    const beside = reach(checking, whole(checking), place.split("."));
    if (beside === wanted) continue;
    const allowed = `\`body.${place}\` to be ${wanted}`;
    const was = isAbsent(beside) ? "not given" : shown(beside);
    const problem = `\`${name()}\` needs ${allowed}.`;
    const rule = { rule: "needs_value", other: place, value: `${wanted}` };
    throw conflict(method, name(), { problem, was, allowed, rule });
  }
}

/** The service takes blanks for nothing, and erases what stood there. */
function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function noObject(method: string, parameter: string, value: unknown) {
  const rule = { rule: "object" };
  return invalid(method, { parameter, allowed: "an object", was: shown(value), rule });
}
