import { describe, expect, it } from "vitest";
import { countryCodes, countryNamed, locales } from "../../../src/language/index.ts";

const calledSo: Readonly<Record<string, string>> = {
  GB: "GB, gb, UK, uk, U.K., Great Britain, Britain, England, Scotland, Wales, Northern Ireland, United Kingdom, Großbritannien, Vereinigtes Königreich, Schottland, Gran Bretaña, Reino Unido, Inglaterra, Grande-Bretagne, Royaume-Uni, Angleterre, イギリス, 英国, GBR, 🇬🇧, 🇺🇰",
  US: "US, USA, usa, U.S., U.S.A., America, United States, United States of America, the United States, Vereinigte Staaten, Vereinigte Staaten von Amerika, Amerika, Estados Unidos, EE. UU., EE.UU., États-Unis, Etats-Unis, アメリカ, アメリカ合衆国, 米国, 🇺🇸",
  DE: "DE, de, ＤＥ, Deutschland, Germany, Alemania, Allemagne, ドイツ, DEU, 🇩🇪, BRD,  Germany , Germany · DE, Deutschland (DE), GER, Ger​many",
  CH: "Switzerland, Schweiz, Suisse, Suiza, スイス, CHE, 🇨🇭",
  AX: "Åland, Aland, Åland Islands",
  ZA: "Suedafrika",
  AT: "Austria, Österreich, Osterreich, Oesterreich, Autriche, オーストリア, AUT",
  NL: "Holland, Netherlands, The Netherlands, Niederlande, Holanda, Países Bajos, Pays-Bas, オランダ, NLD",
  KR: "South Korea, Korea, Südkorea, Corea del Sur, Corée du Sud, 韓国, 大韓民国, KOR, Republic of Korea",
  JP: "Japan, Japón, Japon, 日本, JPN, 🇯🇵, nippon",
  CZ: "Czechia, Czech Republic, Tschechien, República Checa, Chequia, Tchéquie, チェコ",
  TR: "Türkei, Turkey, Türkiye, Turkiye, Turquía, Turquie, トルコ",
  HK: "Hong Kong, Hongkong, 香港",
  TW: "Taiwan, 台湾",
  RU: "Russia, Russland, Rusia, Russie, ロシア, Russian Federation",
  ES: "Spain, España, Espana, Spanien, Espagne, スペイン",
  AE: "UAE, United Arab Emirates, Emiratos Árabes Unidos, アラブ首長国連邦",
  CI: "Ivory Coast, Elfenbeinküste, Costa de Marfil, Côte d’Ivoire, Cote d'Ivoire",
  VN: "Vietnam, Viet Nam",
  MK: "Macedonia, North Macedonia, Nordmazedonien",
};

const rows = Object.entries(calledSo).flatMap(([code, names]) =>
  names.split(", ").map((name) => [name, code] as const),
);

describe("a country's name", () => {
  it(`is what people call it: ${rows.length} names`, () => {
    const wrong = rows.filter(([name, code]) => countryNamed(name) !== code);
    expect(wrong).toEqual([]);
  });

  it("is each name of each country in five languages, in every style", () => {
    expect(countryCodes).toHaveLength(249);
    for (const locale of locales) {
      for (const style of ["long", "short"] as const) {
        const names = new Intl.DisplayNames(locale, { type: "region", style });
        for (const code of countryCodes) {
          const name = names.of(code) ?? "";
          // The short Spanish name of the United Kingdom, "RU", is also Russia's code.
          if (name === "RU") continue;
          expect(countryNamed(name), `${name} (${locale})`).toBe(code);
          expect(countryNamed(name.toUpperCase()), `${name} (${locale})`).toBe(code);
        }
      }
    }
  });

  it.each(
    "Tuer, EU, SU, DD, FX, AN, YU, XK, ZZ, XX, EZ, UN, CS, QO, XA, 🇪🇺, Atlantis, , D, DEUX, Germ, Germany France, constructor, toString, __proto__, Europe, 12, 276".split(
      ", ",
    ),
  )("is not %j", (text) => {
    expect(countryNamed(text)).toBeUndefined();
  });
});
