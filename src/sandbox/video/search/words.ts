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
  const terms =
    fold(typed)
      .split("|")
      .map((piece) => piece.trim())
      .join("|")
      .match(/-?"[^"]*"|\S+/g) ?? [];
  const excluded = terms.filter(isExclusion).map((term) => alternatives(term.slice(1)));
  const required = terms
    .filter((term) => !isExclusion(term))
    .map(alternatives)
    .filter((options) => options.length > 0);
  // Signs alone, like an emoji, are in no text; nothing typed at all is in every text.
  const isVain = terms.length > 0 && required.length + excluded.length === 0;

  return (texts) => {
    const folded = texts.map(
      ([text, weight]) => [` ${split(fold(text)).join(" ")} `, weight] as const,
    );
    const score = (options: readonly string[]): number =>
      folded.reduce((sum, [text, weight]) => sum + weight * closeness(text, options), 0);
    if (isVain || excluded.some((options) => score(options) > 0)) return 0;
    const scores = required.map(score);
    return scores.includes(0) ? 0 : 1 + scores.reduce((sum, value) => sum + value, 0);
  };
}

function isExclusion(term: string): boolean {
  return /^-./.test(term);
}

/** A whole word is worth more than the beginning of one. */
function closeness(text: string, options: readonly string[]): number {
  if (options.some((option) => text.includes(`${option} `))) return 1.5;
  return options.some((option) => text.includes(option)) ? 1 : 0;
}

function alternatives(term: string): string[] {
  return term
    .split("|")
    .map((option) => split(option))
    .filter((words) => words.length > 0)
    .map((words) => ` ${words.join(" ")}`);
}

/** Case and accents don't matter. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function split(text: string): string[] {
  return text.match(wordPattern) ?? [];
}
