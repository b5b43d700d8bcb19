import type { RuleTest } from "../../../src/moderation/index.ts";

/** The longest comment, of letters that patterns made for it can't tell early. */
export const longText = "abcdefgh nopqrstu ".repeat(555);

/** As many patterns as a rule takes, each nearly as large as a pattern may be. */
export function heavy(more = ""): Extract<RuleTest, { readonly kind: "patterns" }> {
  const letters = [..."abcdefghijklmnopqrst"];
  return {
    kind: "patterns",
    patterns: letters.map((letter) => `[${letter}-z ][a-z ]{440}${letter}9${more}`),
    isFolded: false,
  };
}
