import { type Facts, InputError } from "../../../errors.ts";

const codes = [
  "rule_words",
  "rule_pattern",
  "rule_links",
  "rule_repeats",
  "rule_authors",
  "rule_names",
  "rule_slow",
  "too_many_rules",
] as const;

type RuleErrorCode = (typeof codes)[number];

export function refuseRule(code: RuleErrorCode, facts: Facts = {}): InputError {
  return new InputError(`a rule is refused: ${JSON.stringify(facts)}`, { code, facts });
}

/** Whether a code is one of these: the thread sends codes, because it can't send errors. */
export function isRuleErrorCode(code: string): code is RuleErrorCode {
  return codes.some((one) => one === code);
}
