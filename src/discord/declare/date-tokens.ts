import { type DateLanguage, dateWords, sharedDateWords, type WordKind } from "./date-words.ts";

interface Meaning {
  readonly kind: WordKind;
  readonly value: string | number;
}

/** A number, a word that the language knows, or a sign. */
export interface DateToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** No blank stands between it and the token before it. */
  readonly isGlued: boolean;
  readonly number?: number;
  /** How many digits the number was written with; 0 for a number in words. */
  readonly digits: number;
  readonly meanings: readonly Meaning[];
}

interface Lexicon {
  readonly compounds: RegExp | undefined;
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  readonly longest: number;
}

const fractions: Readonly<Record<string, string>> = { "½": ".5", "¼": ".25", "¾": ".75" };

/** One spelling for letters, widths, dashes and blanks. */
export function normalDateText(text: string): string {
  return text
    .replaceAll(/(\d?)([½¼¾])/gu, (_, whole, rest) => `${whole || "0"}${fractions[rest]}`)
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/gu, "")
    .replaceAll(/[’‘ʼ´`′]/gu, "'")
    .replaceAll(/[”“]/gu, '"')
    .replaceAll(/[‐‑‒–—―−]/gu, "-")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

const lexicons = new Map<DateLanguage, Lexicon>();

function makeLexicon(language: DateLanguage): Lexicon {
  const meanings = new Map<string, Meaning[]>();
  const tables = [sharedDateWords, dateWords[language].words].flatMap(Object.entries);
  for (const [kind, table] of tables as readonly [WordKind, string | Record<string, string>][]) {
    const byValue = typeof table === "string" ? [["1", table] as const] : Object.entries(table);
    for (const [name, words] of byValue) {
      const value = Number.isNaN(Number(name)) ? name : Number(name);
      for (const word of words.split(", ").map(normalDateText)) {
        meanings.set(word, [...(meanings.get(word) ?? []), { kind, value }]);
      }
    }
  }
  const { compounds } = dateWords[language];
  return {
    meanings,
    longest: Math.max(...[...meanings.keys()].map(({ length }) => length)),
    compounds: compounds === undefined ? undefined : new RegExp(compounds, "gu"),
  };
}

const letter = /\p{Script=Latin}/u;
const kanji = "〇一二三四五六七八九";

/** The tokens of a normal text; a word that the language lacks is a token without meaning. */
export function dateTokens(normal: string, language: DateLanguage): readonly DateToken[] {
  const lexicon = lexicons.get(language) ?? makeLexicon(language);
  lexicons.set(language, lexicon);
  const { compounds } = lexicon;
  const text = compounds === undefined ? normal : normal.replaceAll(compounds, "$1 $2");
  const unhyphened = withoutHyphens(text);
  const tokens: DateToken[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === " ") at += 1;
    else {
      const end = endOfToken(at, { text, unhyphened, lexicon });
      const word = unhyphened.slice(at, end);
      const meanings =
        lexicon.meanings.get(word) ?? lexicon.meanings.get(text.slice(at, end)) ?? [];
      const number = meanings.length > 0 ? undefined : parseNumber(word);
      tokens.push({
        text: text.slice(at, end),
        start: at,
        end,
        meanings,
        isGlued: tokens.at(-1)?.end === at,
        digits: /^\d+$/u.test(word) ? word.length : 0,
        ...(number !== undefined && { number }),
      });
      at = end;
      // The full stop of an abbreviation: "Fr.", "Dez."
      if (letter.test(word.at(-1) ?? "") && text[at] === ".") at += 1;
    }
  }
  return tokens;
}

/** Hyphens between letters are blanks: "après-demain". */
function withoutHyphens(text: string): string {
  return text.split("-").reduce((before, next) => {
    const isBetween = letter.test(before.at(-1) ?? "") && letter.test(next.at(0) ?? "");
    return `${before}${isBetween ? " " : "-"}${next}`;
  });
}

interface LexedText {
  readonly text: string;
  readonly unhyphened: string;
  readonly lexicon: Lexicon;
}

const digitRun = /\d+/uy;
const kanjiRun = /[〇一二三四五六七八九十]+/uy;
const katakanaRun = /[\p{Script=Katakana}ー]+/uy;
const letterRun = /\p{Script=Latin}+/uy;

function endOfToken(at: number, { text, unhyphened, lexicon }: LexedText): number {
  for (let end = Math.min(at + lexicon.longest, text.length); end > at; end -= 1) {
    const isCut = letter.test(text[end - 1] ?? "") && letter.test(text[end] ?? "");
    if (!isCut && lexicon.meanings.has(unhyphened.slice(at, end))) return end;
  }
  for (const run of [digitRun, kanjiRun, katakanaRun, letterRun]) {
    run.lastIndex = at;
    if (run.test(text)) return run.lastIndex;
  }
  return at + 1;
}

/** `12` and 十二; undefined for what is no number, and for one that no date or length has. */
function parseNumber(word: string): number | undefined {
  if (/^\d{1,15}$/u.test(word)) return Number(word);
  // A year, digit by digit.
  if (/^[〇一二三四五六七八九]{4}$/u.test(word)) {
    return [...word].reduce((year, digit) => year * 10 + kanji.indexOf(digit), 0);
  }
  const [, tens, ones] = /^([一二三四五六七八九]?十)?([〇一二三四五六七八九])?$/u.exec(word) ?? [];
  if (tens === undefined && ones === undefined) return undefined;
  const ten = tens === undefined ? 0 : tens === "十" ? 1 : kanji.indexOf(tens.slice(0, 1));
  return ten * 10 + (ones === undefined ? 0 : kanji.indexOf(ones));
}
