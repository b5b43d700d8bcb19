import type { RuleTest } from "../../records/index.ts";
import { authorsMatcher } from "./authors.ts";
import { linksMatcher } from "./links.ts";
import { patternsMatcher } from "./patterns.ts";
import { repeatsMatcher } from "./repeats.ts";
import type { Matcher } from "./types.ts";
import { wordsMatcher } from "./words.ts";

/** @throws InputError `rule_words`, `rule_pattern`, `rule_links`, `rule_repeats` or `rule_authors`. */
export function matcherOf(test: RuleTest): Matcher {
  switch (test.kind) {
    case "words":
      return wordsMatcher(test.words, test.isFolded);
    case "patterns":
      return patternsMatcher(test.patterns, test.isFolded);
    case "links":
      return linksMatcher(test.allowed);
    case "repeated":
      return repeatsMatcher(test.times, test.withinMs);
    case "authors":
      return authorsMatcher(test.authors);
  }
}
