import names from "./locale-names.json" with { type: "json" };

/** Each language as its speakers call it: https://docs.discord.com/developers/reference#locales */
export const localeNames = names;

/** A language that Discord knows. */
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
