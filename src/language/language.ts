import { type Formatters, IntlMessageFormat } from "intl-messageformat";
import { type MessageKey, readCatalogue } from "./catalogue.ts";
import { type Locale, localeFor, locales } from "./locales.ts";

/** What a message is filled with: text, numbers, dates. */
export type Values = Readonly<
  Record<string, string | number | bigint | boolean | Date | EscapedText>
>;

/** A text that messages select by as it is, and show as `markup`. */
export interface EscapedText {
  readonly markup: string;
  toString(): string;
}

export type Language = ReturnType<typeof createLanguage>;

export type Languages = ReturnType<typeof createLanguages>;

/** `</connect status>`; what messages are filled with has its angle brackets escaped where it matters. */
const commandMention = /<\/([a-z-]+(?: [a-z-]+){0,2})>/gu;

/** Each language's message files are read when somebody first uses it. */
export function createLanguages() {
  const made = new Map<string, Language>();
  return {
    /** For a client that is set to this language, by Discord's name for it. */
    of: (tag: string): Language => {
      const language = made.get(tag) ?? createLanguage(tag);
      made.set(tag, language);
      return language;
    },
    /** A message in each language that has it, with its placeholders; for what Discord itself translates. */
    each: (key: string): ReadonlyMap<Locale, string> =>
      new Map(
        locales.flatMap((locale) => {
          const text = readCatalogue(locale).get(key);
          return text === undefined ? [] : [[locale, text] as const];
        }),
      ),
  };
}

/** One person's language. */
function createLanguage(tag: string) {
  const locale = localeFor(tag);
  const own = readCatalogue(locale);
  const formats = new Map<string, IntlMessageFormat>();
  const isOwn = tag.split("-")[0] === locale.split("-")[0];
  const speech = isOwn ? tag : locale;

  /** `/verbinden status` */
  function commandName(path: string): string {
    const [command = "", ...sub] = path.split(" ");
    const findName = (key: string) => own.get(key) ?? readCatalogue("en-US").get(key);
    const top = findName(`${command}.command.name`) ?? command;
    const below = sub.map((name) => findName(`${command}.command.${name}.name`) ?? name);
    return `/${[top, ...below].join(" ")}`;
  }

  // `nameCommand` names a command that a message mentions as `</connect status>`.
  function find(key: string, values?: Values, nameCommand = commandName): string | undefined {
    const text = fill(key, values);
    return text?.includes("</")
      ? text.replace(commandMention, (_, path: string) => nameCommand(path))
      : text;
  }

  function fill(key: string, values?: Values): string | undefined {
    const translated = own.get(key);
    const message = translated ?? readCatalogue("en-US").get(key);
    if (message === undefined) return undefined;
    // Braces and apostrophes are all that a message can say in ICU's syntax.
    if (!/[{']/u.test(message)) return message;
    let format = formats.get(key);
    if (format === undefined) {
      const formatters = formattersFor(tag, translated === undefined ? "en-US" : speech);
      format = new IntlMessageFormat(message, tag, undefined, { ignoreTag: true, formatters });
      formats.set(key, format);
    }
    const parts = [format.format<EscapedText>(values as Record<string, string>)].flat();
    return parts.map((part) => (typeof part === "object" ? part.markup : part)).join("");
  }

  return {
    /** The language of the messages. */
    locale,
    /** The person's own, for numbers, dates and names of countries: `en-GB` while the messages are English. */
    tag,
    /** For words within a sentence, like "10 seconds": `tag` where it is of the messages' language, else `locale`. */
    speech,
    /** The same as `say` for a key that is put together at run time; undefined when no language has it. */
    find,
    /** A command as the person's picker has it: `connect key` as `/verbinden schlüssel`. */
    commandName,
    /**
     * The message in this language, else in English, filled in (ICU MessageFormat).
     * @throws TypeError when no language has it, or a value is missing
     */
    say(key: MessageKey, values?: Values): string {
      const text = find(key, values);
      if (text === undefined) throw new TypeError(`no language has the message ${key}`);
      return text;
    },
  };
}

/** A sentence counts as its own language does ("0 videos"), whatever the person's does ("0 vídeo"). */
function formattersFor(tag: string, sentence: string): Formatters {
  return {
    getNumberFormat: (_, options) => new Intl.NumberFormat(tag, options),
    getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(tag, options),
    getPluralRules: (_, options) => new Intl.PluralRules(sentence, options),
  };
}
