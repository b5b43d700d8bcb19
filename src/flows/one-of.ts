import { InputError } from "../errors.ts";

type Options = Readonly<Record<string, unknown>>;

/**
 * Of options that exclude each other, more than one was given: told before anything is asked of a service.
 * @throws InputError `conflicting_parameters`
 */
export function requireOneOf(options: Options): void {
  if (countOf(options) > 1) throw conflict(options, "at_most_one");
}

/**
 * The same where one of them has to be given.
 * @throws InputError `conflicting_parameters`
 */
export function requireExactlyOneOf(options: Options): void {
  if (countOf(options) !== 1) throw conflict(options, "exactly_one");
}

function countOf(options: Options): number {
  return Object.values(options).filter((value) => value !== undefined).length;
}

function conflict(options: Options, rule: "at_most_one" | "exactly_one"): InputError {
  const choices = Object.keys(options).join(", ");
  const how = rule === "exactly_one" ? "exactly" : "at most";
  return new InputError(`${countOf(options)} of ${choices} were given`, {
    code: "conflicting_parameters",
    hint: `Give ${how} one of these: ${choices}.`,
    facts: { rule, choices, options: Object.keys(options).join(" ") },
  });
}
