import { type Facts, InputError } from "../errors.ts";
import { inputHints, ownHints } from "./input-hints.ts";

/** What is refused before anything is sent, by the service's own code where it has one. */
export function refusal(
  code: keyof typeof inputHints | keyof typeof ownHints,
  why: string,
  facts: Facts = {},
): InputError {
  const hint = { ...inputHints, ...ownHints }[code];
  return new InputError(`removebg: ${why}`, { code, hint, facts });
}
