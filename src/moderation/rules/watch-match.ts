import { patternsMatcher } from "./tests/patterns.ts";
import type { Matcher } from "./tests/types.ts";
import { wordsMatcher } from "./tests/words.ts";
import { createSubject } from "./text/subject.ts";

/**
 * Of published comments the ones that a watch wants: any of these words or phrases, or `/a pattern/`; look-alike letters
 * count as the same. @throws InputError `rule_words`, `rule_pattern`
 */
export function matchOf(wanted: readonly string[]): (text: string) => boolean {
  const patterns = wanted.flatMap((one) => /^\/(.+)\/$/su.exec(one.trim())?.[1] ?? []);
  const words = wanted.filter((one) => !/^\/.+\/$/su.test(one.trim()));
  const matchers: Matcher[] = [
    ...(words.length > 0 ? [wordsMatcher(words, true)] : []),
    ...(patterns.length > 0 ? [patternsMatcher(patterns, true)] : []),
  ];
  return (text) => {
    const looking = { comment: { text }, subject: createSubject(text) };
    return matchers.some((matcher) => matcher(looking) !== undefined);
  };
}
