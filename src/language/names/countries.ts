import { once } from "../../once.ts";
import { locales } from "../locales.ts";
import alpha3 from "./country-codes.json" with { type: "json" };
import words from "./country-words.json" with { type: "json" };
import { byFoldedName, foldedName, typedName } from "./folded-name.ts";

/** Every country and territory of ISO 3166-1, by its code of two letters. */
export const countryCodes: readonly string[] = Object.keys(alpha3);

const byAlpha3: ReadonlyMap<string, string> = new Map(
  Object.entries(alpha3).map(([code, long]) => [long, code]),
);

/** Codes by folded name, in the bot's languages. */
export const countryNames = once((): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const [code, typed] of Object.entries(words)) {
    for (const name of typed.split(", ")) names.set(name, code);
  }
  for (const locale of locales) {
    for (const style of ["long", "short"] as const) {
      const display = new Intl.DisplayNames(locale, { type: "region", style });
      for (const code of countryCodes) {
        const name = foldedName(display.of(code) ?? "");
        if (name !== "" && !names.has(name)) names.set(name, code);
      }
    }
  }
  return names;
});

/** The country's code by its name in one of the bot's languages, not by a code. */
export function countryOfName(text: string): string | undefined {
  return byFoldedName(countryNames(), foldedName(text));
}

/** The longest name is far shorter. */
const longestText = 80;

/** Regional indicators: 🇩🇪 is D and E. */
const flag = /^\p{Regional_Indicator}{2}$/u;
const firstIndicator = 0x1f1e6;

/**
 * The code of the country that the whole text means: its code of two or three letters, its flag, or a name in one of the
 * bot's languages.
 */
export function countryNamed(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  const typed = typedName(text);
  const code = flag.test(typed)
    ? Array.from(typed, (letter) =>
        String.fromCharCode(65 + (letter.codePointAt(0) ?? 0) - firstIndicator),
      ).join("")
    : typed.toUpperCase();
  if (/^[A-Z]{2}$/u.test(code) && code in alpha3) return code;
  return byAlpha3.get(code) ?? countryOfName(flag.test(typed) ? code : typed) ?? nameAndCode(typed);
}

/** "Germany · DE", as suggestions show it, and "Germany (DE)": the name, if the code is its own. */
function nameAndCode(typed: string): string | undefined {
  const [name = "", code = "", ...more] = typed.replace(/\)$/u, "").split(/[·(,]/u);
  const named = countryOfName(name);
  return more.length === 0 && named === code.trim().toUpperCase() ? named : undefined;
}

const namesByCode = once(() => invertNames(countryNames()));

/** Everything that a country is called, folded; for search. */
export function namesOfCountry(code: string): readonly string[] {
  return [...(namesByCode().get(code) ?? []), byCode[code] ?? ""];
}

const byCode: Readonly<Record<string, string>> = alpha3;

/** Names by what they mean. */
export function invertNames(
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const inverted = new Map<string, string[]>();
  for (const [name, meant] of names) {
    const all = inverted.get(meant) ?? [];
    all.push(name);
    inverted.set(meant, all);
  }
  return inverted;
}
