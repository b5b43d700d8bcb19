/** Reads upside-down and mirrored letters, as text generators write them. */

interface Alphabet {
  readonly letters: ReadonlyMap<string, string>;
  /** Letters that no ordinary word has. */
  readonly mark: RegExp;
}

const turned: Alphabet = {
  letters: parseAlphabet(
    "aɐ∀ bqᗺꓭᙠ cɔƆ dpᗡꓷ eǝəƎ fɟℲ gƃɓ⅁פᵷ hɥ iᴉı!ı jɾſſ kʞ⋊ꓘ lʅʃꞁ˥ן⅃ꓶ mɯWƜ nuᴎ pdԀ qbΌ rɹᴚꓤ tʇ⊥ꓕ un∩Ո vʌΛ wʍM yʎ⅄",
  ),
  mark: /[ɐǝɟƃɥᴉʞɯɹʇʌʍʎ∀ƎℲ⅁˥Ԁᴚ⊥∩⅄ꓤꓕᗺᵷ]/u,
};
const mirrored: Alphabet = {
  letters: parseAlphabet("aɒ bd cɔ db eɘɛ fᆿꟻ gǫ hʜ jꞁ kʞ lꞁ pq qp rɿя sꙅƨ tƚ zƹ"),
  mark: /[ɒɘɿꙅꟻꞁƹ]/u,
};

function parseAlphabet(rows: string): ReadonlyMap<string, string> {
  const pairs = rows
    .split(" ")
    .flatMap(([letter = "", ...looks]) => looks.map((look) => [look, letter] as const));
  return new Map(pairs);
}

const space = /(\s+)/u;
const between = " · ";

/** Words with such letters, read from left to right and from right to left. Other words are left out. */
export function turnedReadings(text: string): readonly string[] {
  const readings: string[] = [];
  if (turned.mark.test(text)) {
    const words = readWords(text, turned);
    readings.push(words.join(""), backwards(words.join("")), words.map(backwards).join(""));
  }
  if (mirrored.mark.test(text)) {
    const words = readWords(text, mirrored);
    readings.push(backwards(words.join("")), words.map(backwards).join(""));
  }
  return readings;
}

function readWords(text: string, { letters, mark }: Alphabet): readonly string[] {
  return text.split(space).map((piece) => {
    if (piece.trim() === "") return piece;
    if (!mark.test(piece)) return between;
    return Array.from(
      piece,
      (one) => letters.get(one) ?? letters.get(one.toLowerCase()) ?? one,
    ).join("");
  });
}

function backwards(text: string): string {
  return Array.from(text).reverse().join("");
}
