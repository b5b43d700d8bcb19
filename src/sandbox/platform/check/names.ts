import { type Check, isFields, text } from "./check.ts";

// https://docs.discord.com/developers/reference#locales
export const locales: readonly string[] = (
  "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th " +
  "zh-CN ja zh-TW ko"
).split(" ");

export const slashName: Check = (value, report) => {
  text(1, 32)(value, report);
  if (typeof value !== "string") return;
  const isNamed = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u.test(value);
  if (!isNamed || value !== value.toLowerCase()) {
    report.fail("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
  }
};

export function localized(of: Check): Check {
  return (value, report) => {
    if (!isFields(value)) {
      return report.fail("DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
    }
    for (const [locale, words] of Object.entries(value)) {
      if (!locales.includes(locale)) {
        report.at(locale).fail("BASE_TYPE_CHOICES", "Value must be one of the known locales.");
      } else if (words !== null) of(words, report.at(locale));
    }
  };
}
