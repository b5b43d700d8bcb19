import { type Facts, InputError } from "../../../errors.ts";

type Code =
  | "rule_words"
  | "rule_pattern"
  | "rule_links"
  | "rule_repeats"
  | "rule_authors"
  | "too_many_rules";

/** English stands in where a language has no words for it. */
const hints: Readonly<Record<Code, string>> = {
  rule_words:
    "Give 1 to 200 words or phrases of at most 100 characters each, with a * only at the beginning or the end.",
  rule_pattern:
    "Check the pattern: it is read as RE2 reads it, without look-ahead and back-references.",
  rule_links: "Give the hosts that stay allowed, such as example.com; at most 50.",
  rule_repeats: "Choose 2 to 50 times within a minute to seven days.",
  rule_authors: "Give 1 to 200 channels of the people concerned.",
  too_many_rules: "Remove a rule first.",
};

export function refuse(code: Code, facts: Facts & { readonly reason?: string } = {}): InputError {
  const hint = hints[code];
  return new InputError(`a rule is refused: ${JSON.stringify(facts)}`, { code, hint, facts });
}
