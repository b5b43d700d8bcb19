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

type RuleRefusalCode = (typeof codes)[number];

export function refuseRule(code: RuleRefusalCode, facts: Facts = {}): InputError {
  return new InputError(`a rule is refused: ${JSON.stringify(facts)}`, { code, facts });
}

/** Whether a code is one of these refusals: the thread sends codes, because it can't send errors. */
export function isRuleRefusal(code: string): code is RuleRefusalCode {
  return codes.some((one) => one === code);
}
