import type { CallParams, MethodSpec, ParamSpec } from "../methods/spec.ts";
import { checkBody } from "./check-body.ts";
import { type CheckPlan, checkPlanFor } from "./check-plan.ts";
import {
  describeValue,
  invalidParameterError,
  missingParameterError,
  parameterError,
  unknownParameterError,
} from "./parameter-errors.ts";
import {
  brokenTextLimit,
  fitsSpec,
  isChosen,
  isGiven,
  isJsonRecord,
  requirementFor,
} from "./values.ts";

/**
 * Checks parameters against the table before anything is sent, because a refused call costs units too.
 * @throws InputError `missing_parameter`, `invalid_parameter`, `unknown_parameter` or `conflicting_parameters`; its
 * facts name the `parameter`, what it `was` and what is `allowed`.
 */
export function checkCall(method: string, methodSpec: MethodSpec, params: CallParams): void {
  const plan = checkPlanFor(methodSpec);
  checkParams(method, plan, params);
  checkFilters(method, methodSpec, params);
  if (plan.body) checkBody(method, methodSpec, plan.body, params);
  else if (params.body !== undefined) throw unknownParameterError(method, "body", plan.names);
  checkMediaGiven(method, methodSpec, { plan, given: params.media });
}

/** Whether media is there when the method needs it. Length and type are checked when it is read. */
function checkMediaGiven(
  method: string,
  { media }: MethodSpec,
  { plan, given }: { readonly plan: CheckPlan; readonly given: unknown },
): void {
  if (media?.direction !== "up") {
    if (given !== undefined) throw unknownParameterError(method, "media", plan.names);
    return;
  }
  if (given === undefined) {
    if (!media.optional) throw missingParameterError(method, "media");
    return;
  }
  const isMedia = isJsonRecord(given) && typeof given.data === "object" && given.data !== null;
  if (isMedia && typeof given.type === "string" && given.type !== "") return;
  throw invalidParameterError(method, {
    parameter: "media",
    allowed: "an object with data and type",
    rule: { rule: "object" },
    was: describeValue(given),
  });
}

const nonQueryNames: ReadonlySet<string> = new Set(["body", "media"]);

function checkParams(method: string, plan: CheckPlan, params: CallParams): void {
  for (const name in params) {
    const value = params[name];
    if (value === undefined || nonQueryNames.has(name)) continue;
    const spec = plan.specs.get(name);
    if (spec === undefined) throw unknownParameterError(method, name, plan.names);
    if (!isGiven(value)) continue;
    checkValue(method, name, spec, value);
    if (isChosen(value)) checkCombination(method, name, spec, params);
  }
  for (const name of plan.required) {
    if (!isGiven(params[name])) throw missingParameterError(method, name);
  }
}

function checkFilters(method: string, { filters }: MethodSpec, params: CallParams): void {
  const choices = [
    { how: "exactly one", least: 1, names: filters?.exactlyOne },
    { how: "at most one", least: 0, names: filters?.atMostOne },
  ];
  for (const { how, least, names = [] } of choices) {
    const chosen = names.filter((name) => isChosen(params[name]));
    if (names.length === 0 || (chosen.length >= least && chosen.length <= 1)) continue;
    throw parameterError({
      code: "conflicting_parameters",
      method,
      parameter: names.join(", "),
      problem: `Give ${how} of ${quoteNames(names)}.`,
      was: chosen.length === 0 ? "none of them" : quoteNames(chosen),
      allowed: how,
      rule: { rule: how.replaceAll(" ", "_"), choices: names.join(", ") },
    });
  }
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
    throw invalidParameterError(method, { parameter, allowed, was: describeValue(value), rule });
  }
  for (const one of value) checkOne(method, parameter, spec, one);
}

function checkOne(method: string, parameter: string, spec: ParamSpec, value: unknown): void {
  const broken =
    value === "" || !fitsSpec(spec, value)
      ? { ...requirementFor(spec), was: describeValue(value) }
      : typeof value === "string" && brokenTextLimit(spec, value);
  if (broken) throw invalidParameterError(method, { parameter, ...broken });
}

/** Checks the other parameters that this one needs or excludes. */
function checkCombination(method: string, name: string, spec: ParamSpec, params: CallParams): void {
  const conflict = { code: "conflicting_parameters", method, parameter: name } as const;
  for (const [other, value] of Object.entries(spec.needs ?? {})) {
    const values = [params[other]].flat();
    const isOnly = values.length > 0 && values.every((one) => one === value);
    if (value === true ? isChosen(params[other]) : isOnly) continue;
    const allowed = value === true ? `\`${other}\`` : `\`${other}\` to be ${value}`;
    throw parameterError({
      ...conflict,
      problem: `\`${name}\` needs ${allowed}.`,
      was: isChosen(params[other]) ? describeValue(params[other]) : "not given",
      allowed,
      rule: { rule: value === true ? "needs" : "needs_value", other, value: `${value}` },
    });
  }
  const other = spec.notWith?.find((excluded) => isChosen(params[excluded]));
  if (other === undefined) return;
  throw parameterError({
    ...conflict,
    problem: `\`${name}\` can't be given together with \`${other}\`.`,
    allowed: `one of \`${name}\` and \`${other}\``,
    rule: { rule: "apart", other },
  });
}

function quoteNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
