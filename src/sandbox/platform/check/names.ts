import { isLocale } from "../../locales.ts";
import { type Check, type CheckedFields, isObject, string } from "./check.ts";

export const slashName: Check = (value, report) => {
  string(1, 32)(value, report);
  if (typeof value !== "string") return;
  const isNamed = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u.test(value);
  if (!isNamed || value !== value.toLowerCase()) {
    report.fail("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
  }
};

export function localizedField(of: Check): Check {
  return (value, report) => {
    if (!isObject(value)) {
      return report.fail("DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
    }
    for (const [locale, words] of Object.entries(value)) {
      if (!isLocale(locale)) {
        report.at(locale).fail("BASE_TYPE_CHOICES", "Value must be one of the known locales.");
      } else if (words !== null) of(words, report.at(locale));
    }
  };
}

/** The values of a field by language; the field itself has the empty string as its language. */
function* wordsOf(value: CheckedFields, field: string): Generator<readonly [string, unknown]> {
  yield ["", value[field]];
  const translations = value[`${field}_localizations`];
  if (isObject(translations)) yield* Object.entries(translations);
}

/** No two of a list may have the same name, in whichever language a person sees them. */
export function distinctNames(code: string, words: string): Check {
  return (value, report) => {
    if (!Array.isArray(value)) return;
    const seen = new Set<string>();
    for (const [index, each] of value.entries()) {
      if (!isObject(each)) continue;
      for (const [locale, name] of wordsOf(each, "name")) {
        if (typeof name !== "string") continue;
        const key = `${locale} ${name}`;
        const place = report.at(index).at(locale === "" ? "name" : "name_localizations");
        if (seen.has(key)) (locale === "" ? place : place.at(locale)).fail(code, words);
        seen.add(key);
      }
    }
  };
}
