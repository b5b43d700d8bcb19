/** Languages that Greenroom speaks, by the names that Discord has for them. The first is the one that all others fall back to. */
export const locales = ["en-US", "de", "es-ES", "fr", "ja"] as const;

export type Locale = (typeof locales)[number];

/** The language for a person whose client is set to `wanted`: itself, a near relative, or English. */
export function localeFor(wanted: string): Locale {
  const exact = locales.find((locale) => locale === wanted);
  if (exact !== undefined) return exact;
  const [language] = wanted.split("-");
  return locales.find((locale) => locale.split("-")[0] === language) ?? "en-US";
}
