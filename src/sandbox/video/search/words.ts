/** Words; each ideograph or kana is one of its own, because such text has no spaces. */
const wordPattern =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv;

/** Gives how well texts answer the words, 0 for not at all. */
type WordMatch = (texts: readonly WeightedText[]) => number;

/** A text and how much a word in it counts. */
type WeightedText = readonly [text: string, weight: number];

/**
 * Reads what a person typed: every word must occur (at the start of a word), `-word` must not, `|` stands between
 * alternatives, quotes hold words together.
 */
export function readWords(typed: string): WordMatch {
  const joined = typed
    .split("|")
    .map((piece) => piece.trim())
    .join("|");
  const terms = (joined.match(/-?"[^"]*"|\S+/g) ?? []).map((term) => {
    const isExcluded = /^-./.test(term);
    const options = (isExcluded ? term.slice(1) : term).split("|").map(splitWords);
    return { isExcluded, options: options.filter((words) => words !== "") };
  });
  const excluded = terms.filter(({ isExcluded }) => isExcluded);
  const required = terms.filter(({ isExcluded, options }) => !isExcluded && options.length > 0);
  // Signs alone, like an emoji, are in no text; nothing typed at all is in every text.
  const isVain = terms.length > 0 && required.length + excluded.length === 0;

  return (texts) => {
    const split = texts.map(([text, weight]) => [`${splitWords(text)} `, weight] as const);
    const score = ({ options }: { readonly options: readonly string[] }): number =>
      split.reduce((sum, [text, weight]) => {
        // A whole word is worth more than the beginning of one.
        if (options.some((option) => text.includes(`${option} `))) return sum + weight * 1.5;
        return options.some((option) => text.includes(option)) ? sum + weight : sum;
      }, 0);
    if (isVain || excluded.some((term) => score(term) > 0)) return 0;
    const scores = required.map(score);
    return scores.includes(0) ? 0 : 1 + scores.reduce((sum, value) => sum + value, 0);
  };
}

/** The words with a space before each; case and accents don't matter. */
function splitWords(text: string): string {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (folded.match(wordPattern) ?? []).map((word) => ` ${word}`).join("");
}
