import type { MethodSpec, ParamSpec } from "../methods/spec.ts";
import type { Given } from "../split.ts";
import { checkBody } from "./body.ts";
import { conflict, faultOf, invalid, missing, oneOf, shown } from "./fault.ts";
import { allowedFor, fits, tooLong } from "./field.ts";
import { type Plan, planOf } from "./plan.ts";
import { isChosen, isGiven, isOver, isRecord } from "./value.ts";

/**
 * Holds parameters against the row before anything is sent, because a refused call costs units too.
 * @throws InputError `missing_parameter`, `invalid_parameter`, `unknown_parameter` or `conflicting_parameters`; its
 * facts name the `parameter`, what it `was` and what is `allowed`.
 */
export function check(method: string, row: MethodSpec, given: Given): void {
  const plan = planOf(row);
  checkParams(method, plan, given);
  checkFilters(method, row, given);
  if (plan.body) checkBody(method, row, plan.body, given);
  else if (given.body !== undefined) throw unknown(method, "body", plan.names);
  requireMedia(method, row, given.media);
}

/** Whether there is what is to be uploaded; how long and of what type it is shows when it is read. */
function requireMedia(method: string, row: MethodSpec, given: unknown): void {
  const { media } = row;
  if (media?.direction !== "up") {
    if (given !== undefined) throw unknown(method, "media", planOf(row).names);
    return;
  }
  if (given === undefined) {
    if (!media.optional) throw missing(method, "media");
    return;
  }
  const isMedia = isRecord(given) && typeof given.data === "object" && given.data !== null;
  if (isMedia && typeof given.type === "string" && given.type !== "") return;
  throw invalid(method, {
    parameter: "media",
    allowed: "an object with data and type",
    rule: { rule: "object" },
    was: shown(given),
  });
}

/** Names beside the query parameters. */
const notQuery: ReadonlySet<string> = new Set(["body", "media"]);

/** Holds the query parameters against the row. */
function checkParams(method: string, plan: Plan, given: Given): void {
  for (const name in given) {
    const value = given[name];
    if (value === undefined || notQuery.has(name)) continue;
    const spec = plan.specs.get(name);
    if (spec === undefined) throw unknown(method, name, plan.names);
    if (!isGiven(value)) continue;
    checkValue(method, name, spec, value);
    if (isChosen(value)) checkCompany(method, name, spec, given);
  }
  for (const name of plan.required) {
    if (!isGiven(given[name])) throw missing(method, name);
  }
}

function checkFilters(method: string, { filters }: MethodSpec, given: Given): void {
  if (filters === undefined) return;
  const { exactlyOne, atMostOne } = filters;
  const chosen = (names: readonly string[]) => names.filter((name) => isChosen(given[name]));
  if (exactlyOne && chosen(exactlyOne).length !== 1) {
    throw choice(method, "exactly one", exactlyOne, chosen(exactlyOne));
  }
  if (atMostOne && chosen(atMostOne).length > 1) {
    throw choice(method, "at most one", atMostOne, chosen(atMostOne));
  }
}

/** A parameter that the method does not have. Its value stays out of the error: it may be a credential gone astray. */
export function unknown(method: string, name: string, names: readonly string[]) {
  const problem = `There is no \`${name}\` here.`;
  const allowed = oneOf(names);
  return faultOf({ method, parameter: name, code: "unknown_parameter", problem, allowed });
}

function checkValue(method: string, parameter: string, spec: ParamSpec, value: unknown): void {
  if (!spec.repeated || !Array.isArray(value)) {
    checkOne(method, parameter, spec, value);
    return;
  }
  const { maxItems = Infinity } = spec;
  if (value.length > maxItems) {
    const allowed = `a list of at most ${maxItems}`;
    const rule = { rule: "items", most: maxItems };
    throw invalid(method, { parameter, allowed, was: shown(value), rule });
  }
  for (const one of value) checkOne(method, parameter, spec, one);
}

function checkOne(method: string, parameter: string, spec: ParamSpec, value: unknown): void {
  if (value === "" || !fits(spec, value)) {
    throw invalid(method, { parameter, ...allowedFor(spec), was: shown(value) });
  }
  const { maxChars } = spec;
  if (maxChars === undefined || typeof value !== "string" || !isOver(value, maxChars)) return;
  throw invalid(method, { parameter, ...tooLong(value, maxChars) });
}

/** What it needs beside it, and what it can't stand beside it. */
function checkCompany(method: string, name: string, spec: ParamSpec, given: Given): void {
  for (const other in spec.needs) {
    const wanted = spec.needs[other];
    if (wanted === true ? isChosen(given[other]) : isOnly(given[other], wanted)) continue;
    const also = wanted === true ? `\`${other}\`` : `\`${other}\` to be ${wanted}`;
    const was = isChosen(given[other]) ? shown(given[other]) : "not given";
    const rule = { rule: wanted === true ? "needs" : "needs_value", other, value: `${wanted}` };
    throw conflict(method, name, {
      problem: `\`${name}\` needs ${also}.`,
      was,
      allowed: also,
      rule,
    });
  }
  for (const other of spec.notWith ?? []) {
    if (!isChosen(given[other])) continue;
    const problem = `\`${name}\` can't be given together with \`${other}\`.`;
    const allowed = `one of \`${name}\` and \`${other}\``;
    throw conflict(method, name, { problem, allowed, rule: { rule: "apart", other } });
  }
}

function isOnly(value: unknown, wanted: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && value.every((one) => one === wanted)
    : value === wanted;
}

function choice(method: string, how: string, names: readonly string[], was: readonly string[]) {
  const problem = `Give ${how} of ${listed(names)}.`;
  return faultOf({
    method,
    parameter: names.join(", "),
    code: "conflicting_parameters",
    problem,
    was: was.length === 0 ? "none of them" : listed(was),
    allowed: how,
    rule: { rule: how.replaceAll(" ", "_"), choices: names.join(", ") },
  });
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
