import { describe, expect, it } from "vitest";
import { languageNamed, locales, namedLanguages } from "../../../src/language/index.ts";

const calledSo: Readonly<Record<string, string>> = {
  de: "de, DE, deu, ger, Deutsch, German, allemand, alemán, aleman, ドイツ語,  German ",
  da: "Daenisch",
  nl: "Niederlaendisch",
  en: "en, eng, English, Englisch, inglés, anglais, 英語",
  "en-GB":
    "en-GB, en_gb, en-UK, British English, English (United Kingdom), English (UK), Britisches Englisch",
  "en-US": "en-US, en_US, American English, English (United States), US English",
  es: "es, spa, Español, espanol, Spanish, Spanisch, castellano, Castilian, espagnol, スペイン語",
  "es-419":
    "es-419, Latin American Spanish, Español latinoamericano, Spanish (Latin America), español latino, es-LA, es_LA",
  "es-MX": "es-MX, Mexican Spanish, español (México), Spanish (Mexico)",
  fr: "fr, fra, fre, français, Francais, French, Französisch, francés, フランス語",
  "fr-CA": "fr-CA, fr_CA, Canadian French, français canadien, French (Canada)",
  ja: "ja, jpn, Japanese, Japanisch, japonés, japonais, 日本語",
  "pt-BR":
    "pt-BR, pt_BR, PT-br, Portuguese (Brazil), Brazilian Portuguese, Portugiesisch (Brasilien), português (Brasil), brasileiro, portugués de Brasil, ポルトガル語（ブラジル）, Portuguese - Brazil",
  pt: "pt, Portuguese, português, portugués, Portugiesisch",
  "zh-Hans":
    "zh-Hans, zh_Hans, zh-hans, Simplified Chinese, Chinese (Simplified), 简体中文, 中文（简体）, 簡体字中国語, Chino simplificado",
  "zh-Hant": "zh-Hant, Traditional Chinese, 繁體中文, chinois traditionnel",
  "zh-TW": "zh-TW, zh_tw, Chinese (Taiwan)",
  zh: "zh, zho, chi, cmn, Chinese, Mandarin, 中文, 中国語, Chinesisch",
  yue: "yue, Cantonese, 粵語, 広東語",
  he: "he, iw, heb, Hebrew, עברית, Hebräisch",
  id: "id, in, Indonesian, Bahasa Indonesia, Indonesisch",
  yi: "yi, ji, Yiddish",
  fil: "fil, tl, Filipino, Tagalog",
  no: "no, Norwegian, Norwegisch, norsk",
  nb: "nb, nob",
  ru: "ru, Russian, Русский, русский, ロシア語",
  ko: "ko, 한국어, Korean, 韓国語",
  fa: "fa, Farsi, Persian, Persisch",
  tr: "tr, Türkçe, Turkish",
  ar: "ar, العربية, Arabic",
  hi: "hi, हिन्दी, Hindi",
  "sr-Latn": "sr-Latn, sr_latn, sh, Serbian (Latin)",
  "zh-Hant-TW": "zh-Hant-TW, zh_hant_tw",
};

const rows = Object.entries(calledSo).flatMap(([code, names]) =>
  names.split(", ").map((name) => [name, code] as const),
);

/** Languages that have two codes, and names that are also another language's code. */
const shared = new Set("ak bh bho bkm gaa ii kv mgh tw vmw yi ga".split(" "));

describe("a language's name", () => {
  it(`is what people call it: ${rows.length} names`, () => {
    const wrong = rows.filter(([name, code]) => languageNamed(name) !== code);
    expect(wrong.map(([name, code]) => `${name}: ${languageNamed(name)}, not ${code}`)).toEqual([]);
  });

  it("is each name of each language in five languages", () => {
    expect(namedLanguages().length).toBeGreaterThan(600);
    let read = 0;
    for (const locale of locales) {
      const names = new Intl.DisplayNames(locale, { type: "language", fallback: "none" });
      for (const code of namedLanguages()) {
        const name = names.of(code);
        if (name === undefined || shared.has(code)) continue;
        expect(languageNamed(name), `${name} (${locale})`).toBe(code);
        read++;
      }
    }
    expect(read).toBeGreaterThan(2000);
  });

  it.each(
    "xx, Indonesians, , d, jp, cz, en-XX, zh-Xxxx, de;x=1, und, mul, de-DE-1996-x-a, Deutsch Englisch, Klingonian, constructor, toString, __proto__, en-150".split(
      ", ",
    ),
  )("is not %j", (text) => {
    expect(languageNamed(text)).toBeUndefined();
  });
});

describe("a language's own name", () => {
  it("is known by what the runtime calls it in that language", () => {
    const codes = namedLanguages().filter(
      (code) => Intl.DisplayNames.supportedLocalesOf(code).length > 0,
    );
    const unknown = codes.filter((code) => {
      const own = new Intl.DisplayNames(code, { type: "language", fallback: "none" }).of(code);
      return own !== undefined && languageNamed(own) === undefined;
    });

    expect(codes.length).toBeGreaterThan(200);
    expect(unknown).toEqual([]);
  });
});
