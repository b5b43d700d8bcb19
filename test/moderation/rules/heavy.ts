import type { RuleTest } from "../../../src/moderation/index.ts";

/** Nearly as long as a comment can be, with letters that keep the patterns below from failing early. */
export const longText = "abcdefgh nopqrstu ".repeat(555);

/** As many patterns as a rule may have, each nearly as large as a pattern may be. */
export function heavy(more = ""): Extract<RuleTest, { readonly kind: "patterns" }> {
  const letters = [..."abcdefghijklmnopqrst"];
  return {
    kind: "patterns",
    patterns: letters.map((letter) => `[${letter}-z ][a-z ]{440}${letter}9${more}`),
    isFolded: false,
  };
}
