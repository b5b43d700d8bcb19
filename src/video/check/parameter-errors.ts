import { type Facts, InputError } from "../../errors.ts";

export interface Requirement {
  /** Words for the log, to follow "must be". */
  readonly allowed: string;
  /** For the message files: `rule` names it, the other facts are its numbers. */
  readonly rule?: ParameterRule;
}

type ParameterRule = Facts & { readonly rule: string };

interface ParameterProblem extends Partial<Requirement> {
  readonly code:
    | "missing_parameter"
    | "invalid_parameter"
    | "unknown_parameter"
    | "conflicting_parameters";
  readonly method: string;
  /** Name of the parameter, or path of a field in the body, like `body.snippet.title`. */
  readonly parameter: string;
  /** A sentence for the log that says what is wrong. */
  readonly problem: string;
  /** The value, shortened. */
  readonly was?: string;
}

export function parameterError(problem: ParameterProblem): InputError {
  const { code, method, parameter, problem: sentence, was, allowed, rule } = problem;
  const value = was === undefined ? "" : ` It was ${was}.`;
  return new InputError(`${method}: ${sentence}${value}`, {
    code,
    facts: {
      method,
      parameter,
      ...(was !== undefined && { was }),
      ...(allowed !== undefined && { allowed }),
      ...rule,
    },
  });
}

export function missingParameterError(method: string, parameter: string): InputError {
  const problem = `\`${parameter}\` is missing.`;
  return parameterError({ code: "missing_parameter", method, parameter, problem });
}

export function invalidParameterError(
  method: string,
  value: Requirement & Pick<ParameterProblem, "parameter"> & { readonly was: string },
): InputError {
  const problem = `\`${value.parameter}\` must be ${value.allowed}.`;
  return parameterError({ code: "invalid_parameter", method, problem, ...value });
}

export function notAnObjectError(method: string, parameter: string, value: unknown): InputError {
  const rule = { rule: "object" };
  const was = describeValue(value);
  return invalidParameterError(method, { parameter, allowed: "an object", was, rule });
}

/** A parameter that the method does not have. Its value stays out of the error: it may be a secret in the wrong place. */
export function unknownParameterError(method: string, parameter: string, names: readonly string[]) {
  const problem = `There is no \`${parameter}\` here.`;
  const allowed = describeChoice(names);
  return parameterError({ code: "unknown_parameter", method, parameter, problem, allowed });
}

/** Enough characters to recognise a value. */
const maxShownChars = 40;

export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string": {
      const text = value.toWellFormed();
      return JSON.stringify(
        text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text,
      );
    }
    case "number":
    case "boolean":
    case "bigint":
      return `${value}`;
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return `a list of ${value.length}`;
      return value instanceof Date ? "no time" : "an object";
    default:
      return `of type ${typeof value}`;
  }
}

export function describeChoice(allowed: readonly string[]): string {
  return allowed.length === 1 ? `${allowed[0]}` : `one of ${allowed.join(", ")}`;
}
