import type { RuleTest } from "../../records/index.ts";
import { authorsMatcher } from "./authors.ts";
import { linksMatcher } from "./links.ts";
import { patternsMatcher } from "./patterns.ts";
import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";
import { wordsMatcher } from "./words.ts";

const bounds = { leastTimes: 2, mostTimes: 50, leastMs: 60_000, mostMs: 7 * 86_400_000 } as const;

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

/** @throws InputError `rule_repeats` */
function repeatsMatcher(times: number, withinMs: number): Matcher {
  const isCount =
    Number.isInteger(times) && times >= bounds.leastTimes && times <= bounds.mostTimes;
  if (!isCount || !(withinMs >= bounds.leastMs && withinMs <= bounds.mostMs)) {
    throw refuse("rule_repeats", { least: bounds.leastTimes, most: bounds.mostTimes });
  }
  return ({ timesSaid }) => {
    const said = timesSaid?.(withinMs) ?? 1;
    return said >= times ? `${said} ×` : undefined;
  };
}
