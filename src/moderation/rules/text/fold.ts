/** Written differently, read the same: case, width, diacritics and what has no width at all. */

// Strokes and ligatures that no decomposition takes apart.
const single: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ħ: "h", ł: "l", ŧ: "t", þ: "th" },
  ...{ ı: "i", ς: "σ" },
};
const singles = new RegExp(`[${Object.keys(single).join("")}]`, "gu");

// Marks of Latin, Greek and Cyrillic, of Hebrew and of Arabic, which people leave out as they please. The others, such as
// Thai vowels or the marks that part か from が, make another word.
const marks =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these marks is looked for by itself
  /[\u0483-\u0489\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]/gu;
const hasMarks = new RegExp(marks.source, "u");
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is made of
const ascii = /^[\u0000-\u007f]*$/u;

/** Of full width and half width one, and without what nobody sees: joiners, direction marks, variation selectors. */
export function normalized(text: string): string {
  if (ascii.test(text)) return text;
  return text.normalize("NFKC").replace(ignorable, "");
}

/** Without diacritics, case as it is; й and ё are letters of their own only as far as people write them so. */
export function withoutMarks(text: string): string {
  if (ascii.test(text)) return text;
  const apart = text
    .normalize("NFD")
    .replace(/([Ии])\u0306/gu, (_, [letter]) => (letter === "И" ? "Й" : "й"));
  return (hasMarks.test(apart) ? apart.replace(marks, "") : apart).normalize("NFC");
}

export function withoutCase(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  // Once up and down again: of some letters only so the same is left of both cases. The dot of İ comes apart on the way.
  const same = lower.toUpperCase().toLowerCase();
  return same.replaceAll("i\u0307", "i").replace(singles, (letter) => single[letter] ?? letter);
}
