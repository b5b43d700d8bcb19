import { locales } from "../locales.ts";
import words from "./country-words.json" with { type: "json" };
import { foldedName } from "./folded-name.ts";

/** Codes of ISO 3166-1 for places that are no longer or only by exception in it, and what is no country at all. */
const unassigned = new Set(
  "AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB XK YD YU ZR ZZ".split(
    " ",
  ),
);

function isAssigned(code: string): boolean {
  return !unassigned.has(code) && english.of(code) !== undefined;
}

const english = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Every country and territory of ISO 3166-1, by its code of two letters. */
export const countryCodes: readonly string[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter(isAssigned);

let known: ReadonlyMap<string, string> | undefined;

/** Codes by name, in the bot's languages. */
export function countryNames(): ReadonlyMap<string, string> {
  known ??= readNames();
  return known;
}

function readNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [code, typed] of Object.entries(words)) {
    for (const name of typed.split(", ")) names.set(name, code);
  }
  for (const locale of locales) {
    for (const style of ["long", "short"] as const) {
      const display = new Intl.DisplayNames(locale, { type: "region", style, fallback: "none" });
      for (const code of countryCodes) {
        const name = foldedName(display.of(code) ?? "");
        // "us" and the like are codes too, and read as such.
        if (name !== "" && !names.has(name)) names.set(name, code);
      }
    }
  }
  return names;
}

/** The country's code by its name in one of the bot's languages, not by a code. */
export function countryOfName(text: string): string | undefined {
  return countryNames().get(foldedName(text));
}
