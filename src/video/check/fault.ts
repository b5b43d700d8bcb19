import { type Facts, InputError } from "../../errors.ts";

export interface Fault {
  readonly method: string;
  /** Its name; of a field of the body its place, like `body.snippet.title`. */
  readonly parameter: string;
  readonly code:
    | "missing_parameter"
    | "invalid_parameter"
    | "unknown_parameter"
    | "conflicting_parameters";
  /** A sentence for the log that names the parameter and what it may be. */
  readonly problem: string;
  /** What it was, shortened. */
  readonly was?: string;
  readonly allowed?: string;
  /** What is allowed, for the message files: `rule` names it, the rest are its figures. */
  readonly rule?: Rule | undefined;
}

export type Rule = Facts & { readonly rule: string };

export function faultOf({ method, code, problem, parameter, ...told }: Fault): InputError {
  const { was, allowed, rule } = told;
  const whole = was === undefined ? problem : `${problem} It was ${was}.`;
  return new InputError(`${method}: ${whole}`, {
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

export function missing(method: string, parameter: string): InputError {
  const problem = `\`${parameter}\` is missing.`;
  return faultOf({ method, parameter, code: "missing_parameter", problem });
}

interface Invalid {
  readonly parameter: string;
  readonly allowed: string;
  readonly was: string;
  readonly rule?: Rule;
}

export function invalid(method: string, { parameter, allowed, was, rule }: Invalid): InputError {
  const problem = `\`${parameter}\` must be ${allowed}.`;
  return faultOf({ method, parameter, code: "invalid_parameter", problem, was, allowed, rule });
}

export function conflict(
  method: string,
  parameter: string,
  told: Pick<Fault, "problem" | "was" | "allowed" | "rule">,
): InputError {
  return faultOf({ method, parameter, code: "conflicting_parameters", ...told });
}

/** Enough to know it again. */
const maxShown = 40;

/** What a value was, in few characters: it may be anything at all. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string": {
      const text = value.toWellFormed();
      return JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);
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

export function oneOf(allowed: readonly string[]): string {
  return allowed.length === 1 ? `${allowed[0]}` : `one of ${allowed.join(", ")}`;
}
