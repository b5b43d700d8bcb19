/** The pages' texts in one language: the language room's messages, passed in because this room does not import it. */
export interface PageTranslator {
  /** The language's tag, for the page's `lang`. */
  readonly locale: string;
  /** @throws TypeError when no language has it, or a value is missing. */
  say(key: string, values?: PageValues): string;
  /** Undefined if no language has it. */
  find(key: string, values?: PageValues): string | undefined;
}

export type PageValues = Readonly<Record<string, string | number | boolean>>;

export interface PageTranslators {
  /** The first is used if none of the browser's languages is available. */
  readonly locales: readonly string[];
  /** Called only with one of `locales`, never with what a browser sent. */
  of(locale: string): PageTranslator;
}

interface Wish {
  readonly tag: string;
  readonly weight: number;
}

/** More than any browser sends; the rest of a longer list is ignored. */
const maxWishes = 20;

/** The language for a browser by its Accept-Language (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4). */
export function translatorFor(
  header: string | undefined,
  { locales, of }: PageTranslators,
): PageTranslator {
  const [fallback = ""] = locales;
  for (const { tag } of readWishes(header ?? "")) {
    const known =
      locales.find((locale) => locale.toLowerCase() === tag) ??
      locales.find((locale) => baseLanguage(locale) === baseLanguage(tag));
    if (known !== undefined) return of(known);
  }
  return of(fallback);
}

function readWishes(header: string): readonly Wish[] {
  const wishes = header.split(",", maxWishes).map((part): Wish => {
    const [tag = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
    return { tag, weight: Number(weight) || 0 };
  });
  return wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
}

function baseLanguage(tag: string): string {
  const [language = ""] = tag.toLowerCase().split("-");
  return language;
}
