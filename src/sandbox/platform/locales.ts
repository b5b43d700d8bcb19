import type { LocaleString } from "discord-api-types/v10";

/** Each language as its speakers call it: https://docs.discord.com/developers/reference#locales */
export const localeNames = {
  da: "Dansk",
  de: "Deutsch",
  "en-GB": "English, UK",
  "en-US": "English, US",
  "es-ES": "Español",
  "es-419": "Español, LATAM",
  fr: "Français",
  hr: "Hrvatski",
  id: "Bahasa Indonesia",
  it: "Italiano",
  lt: "Lietuviškai",
  hu: "Magyar",
  nl: "Nederlands",
  no: "Norsk",
  pl: "Polski",
  "pt-BR": "Português do Brasil",
  ro: "Română",
  fi: "Suomi",
  "sv-SE": "Svenska",
  vi: "Tiếng Việt",
  tr: "Türkçe",
  cs: "Čeština",
  el: "Ελληνικά",
  bg: "Български",
  ru: "Русский",
  uk: "Українська",
  hi: "हिन्दी",
  th: "ไทย",
  "zh-CN": "中文",
  ja: "日本語",
  "zh-TW": "繁體中文",
  ko: "한국어",
} as const satisfies Partial<Record<LocaleString, string>>;

/** A language that the platform knows. */
export type Locale = keyof typeof localeNames;

export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && Object.hasOwn(localeNames, value);
}

// https://docs.discord.com/developers/interactions/application-commands#locale-fallbacks
const fallbacks: Partial<Readonly<Record<Locale, Locale>>> = {
  "en-US": "en-GB",
  "en-GB": "en-US",
  "es-419": "es-ES",
};

type Translations = Readonly<Record<string, string | null | undefined>> | null | undefined;

function inLocale(words: string, translations: Translations, locale: Locale): string {
  return translations?.[locale] ?? translations?.[fallbacks[locale] ?? locale] ?? words;
}

interface Named {
  readonly name: string;
  readonly name_localizations?: Translations;
}

/** What a command, an option or a choice is called in a language. */
export function nameIn(one: Named, locale: Locale): string {
  return inLocale(one.name, one.name_localizations, locale);
}

interface Described {
  readonly description: string;
  readonly description_localizations?: Translations;
}

export function descriptionIn(one: Described, locale: Locale): string {
  return inLocale(one.description, one.description_localizations, locale);
}

interface Branch extends Named {
  readonly options?: readonly unknown[] | undefined;
}

/** The part of a command's path that a word means, by its own name or by its name in a language. */
export function findNamed<T extends Named>(
  all: readonly T[],
  word: string,
  locale: Locale,
): T | undefined {
  return all.find(({ name }) => name === word) ?? all.find((one) => nameIn(one, locale) === word);
}

/** A command's path in a language: `["playlists", "add"]` becomes `["listas", "añadir"]`. */
export function pathIn(command: Branch, path: readonly string[], locale: Locale): string[] {
  const names = [nameIn(command, locale)];
  let below: Branch | undefined = command;
  for (const step of path) {
    const options: readonly Branch[] = (below?.options ?? []) as readonly Branch[];
    below = options.find(({ name }) => name === step);
    names.push(below === undefined ? step : nameIn(below, locale));
  }
  return names;
}
