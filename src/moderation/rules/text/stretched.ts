/** Words with letters repeated for emphasis or to hide them: `freeee`, `teleegram`. */

/** Shorter words have another meaning with one letter more: god and good. */
const shortestStretched = 4;
/** The same for words with one letter twice: desert and dessert. */
export const shortestDoubled = 7;

const word = /\p{L}+/gu;

/** The text with three or more equal letters as two, as one, and as many as usual. Empty if there are none. */
export function repeatReadings(text: string): readonly string[] {
  const two = shortenRuns(text, () => 2);
  if (two === text) return [];
  const one = (some: string) => some.replace(word, toOne);
  return [two, one(text), one(shortenRuns(text, (letter) => ("eo".includes(letter) ? 2 : 3)))];
}

/** A short word keeps its letters, except at its end, where the last one only goes on: "sexxx". */
function toOne(text: string): string {
  const short = shortenRuns(text, () => 1);
  if (short.length >= shortestStretched || short === text) return short;
  const last = short.at(-1) ?? "";
  return text === short.padEnd(text.length, last) ? short : text;
}

/** Shortens runs of three and more equal letters. */
function shortenRuns(text: string, most: (letter: string) => number): string {
  let short = "";
  let start = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (text[at] === text[start]) continue;
    const letter = text[start] ?? "";
    const length = at - start;
    const kept = length >= 3 && isLetter.test(letter) ? Math.min(length, most(letter)) : length;
    short += text.slice(start, start + kept);
    start = at;
  }
  return short;
}

const isLetter = /\p{L}/u;

/**
 * Whether `text` is the word with some letters more often in a row. Not if the last one is there twice: a telegram is a
 * `Telegramm` in German.
 */
export function isStretched(text: string, word: string): boolean {
  if (text.at(-1) === text.at(-2) && word.at(-1) !== word.at(-2)) return false;
  let at = 0;
  for (let place = 0; place < text.length; place += 1) {
    if (text[place] === word[at]) at += 1;
    else if (at === 0 || text[place] !== word[at - 1]) return false;
  }
  return at === word.length;
}
