import abuseReasons from "./samples/abuse-reasons.json" with { type: "json" };
import categories from "./samples/categories.json" with { type: "json" };

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

/** Categories of videos; only the assignable ones can be set on a video. */
export const sampleCategories = categories;

export type Category = (typeof categories)[number];

/** Owner of the categories themselves. */
export const categoryChannelId = "UCBR8-60-B28hp2BmDPdntcQ";

/** What a video can be reported for; where there are details, one of them must be named with the reason. */
export const sampleAbuseReasons = abuseReasons;

/** The text in a language; the sandbox's YouTube has words of its own in five, the others get the English ones. */
export function inLanguage(translated: Category["title"], tag: string): string {
  const [language = ""] = tag.toLowerCase().split("-");
  return Object.hasOwn(translated, language)
    ? translated[language as keyof typeof translated]
    : translated.en;
}
