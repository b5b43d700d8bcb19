/** Brings texts that read the same into one form: case, width, diacritics, invisible characters, digits for letters. */

// Letters with strokes and ligatures, which Unicode does not decompose.
const single: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ł: "l",
  ŧ: "t",
  þ: "th",
  ı: "i",
  ς: "σ",
};
const singles = new RegExp(`[${Object.keys(single).join("")}]`, "gu");

// Marks of Latin, Greek, Cyrillic, Hebrew and Arabic, which people often leave out. Other marks, such as Thai vowels or the ones
// that make が from か, change the word.
const marks =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these marks is meant on its own
  /[\u0483-\u0489\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]/gu;
const hasMarks = new RegExp(marks.source, "u");
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is made of
const ascii = /^[\u0000-\u007f]*$/u;

/** Makes full and half width the same, and removes invisible characters: joiners, direction marks, variation selectors. */
export function normalizeText(text: string): string {
  if (ascii.test(text)) return text;
  return text.normalize("NFKC").replace(ignorable, "");
}

/** Removes diacritics and keeps the case. й stays a letter of its own, ё becomes е, as people write them. */
export function foldMarks(text: string): string {
  if (ascii.test(text)) return text;
  const apart = text
    .normalize("NFD")
    .replace(/([Ии])\u0306/gu, (_, [letter]) => (letter === "И" ? "Й" : "й"));
  return (hasMarks.test(apart) ? apart.replace(marks, "") : apart).normalize("NFC");
}

export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  // Upper case and lower case again: for some letters only this gives one form. İ leaves a separate dot, which is removed.
  const same = lower.toUpperCase().toLowerCase();
  return same.replaceAll("i\u0307", "i").replace(singles, (letter) => single[letter] ?? letter);
}

/** Stands for a character that may be an `i` or an `l`. It is a letter itself, so that words stay whole. */
export const iOrL = "ǀ";

const digits: Readonly<Record<string, string>> = {
  "0": "o",
  "1": iOrL,
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "|": iOrL,
  "!": iOrL,
  "@": "a",
  $: "s",
  "€": "e",
};
const digitLetters = /[01345789|!@$€]/gu;

/** Replaces digits and signs that stand for letters, in a word that also has letters. */
export function foldDigits(word: string): string {
  return /\p{L}/u.test(word) ? word.replace(digitLetters, (one) => digits[one] ?? one) : word;
}

/** Every possible reading of a text. */
export function possibleReadings(text: string): readonly string[] {
  if (!text.includes(iOrL)) return [text];
  return [text.replaceAll(iOrL, "i"), text.replaceAll(iOrL, "l")];
}
