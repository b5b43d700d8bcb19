/** The keys and tokens of these services have at least 22 characters. */
const minKeyChars = 16;
const alphabet = /^[\w.~+/=-]+$/u;
const classes = [/\p{Ll}/u, /\p{Lu}/u, /\d/u];
/**
 * How often a key changes between small letters, capitals and digits, relative to its length. A random text changes at every
 * second character; of 10,000 keys of these services three are below. If a name in code is above, it is masked in stacks.
 */
const leastChange = { withDigits: 0.13, lettersOnly: 0.28 } as const;

/**
 * Whether a typed text can be a key. Ids, words, names in code, paths and parts of JSON can't: typing one of them as a key must not
 * mask it everywhere in the log.
 */
export function hasKeyShape(text: string): boolean {
  if (text.length < minKeyChars || !alphabet.test(text)) return false;
  const kinds = [...text].flatMap((letter) => {
    const kind = classes.findIndex((pattern) => pattern.test(letter));
    return kind < 0 ? [] : [kind];
  });
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  const least = kinds.includes(2) ? leastChange.withDigits : leastChange.lettersOnly;
  return kinds.length >= minKeyChars && changes / (kinds.length - 1) >= least;
}
