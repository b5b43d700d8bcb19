/** Region codes the site has a version for, as far as the sandbox knows them. */
export const regionCodes: readonly string[] = [
  "AE AR AT AU AZ BA BD BE BG BH BO BR BY CA CH CL CO CR CY CZ DE DK DO DZ EC EE EG ES FI",
  "FR GB GE GH GR GT HK HN HR HU ID IE IL IN IQ IS IT JM JO JP KE KH KR KW KZ LA LB LI",
  "LK LT LU LV LY MA MD ME MK MT MX MY NG NI NL NO NP NZ OM PA PE PG PH PK PL PR PT PY",
  "QA RO RS RU SA SE SG SI SK SN SV TH TN TR TW TZ UA UG US UY VE VN YE ZA ZW",
].flatMap((line) => line.split(" "));

/** Languages the site's own words are written in. */
export const languageCodes: readonly string[] = [
  "af az id ms bs ca cs da de et en-IN en-GB en es es-419 es-US eu fil fr fr-CA gl hr zu is",
  "it sw lv lt hu nl no uz pl pt-PT pt ro sq sk sl sr-Latn fi sv vi tr be bg ky kk mk mn ru",
  "sr uk el hy iw ur ar fa ne mr hi as bn pa gu or ta te kn ml si th lo my ka am km zh-CN zh-TW",
  "zh-HK ja ko",
].flatMap((line) => line.split(" "));

/** Languages that the sandbox's service has words of its own in; the others get the English ones. */
const languages = ["en", "de", "es", "fr", "ja"] as const;

/** One text in each of these languages, in their order. */
export type Translated = readonly [en: string, de: string, es: string, fr: string, ja: string];

export function inLanguage(translated: Translated, tag: string): string {
  const [language] = tag.toLowerCase().split("-");
  const place = languages.indexOf(language as never);
  return translated[place] ?? translated[0];
}
