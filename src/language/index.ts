/**
 * What people read and call things, in their languages. Only this room knows the message files, ICU MessageFormat and the names
 * of zones and countries.
 */
export type { MessageKey } from "./catalogue.ts";
export {
  createLanguages,
  type EscapedText,
  type Language,
  type Languages,
  type Values,
} from "./language.ts";
export { type Locale, localeFor, locales } from "./locales.ts";
export { countryCodes, countryNamed, namesOfCountry } from "./names/countries.ts";
export { languageNamed, namedLanguages, namesOfLanguage } from "./names/languages.ts";
export {
  allTimeZones,
  hasSeveralZones,
  timeZoneNamed,
  timeZonesFor,
  timeZoneTitle,
  zonesOfCountry,
} from "./names/zones.ts";
