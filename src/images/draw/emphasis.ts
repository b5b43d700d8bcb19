/** A part of a title, from one index to before another. */
export interface TitleSpan {
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** Where a word stands in a title: as a whole word if it does, else inside another one. */
export function findWord(text: string, word: string): TitleSpan | undefined {
  if (word === "") return undefined;
  const spanAt = (start: number) => ({ start, end: start + word.length });
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ""}${text[at + word.length] ?? ""}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return spanAt(at);
  }
  const inside = text.indexOf(word);
  return inside < 0 ? undefined : spanAt(inside);
}

/** The word that is emphasised when nobody chose one: a number, else the longest; none in a title of one word. */
export function chooseWord(text: string): TitleSpan | undefined {
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike);
  if (words.length < 2) return undefined;
  const weight = (word: string) => word.length + (/\p{N}/u.test(word) ? 100 : 0);
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const { segment, index } = rest.reduce(
    (best, word) => (weight(word.segment) >= weight(best.segment) ? word : best),
    first,
  );
  return { start: index, end: index + segment.length };
}

/** Finds the emphasised part again in each line of a broken title, where blanks went and hyphens came. */
export function findInLines(
  lines: readonly string[],
  text: string,
  span: TitleSpan,
): readonly (TitleSpan | undefined)[] {
  let at = 0;
  return lines.map((line) => {
    let found: TitleSpan | undefined;
    for (const [index, letter] of line.split("").entries()) {
      if (text[at] === " " && letter !== " ") at++;
      if (text[at] !== letter) continue;
      if (at >= span.start && at < span.end)
        found = { start: found?.start ?? index, end: index + 1 };
      at++;
    }
    return found;
  });
}
