import { InputError } from "../errors.ts";

/**
 * Of options that exclude each other, more than one was given: told before anything is asked of a service.
 * @throws InputError `conflicting_parameters`
 */
export function requireOneOf(options: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.length <= 1) return;
  const choices = Object.keys(options).join(", ");
  throw new InputError(`${given.length} of ${choices} were given`, {
    code: "conflicting_parameters",
    hint: `Give at most one of these: ${choices}.`,
    facts: { rule: "at_most_one", choices, options: Object.keys(options).join(" ") },
  });
}
