/**
 * Countries that YouTube has a version for: what `i18nRegions.list` answers, and what a `regionCode` and a channel's
 * country may be. Written down, so that a country can be checked before anything is spent.
 */
export const servedCountries: ReadonlySet<string> = new Set(
  [
    "AE AR AT AU AZ BA BD BE BG BH BO BR BY CA CH CL CO CR CY CZ DE DK DO DZ EC EE EG ES FI",
    "FR GB GE GH GR GT HK HN HR HU ID IE IL IN IQ IS IT JM JO JP KE KH KR KW KZ LA LB LI",
    "LK LT LU LV LY MA MD ME MK MT MX MY NG NI NL NO NP NZ OM PA PE PG PH PK PL PR PT PY",
    "QA RO RS RU SA SE SG SI SK SN SV TH TN TR TW TZ UA UG US UY VE VN YE ZA ZW",
  ].flatMap((line) => line.split(" ")),
);
