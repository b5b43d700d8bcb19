import { type Facts, InputError } from "../../errors.ts";

export interface ParameterFault {
  readonly method: string;
  /** Name of the parameter, or path of a field in the body, like `body.snippet.title`. */
  readonly parameter: string;
  readonly code:
    | "missing_parameter"
    | "invalid_parameter"
    | "unknown_parameter"
    | "conflicting_parameters";
  /** A sentence for the log that says what is wrong. */
  readonly problem: string;
  /** The value, shortened. */
  readonly was?: string;
  readonly allowed?: string;
  /** What is allowed, for the message files: `rule` names it, the other facts are its numbers. */
  readonly rule?: ParameterRule | undefined;
}

export type ParameterRule = Facts & { readonly rule: string };

export function parameterError({
  method,
  code,
  problem,
  parameter,
  ...details
}: ParameterFault): InputError {
  const { was, allowed, rule } = details;
  const sentence = was === undefined ? problem : `${problem} It was ${was}.`;
  return new InputError(`${method}: ${sentence}`, {
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
  return parameterError({ method, parameter, code: "missing_parameter", problem });
}

interface InvalidValue {
  readonly parameter: string;
  readonly allowed: string;
  readonly was: string;
  readonly rule?: ParameterRule;
}

export function invalidParameterError(
  method: string,
  { parameter, allowed, was, rule }: InvalidValue,
): InputError {
  const problem = `\`${parameter}\` must be ${allowed}.`;
  return parameterError({
    method,
    parameter,
    code: "invalid_parameter",
    problem,
    was,
    allowed,
    rule,
  });
}

export function conflictingParametersError(
  method: string,
  parameter: string,
  details: Pick<ParameterFault, "problem" | "was" | "allowed" | "rule">,
): InputError {
  return parameterError({ method, parameter, code: "conflicting_parameters", ...details });
}

/** Enough characters to recognise a value. */
const maxShownChars = 40;

/** Describes any value in a few characters. */
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
