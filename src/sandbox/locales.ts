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
export type DiscordLocale = keyof typeof localeNames;

export function isLocale(value: unknown): value is DiscordLocale {
  return typeof value === "string" && Object.hasOwn(localeNames, value);
}

// https://docs.discord.com/developers/interactions/application-commands#locale-fallbacks
const fallbacks: Partial<Readonly<Record<DiscordLocale, DiscordLocale>>> = {
  "en-US": "en-GB",
  "en-GB": "en-US",
  "es-419": "es-ES",
};

type LocalizedNames = Readonly<Record<string, string | null | undefined>> | null | undefined;

function inLocale(words: string, translations: LocalizedNames, locale: DiscordLocale): string {
  return translations?.[locale] ?? translations?.[fallbacks[locale] ?? locale] ?? words;
}

interface NamedCommand {
  readonly name: string;
  readonly name_localizations?: LocalizedNames;
}

/** What a command, an option or a choice is called in a language. */
export function nameIn(one: NamedCommand, locale: DiscordLocale): string {
  return inLocale(one.name, one.name_localizations, locale);
}

interface DescribedCommand {
  readonly description: string;
  readonly description_localizations?: LocalizedNames;
}

export function descriptionIn(one: DescribedCommand, locale: DiscordLocale): string {
  return inLocale(one.description, one.description_localizations, locale);
}

interface Branch extends NamedCommand {
  readonly options?: readonly unknown[] | undefined;
}

/** The part of a command's path that a word means, by its own name or by its name in a language. */
export function findNamed<T extends NamedCommand>(
  all: readonly T[],
  word: string,
  locale: DiscordLocale,
): T | undefined {
  return all.find(({ name }) => name === word) ?? all.find((one) => nameIn(one, locale) === word);
}

/** A command's path in a language: `["playlists", "add"]` becomes `["listas", "añadir"]`. */
export function pathIn(command: Branch, path: readonly string[], locale: DiscordLocale): string[] {
  const names = [nameIn(command, locale)];
  let below: Branch | undefined = command;
  for (const step of path) {
    const options: readonly Branch[] = (below?.options ?? []) as readonly Branch[];
    below = options.find(({ name }) => name === step);
    names.push(below === undefined ? step : nameIn(below, locale));
  }
  return names;
}
