/** Text as words between spaces, so that a word is found whole. */
export interface Tokens {
  /** ` one two `: one space before, between and after. */
  readonly line: string;
  /** Ends of words in `line` where no space is: scripts without spaces have them. */
  readonly ends: ReadonlySet<number>;
  readonly words: ReadonlySet<string>;
}

const run = /[\p{L}\p{N}\p{M}]+/gu;
const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
// Which language makes no difference: the dictionaries go by the script.
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const noEnds: ReadonlySet<number> = new Set();

/** Of a text without case and marks. */
export function tokensOf(text: string): Tokens {
  const found = text.match(run) ?? [];
  if (!spaceless.test(text)) {
    return { line: ` ${found.join(" ")} `, ends: noEnds, words: new Set(found) };
  }
  let line = " ";
  const ends = new Set<number>();
  const words = new Set<string>();
  for (const piece of found) {
    const start = line.length;
    for (const word of wordsIn(piece)) {
      line += word;
      words.add(word);
      ends.add(line.length);
    }
    words.add(line.slice(start));
    line += " ";
  }
  return { line, ends, words };
}

function wordsIn(piece: string): readonly string[] {
  if (!spaceless.test(piece)) return [piece];
  return Array.from(segmenter.segment(piece), ({ segment }) => segment);
}

/** What is looked for, and whether a word may go on before or after it. */
export interface Needle {
  /** Words with one space between. */
  readonly text: string;
  /** One alone, of a script that sets spaces between words. */
  readonly isOneWord: boolean;
  readonly isOpenBefore: boolean;
  readonly isOpenAfter: boolean;
}

export function needleOf(text: string, open: Pick<Needle, "isOpenBefore" | "isOpenAfter">): Needle {
  return { text, isOneWord: !text.includes(" ") && !spaceless.test(text), ...open };
}

export function holds({ line, ends, words }: Tokens, needle: Needle): boolean {
  const { text, isOpenBefore, isOpenAfter } = needle;
  if (!isOpenBefore && !isOpenAfter) {
    if (words.has(text)) return true;
    // A single word of a script with spaces is among the words, or nowhere.
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
