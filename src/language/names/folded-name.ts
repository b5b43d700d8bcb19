const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  œ: "oe",
  æ: "ae",
  ø: "o",
  ł: "l",
  ı: "i",
  đ: "d",
};

/** What was typed without invisible signs, in usual width. */
export function typedName(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim();
}

/** What a name means; "Oesterreich" and "Zuerich" are typed where the keyboard has no umlauts. */
export function byFoldedName<T>(names: ReadonlyMap<string, T>, name: string): T | undefined {
  const found = names.get(name);
  // Short words would become codes: "Tuer" is no Turkey.
  return found !== undefined || name.length < 6
    ? found
    : names.get(name.replace(/([aou])e/gu, "$1"));
}

/** A name without case, accents, width and punctuation; words are separated by single spaces. */
export function foldedName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßœæøłıđ]/gu, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
