/** How pages speak one language: the language room's messages, handed in because this room does not know it. */
export interface Speech {
  /** Its name, for the page's `lang`. */
  readonly locale: string;
  /** @throws TypeError when no language has it, or a value is missing. */
  say(key: string, values?: Values): string;
  /** Undefined when no language has it. */
  find(key: string, values?: Values): string | undefined;
}

export type Values = Readonly<Record<string, string | number | boolean>>;

export interface Speeches {
  /** The first is for those whose languages are not there. */
  readonly locales: readonly string[];
  /** Only ever asked for one of `locales`, never for what a browser sent. */
  of(locale: string): Speech;
}

interface Wish {
  readonly tag: string;
  readonly weight: number;
}

/** More than any browser sends; the rest of a longer list is left alone. */
const maxWishes = 20;

/** The language for a browser by its Accept-Language (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4). */
export function speechFor(header: string | undefined, { locales, of }: Speeches): Speech {
  const [fallback = ""] = locales;
  for (const { tag } of wishesOf(header ?? "")) {
    const known =
      locales.find((locale) => locale.toLowerCase() === tag) ??
      locales.find((locale) => languageOf(locale) === languageOf(tag));
    if (known !== undefined) return of(known);
  }
  return of(fallback);
}

function wishesOf(header: string): readonly Wish[] {
  const wishes = header.split(",", maxWishes).map((part): Wish => {
    const [tag = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
    return { tag, weight: Number(weight) || 0 };
  });
  return wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
}

function languageOf(tag: string): string {
  const [language = ""] = tag.toLowerCase().split("-");
  return language;
}
