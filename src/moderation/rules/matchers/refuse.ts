import { type Facts, InputError } from "../../../errors.ts";

/** English stands in where a language has no words for it. */
const hints = {
  rule_words:
    "Give 1 to 200 words or phrases of at most 100 characters each, with a * only at the beginning or the end.",
  rule_pattern:
    "Check the pattern: it is read as RE2 reads it, without look-ahead and back-references.",
  rule_links: "Give the hosts that stay allowed, such as example.com; at most 50.",
  rule_repeats: "Choose 2 to 50 times within a minute to seven days.",
  rule_authors: "Give 1 to 200 channels of the people concerned.",
  rule_slow: "Use fewer or simpler patterns or words.",
  too_many_rules: "Remove a rule first.",
} as const;

type Code = keyof typeof hints;

export function refuse(code: Code, facts: Facts = {}): InputError {
  const hint = hints[code];
  return new InputError(`a rule is refused: ${JSON.stringify(facts)}`, { code, hint, facts });
}

/** What a refusal is made of, for whoever can't be handed the error. */
export function isRefusal(code: string): code is Code {
  return Object.hasOwn(hints, code);
}
