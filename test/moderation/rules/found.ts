import type { RuleTest } from "../../../src/moderation/index.ts";
import { matcherOf } from "../../../src/moderation/rules/matchers/matcher.ts";
import type { Looking } from "../../../src/moderation/rules/matchers/types.ts";
import { createSubject } from "../../../src/moderation/rules/text/subject.ts";

/** What a test finds in a text. */
export function found(test: RuleTest, text: string, more: Partial<Looking> = {}) {
  return matcherOf(test)({ comment: {}, subject: createSubject(text), ...more });
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

/** Code, facts of a refusal. */
export function refused(work: () => unknown): object {
  try {
    work();
  } catch (error) {
    const { code, facts } = error as { code: string; facts: object };
    return { code, ...facts };
  }
  throw new Error("nothing was refused");
}
