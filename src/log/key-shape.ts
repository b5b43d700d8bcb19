/** The keys and tokens of these services have at least 22 characters. */
const shortestKey = 16;
const alphabet = /^[\w.~+/=-]+$/u;
const classes = [/\p{Ll}/u, /\p{Lu}/u, /\d/u];
/**
 * How often a text changes between small letters, capitals and digits, by its length. Random ones do at every other place;
 * of 10,000 keys of these services three fall below. A name in code may rise above, which hides a word of a stack at most.
 */
const leastChange = { withDigits: 0.13, lettersOnly: 0.28 } as const;

/**
 * Whether a text that somebody typed may be a key at all. Ids, words, names in code, paths and pieces of JSON are none: whoever
 * types one of them as a key must not have it taken out of everybody's log.
 */
export function hasKeyShape(text: string): boolean {
  if (text.length < shortestKey || !alphabet.test(text)) return false;
  const kinds = [...text].flatMap((letter) => {
    const kind = classes.findIndex((pattern) => pattern.test(letter));
    return kind < 0 ? [] : [kind];
  });
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  const least = kinds.includes(2) ? leastChange.withDigits : leastChange.lettersOnly;
  return kinds.length >= shortestKey && changes / (kinds.length - 1) >= least;
}
