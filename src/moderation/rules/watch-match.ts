/**
 * Of published comments the ones that a watch wants: any of these words or phrases, or `/a pattern/`; look-alike letters
 * count as the same. @throws InputError `rule_words`, `rule_pattern`
 */
export async function matchOf(wanted: readonly string[]): Promise<(text: string) => boolean> {
  // Few watches look for words, and the engine takes a while to load.
  const [{ wordsMatcher }, { patternsMatcher }, { createSubject }] = await Promise.all([
    import("./matchers/words.ts"),
    import("./matchers/patterns.ts"),
    import("./text/subject.ts"),
  ]);
  const patterns = wanted.flatMap((one) => slashed.exec(one.trim())?.[1] ?? []);
  const words = wanted.filter((one) => !slashed.test(one.trim()));
  const matchers = [
    // Nothing at all is refused as no words are.
    ...(words.length > 0 || patterns.length === 0 ? [wordsMatcher(words, true)] : []),
    ...(patterns.length > 0 ? [patternsMatcher(patterns, true)] : []),
  ];
  return (text) => {
    const looking = { comment: { text }, subject: createSubject(text) };
    return matchers.some((matcher) => matcher(looking) !== undefined);
  };
}

const slashed = /^\/(.+)\/$/su;
