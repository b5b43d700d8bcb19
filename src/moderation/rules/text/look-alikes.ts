import data from "unhomoglyph/data.json" with { type: "json" };
import { withoutMarks } from "./fold.ts";

/** Stands for what may be read as `i` or as `l`; a letter itself, so that words stay whole. */
const iOrL = "ǀ";

// A capital I among small letters is no capital.
const hiddenI = /(?<=[a-z])I(?![A-Z])/gu;
// Flags in a row spell something; one alone is a country.
const flags = /\p{Regional_Indicator}{3,}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is made of
const others = /[^\u0000-\u007f]/gu;

/** Letters of other scripts, and signs, as the Latin ones that they look like; case as it is. */
export function withoutDisguise(text: string): string {
  return text
    .replace(hiddenI, iOrL)
    .replace(flags, (row) => Array.from(row, (flag) => letterAt(flag, firstFlag)).join(""))
    .replace(others, latinOf);
}

const firstFlag = 0x1f1e6;
// White letters in black circles and squares, which the package does not have.
const firstOfRow = [0x1f150, 0x1f170] as const;

function letterAt(character: string, first: number): string {
  const place = (character.codePointAt(0) ?? 0) - first;
  return place >= 0 && place < 26 ? String.fromCharCode(0x61 + place) : "";
}

// The package's own function tries its 6,000 characters one after the other.
const lookAlikes: ReadonlyMap<string, string> = new Map(Object.entries(data));

function latinOf(character: string): string {
  if (character === iOrL) return character;
  const inRow = firstOfRow.map((first) => letterAt(character, first)).find((one) => one !== "");
  if (inRow !== undefined) return inRow;
  const latin = withoutMarks(lookAlikes.get(character) ?? character);
  // What looks like `l` may be meant as a capital `I` as well, and the package writes `m` as two letters.
  if (latin === "l") return iOrL;
  if (latin === "rn") return "m";
  return /^[A-Za-z0-9]{1,2}$/u.test(latin) ? latin : character;
}

const digits: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": iOrL, "3": "e", "4": "a", "5": "s", "7": "t", "|": iOrL, "!": iOrL },
  ...{ "@": "a", $: "s", "€": "e" },
};
const digitLetters = /[013457|!@$€]/gu;

/** Digits and signs that stand for letters, in a word that has letters too. */
export function withoutDigits(word: string): string {
  return /\p{L}/u.test(word) ? word.replace(digitLetters, (one) => digits[one] ?? one) : word;
}

/** Every way to read it. */
export function readings(text: string): readonly string[] {
  if (!text.includes(iOrL)) return [text];
  return [text.replaceAll(iOrL, "i"), text.replaceAll(iOrL, "l")];
}
