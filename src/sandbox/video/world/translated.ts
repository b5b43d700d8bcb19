/** Languages that the sandbox's service has words of its own in; the others get the English ones. */
const languages = ["en", "de", "es", "fr", "ja"] as const;

/** One text in each of these languages, in their order. */
export type Translated = readonly [en: string, de: string, es: string, fr: string, ja: string];

export function inLanguage(translated: Translated, tag: string): string {
  const [language] = tag.toLowerCase().split("-");
  const place = languages.indexOf(language as never);
  return translated[place] ?? translated[0];
}
