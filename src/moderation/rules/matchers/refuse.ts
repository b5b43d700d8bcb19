import { type Facts, InputError } from "../../../errors.ts";

const codes = [
  "rule_words",
  "rule_pattern",
  "rule_links",
  "rule_repeats",
  "rule_authors",
  "rule_slow",
  "too_many_rules",
] as const;

type RefusalCode = (typeof codes)[number];

export function refuse(code: RefusalCode, facts: Facts = {}): InputError {
  return new InputError(`a rule is refused: ${JSON.stringify(facts)}`, { code, facts });
}

/** What a refusal is made of, for whoever can't be handed the error. */
export function isRefusal(code: string): code is RefusalCode {
  return codes.some((one) => one === code);
}
