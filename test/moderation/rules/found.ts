import type { RuleBook, Rules, RuleTest } from "../../../src/moderation/index.ts";
import { createMatcher } from "../../../src/moderation/rules/matchers/matcher.ts";
import type { MatchInput } from "../../../src/moderation/rules/matchers/types.ts";
import { createTextForms } from "../../../src/moderation/rules/text/text-forms.ts";

/** What a test finds in a text. */
export function found(test: RuleTest, text: string, more: Partial<MatchInput> = {}) {
  return createMatcher(test)({ comment: {}, subject: createTextForms(text), ...more });
}

export const words = (...of: readonly string[]): RuleTest => ({
  kind: "words",
  words: of,
  isFolded: false,
});

export const alike = (...of: readonly string[]): RuleTest => ({
  kind: "words",
  words: of,
  isFolded: true,
});

export const patterns = (...of: readonly string[]): RuleTest => ({
  kind: "patterns",
  patterns: of,
  isFolded: false,
});

export const links = (...allowed: readonly string[]): RuleTest => ({ kind: "links", allowed });

/** The code and facts of the failure. */
export function refused(work: () => unknown): object {
  try {
    work();
  } catch (error) {
    const { code, facts } = error as { code: string; facts: object };
    return { code, ...facts };
  }
  throw new Error("nothing was refused");
}

/** Adds these to the people that rules spare. */
export function sparing(whose: Partial<RuleBook["spared"]>): Parameters<Rules["configure"]>[0] {
  return (stored) => ({ ...stored, spared: { ...stored.spared, ...whose } });
}
