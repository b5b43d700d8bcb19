import { describe, expect, it } from "vitest";
import { disguiseAlphabets, disguises } from "./disguises.ts";
import { alike, found, words } from "./found.ts";

const rows = disguises.flatMap(([word, ...texts]) => texts.map((text) => [word, text] as const));

/** The text in the letters of this alphabet; characters other than a to z stay as they are. */
function written(text: string, alphabet: string): string {
  const letters = Array.from(alphabet);
  return Array.from(text, (one) => letters[one.charCodeAt(0) - 97] ?? one).join("");
}

describe("disguises", () => {
  it("are at least 150", () => {
    expect(rows.length + Object.keys(disguiseAlphabets).length).toBeGreaterThanOrEqual(150);
  });

  it.each(rows)("hide %s in %j", (word, text) => {
    expect(found(alike(word), text)).toBe(word);
    expect(found(alike(word), `Look: ${text} 🔥`)).toBe(word);
  });

  it.each(Object.entries(disguiseAlphabets))("hide words in letters that are %s", (_, alphabet) => {
    for (const word of ["telegram", "whatsapp"]) {
      expect(found(alike(word), `join ${written(word, alphabet)} now`)).toBe(word);
    }
  });

  it("are not looked through without look-alikes, except for marks, invisible characters and other widths", () => {
    const bare = (text: string) =>
      text
        .normalize("NFKD")
        .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
        .replaceAll("ı", "i")
        .replaceAll("ł", "l")
        .toLowerCase();
    const hidden = rows.filter(
      ([word, text]) => !bare(text.replace("_", " ")).includes(bare(word)),
    );

    expect(hidden.length).toBeGreaterThanOrEqual(120);
    expect(hidden.filter(([word, text]) => found(words(word), text) !== undefined)).toEqual([]);
  });
});
