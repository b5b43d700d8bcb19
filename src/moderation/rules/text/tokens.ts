/** A text as words between spaces, so that whole words can be found. */
export interface WordTokens {
  /** ` one two `: one space before, between and after. */
  readonly line: string;
  /** Ends of words in `line` that have no space behind them, in scripts without spaces. */
  readonly ends: ReadonlySet<number>;
  readonly words: ReadonlySet<string>;
}

const run = /[\p{L}\p{N}\p{M}]+/gu;
const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
// The language does not matter: the dictionaries depend on the script.
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const noEnds: ReadonlySet<number> = new Set();

/** Splits a text without case and marks into words. */
export function splitWords(text: string): WordTokens {
  const found = text.match(run) ?? [];
  if (!spaceless.test(text)) {
    return { line: ` ${found.join(" ")} `, ends: noEnds, words: new Set(found) };
  }
  let line = " ";
  const ends = new Set<number>();
  const words = new Set<string>();
  for (const piece of found) {
    const start = line.length;
    const inside = spaceless.test(piece)
      ? Array.from(segmenter.segment(piece), ({ segment }) => segment)
      : [piece];
    for (const word of inside) {
      line += word;
      words.add(word);
      ends.add(line.length);
    }
    words.add(line.slice(start));
    line += " ";
  }
  return { line, ends, words };
}

/** A word or phrase to find, and whether it may be part of a longer word. */
export interface Needle {
  /** Words with one space in between. */
  readonly text: string;
  /** A single word of a script that writes spaces between words. */
  readonly isOneWord: boolean;
  readonly isOpenBefore: boolean;
  readonly isOpenAfter: boolean;
}

export function toNeedle(text: string, open: Pick<Needle, "isOpenBefore" | "isOpenAfter">): Needle {
  return { text, isOneWord: !text.includes(" ") && !spaceless.test(text), ...open };
}

export function containsNeedle({ line, ends, words }: WordTokens, needle: Needle): boolean {
  const { text, isOpenBefore, isOpenAfter } = needle;
  if (!isOpenBefore && !isOpenAfter) {
    if (words.has(text)) return true;
    // Such a word is either among the words or not in the text.
    if (needle.isOneWord) return false;
  }
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1)) {
    const end = at + text.length;
    if ((isOpenBefore || isEdge(at)) && (isOpenAfter || isEdge(end))) return true;
  }
  return false;

  function isEdge(at: number): boolean {
    return line[at - 1] === " " || line[at] === " " || ends.has(at);
  }
}
