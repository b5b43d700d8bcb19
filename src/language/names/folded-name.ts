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

/** A name without case, accents, width and punctuation; words are separated by single spaces. */
export function foldedName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßœæøłıđ]/gu, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
