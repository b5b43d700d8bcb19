import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allTimeZones, locales, timeZoneNamed, timeZonesFor } from "../../../src/language/index.ts";
import times from "../../../src/language/names/zone-times.json" with { type: "json" };

/** Every zone and link of the IANA database 2026b. */
const databaseNames = readFileSync(new URL("iana-zones.txt", import.meta.url), "utf8")
  .split(/\s+/u)
  .filter(Boolean);

/** The zone that the runtime understands by a name. */
function resolved(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Names that people use for a zone with summer time, although the database means one without. */
const peoplesOwn: Readonly<Record<string, string>> = {
  CET: "Europe/Berlin",
  MET: "Europe/Berlin",
  EST: "America/New_York",
  MST: "America/Denver",
};

const sameFor: Readonly<Record<string, string>> = {
  "Asia/Kolkata":
    "Asia/Kolkata, asia/kolkata, Asia/Calcutta, Kolkata, Calcutta, Mumbai, Bombay, Delhi, New Delhi, Neu-Delhi, Nueva Delhi, ムンバイ, デリー, India, Indien, Inde, インド, IST, Indian time, Bangalore, India Standard Time",
  "Europe/Kyiv":
    "Europe/Kyiv, Europe/Kiev, Kyiv, Kiew, kiev, Ukraine, Ucrania, ウクライナ, キーウ, Odessa",
  "Asia/Ho_Chi_Minh":
    "Asia/Ho_Chi_Minh, Ho Chi Minh, ho-chi-minh, Saigon, Asia/Saigon, Hanoi, ハノイ, Vietnam, ベトナム",
  "Asia/Kathmandu": "Asia/Kathmandu, Asia/Katmandu, Kathmandu, Nepal, ネパール",
  "Asia/Yangon": "Asia/Yangon, Asia/Rangoon, Yangon, Myanmar, Burma",
  "America/Argentina/Buenos_Aires":
    "America/Argentina/Buenos_Aires, America/Buenos_Aires, buenos aires, Buenos_Aires, Argentina/Buenos_Aires, Argentina, Argentinien, Argentine, アルゼンチン",
  "America/Argentina/Cordoba": "America/Argentina/Cordoba, America/Cordoba, America/Rosario",
  "America/Indiana/Indianapolis":
    "America/Indiana/Indianapolis, America/Indianapolis, US/East-Indiana, Indianapolis",
  "America/Nuuk": "America/Nuuk, nuuk, America/Godthab, ヌーク",
  "Atlantic/Faroe": "Atlantic/Faroe, Atlantic/Faeroe, Faroe, Faroe Islands, Färöer",
  "Africa/Asmara": "Africa/Asmara, Africa/Asmera, Eritrea",
  "Pacific/Kanton": "Pacific/Kanton, Pacific/Enderbury",
  UTC: "UTC, utc, Etc/UTC, Etc/GMT, GMT, Zulu, UTC+0, GMT±0, +00:00, Weltzeit, 協定世界時, Greenwich, temps universel",
  "+02:00": "UTC+2, utc+2, UTC +2, GMT+2, GMT+02:00, +02:00, +0200, +2, UTC+02, ＵＴＣ＋２",
  "-03:00": "UTC-3, UTC−3, GMT-03:00, -03:00",
  "+05:30": "+05:30, UTC+5:30, GMT+0530, UTC+5h30",
  "+14:00": "UTC+14",
  "-12:00": "UTC-12",
  "America/New_York":
    "America/New_York, america/new york, new york, New York City, NYC, Nueva York, ニューヨーク, US/Eastern, us/eastern, Eastern, Eastern Time, ET, EST, EDT, EST5EDT, Washington, Washington DC, Boston, Miami, Philadelphia, hora de Nueva York, heure de New York, 東部時間, 米国東部時間, Nordamerikanische Ostküstenzeit, heure normale de l’Est nord-américain, Eastern Daylight Time, New Yorker Zeit, hora oriental, アメリカ東部夏時間",
  "America/Chicago":
    "Chicago, Central, Central Time, CST, CDT, US/Central, Houston, Dallas, Texas, hora central, 米国中部時間, New Orleans",
  "America/Denver": "Denver, Mountain Time, MST, Salt Lake City, Navajo",
  "America/Los_Angeles":
    "Los Angeles, Los_Angeles, LA, Pacific, Pacific Time, PT, PST, pst, PDT, US/Pacific, US Pacific, San Francisco, Seattle, Las Vegas, ロサンゼルス, Los Ángeles, California, Kalifornien, hora del Pacífico, heure du Pacifique, 太平洋標準時, サンフランシスコ",
  "Pacific/Honolulu": "Hawaii, HST, US/Hawaii, Honolulu, ハワイ",
  "America/Mexico_City":
    "Mexico City, Ciudad de México, CDMX, Mexiko-Stadt, Guadalajara, メキシコシティ",
  "America/Sao_Paulo":
    "São Paulo, Sao Paulo, Rio de Janeiro, Río de Janeiro, Brasilia, Brazil/East, サンパウロ, horario de Brasilia",
  "America/Havana": "Cuba, Havanna, La Habana, La Havane, Kuba",
  "America/Santiago": "Chile, Santiago, Santiago de Chile, Chile/Continental",
  "Europe/London":
    "London, Londres, ロンドン, UK, uk, United Kingdom, England, Großbritannien, Gran Bretaña, Royaume-Uni, イギリス, BST, British Summer Time, GB, Edinburgh, Manchester, London time, Londoner Zeit, hora de Londres, heure de Londres, ロンドン時間",
  "Europe/Dublin": "Dublin, Eire, Irland, Irlande, アイルランド",
  "Europe/Paris":
    "Paris, Frankreich, France, Francia, フランス, heure de Paris, Pariser Zeit, パリ, Lyon, Marseille, Marsella, Straßburg, heure française",
  "Europe/Madrid":
    "Madrid, España, Spain, Spanien, Espagne, スペイン, hora peninsular, Barcelona, Barcelone, Sevilla, バルセロナ, hora de Madrid",
  "Atlantic/Canary": "Canary, Kanaren, Canarias, Teneriffa, hora canaria",
  "Europe/Berlin":
    "Berlin, Deutschland, Germany, Allemagne, Alemania, ドイツ, Munich, München, Múnich, Muenchen, ミュンヘン, Hamburg, Köln, Cologne, Colonia, Frankfurt, MEZ, MESZ, CET, CEST, Mitteleuropäische Zeit, Mitteleuropäische Sommerzeit, Central European Time, Berliner Zeit, deutscher Zeit, mitteleuropäischer Zeit, ベルリン",
  "Europe/Zurich":
    "Zürich, Zurich, Zuerich, Genf, Genève, Geneva, Ginebra, ジュネーブ, Schweiz, Suisse, Suiza, Switzerland, スイス, Bern, Basel",
  "Europe/Vienna": "Wien, Vienna, Vienne, Viena, ウィーン, Österreich, Austria, Autriche, Salzburg",
  "Europe/Rome":
    "Rom, Roma, Rome, ローマ, Italien, Mailand, Milan, Milán, Milano, ミラノ, Venedig, Venise, Venecia, Florenz, Neapel, Turin",
  "Europe/Moscow":
    "Moskau, Moscow, Moscou, Moscú, モスクワ, Moscow Time, Sankt Petersburg, MSK, Moskauer Zeit",
  "Europe/Warsaw": "Warschau, Varsovie, Varsovia, ワルシャワ, Polen, Krakau, Danzig, Poland",
  "Europe/Lisbon": "Lissabon, Lisbonne, Lisboa, Portugal, Porto, リスボン",
  "Europe/Istanbul":
    "Asia/Istanbul, Istanbul, Turkey, Türkei, Turquía, Turquie, Türkiye, トルコ, Ankara",
  "Europe/Brussels": "Brüssel, Bruxelles, Bruselas, Belgien, Belgique, Antwerpen",
  "Europe/Amsterdam": "Amsterdam, Holland, Niederlande, Países Bajos, Den Haag, オランダ",
  "Europe/Athens": "Athen, Athènes, Atenas, EET, Griechenland",
  "Africa/Cairo": "Kairo, Le Caire, El Cairo, カイロ, Egypt, Ägypten",
  "Africa/Johannesburg": "Kapstadt, Cape Town, Südafrika, SAST",
  "Asia/Tokyo":
    "東京, Tokio, Tokyo, Japan, Japón, Japon, 日本, 日本時間, JST, 日本標準時, Osaka, 大阪, Kyoto, 京都, 横浜, 東京時間, Japanische Normalzeit",
  "Asia/Seoul": "Seoul, Séoul, ソウル, South Korea, Südkorea, Corea del Sur, 韓国, KST, ROK, Korea",
  "Asia/Shanghai":
    "Shanghai, Peking, Beijing, Pékin, Pekín, 北京, 上海, China, Chine, 中国, PRC, Canton",
  "Asia/Hong_Kong": "Hongkong, Hong Kong, 香港, HKT",
  "Asia/Jerusalem": "Israel, Tel Aviv, Jerusalem, イスラエル",
  "Asia/Dubai": "Dubai, Abu Dhabi, ドバイ",
  "Asia/Singapore": "Singapore, Singapur, シンガポール, SGT",
  "Australia/Sydney":
    "Sydney, Sídney, シドニー, AEST, AEDT, Canberra, Australia/ACT, Australia/NSW",
  "Australia/Perth": "Perth, Australia/West, AWST",
  "Pacific/Auckland": "NZ, Auckland, New Zealand, Neuseeland, NZST, Wellington, Nouvelle-Zélande",
};

const rows = Object.entries(sameFor).flatMap(([zone, names]) =>
  names.split(", ").map((name) => [name, zone] as const),
);

describe("a zone's name", () => {
  it("is every name of the IANA database that the runtime accepts, in any case", () => {
    const known = databaseNames.filter((name) => resolved(name) !== undefined);
    expect(known.length).toBeGreaterThan(590);
    for (const name of known) {
      const zone = peoplesOwn[name] ?? resolved(name);
      for (const typed of [name, name.toLowerCase(), name.replaceAll("_", " ")]) {
        if (/^[a-z]{2}$/u.test(typed) || ["met", "wet"].includes(typed)) continue;
        expect(resolved(timeZoneNamed(typed) ?? ""), typed).toBe(resolved(zone ?? ""));
      }
    }
  });

  it("is every zone that suggestions name, by its city alone too", () => {
    for (const zone of allTimeZones()) {
      expect(timeZoneNamed(zone), zone).toBe(zone);
      expect(resolved(zone), zone).toBeDefined();
    }
  });

  it(`is what people call it, in five languages: ${rows.length} names`, () => {
    const wrong = rows.filter(([name, zone]) => timeZoneNamed(name) !== zone);
    expect(wrong.map(([name, zone]) => `${name}: ${timeZoneNamed(name)}, not ${zone}`)).toEqual([]);
  });

  it("is a city with its country", () => {
    expect(timeZoneNamed("Paris, France")).toBe("Europe/Paris");
    expect(timeZoneNamed("Valencia, España")).toBe("Europe/Madrid");
    expect(timeZoneNamed("Valencia, Venezuela")).toBe("America/Caracas");
    for (const typed of ["Paris (France)", "Paris, FR", "Paris Francia", "パリ, フランス"]) {
      expect(timeZoneNamed(typed), typed).toBe("Europe/Paris");
    }
    expect(timeZoneNamed("New York USA")).toBe("America/New_York");
    expect(timeZoneNamed("Los Angeles, CA")).toBe("America/Los_Angeles");
    expect(timeZoneNamed("Toronto, CA")).toBe("America/Toronto");
    expect(timeZoneNamed("Springfield, IL")).toBe("America/Chicago");
    expect(timeZoneNamed("Córdoba, Argentina")).toBe("America/Argentina/Cordoba");
    expect(timeZoneNamed("Brest, France")).toBe("Europe/Paris");
    expect(timeZoneNamed("Atlanta, Georgia")).toBe("America/New_York");
    expect(timeZoneNamed("Portland, ME")).toBeUndefined();
    expect(timeZoneNamed("Paris, Japan")).toBeUndefined();
  });

  it.each(
    "USA, United States, Australia, Australien, Brasil, Brazil, Russia, Canada, Mexiko, Indonesien, 米国, Valencia, Springfield, San José, Victoria, north, West, de, la, et, den, por, 英, am, pm, AM, PM, mit, act, time, Zeit, hora, heure, 時間, May, Mai, tomorrow, morgen, mañana, demain, 明日, noon, midnight, 8, 8pm, 8 London, London 8pm, London Paris, in London, Berlin Berlin, UTC+15, UTC+2:10, UTC+99, +, GMT+, UTC2, Mars, Middle-earth, Europe, Europe/, /Berlin, Europe/Nowhere, Etc/Unknown, Factory, __proto__, constructor, toString, ACT, Berlin!, Berlin?, BET, VST".split(
      ", ",
    ),
  )("is not %s", (text) => {
    expect(timeZoneNamed(text)).toBeUndefined();
  });

  it("is not what places in several zones are called", () => {
    const both =
      "Córdoba, cordoba, コルドバ, Mérida, Cuenca, Vitoria, La Rioja, Georgia, Birmingham, Cambridge, Durham, Norfolk, Brest, Santa Cruz";
    const known = both.split(", ").filter((name) => timeZoneNamed(name) !== undefined);

    expect(known).toEqual([]);
    expect(timeZonesFor("Córdoba").slice(0, 2).toSorted()).toEqual([
      "America/Argentina/Cordoba",
      "Europe/Madrid",
    ]);
  });

  it("is no text of any length", () => {
    expect(timeZoneNamed("London ".repeat(1000))).toBeUndefined();
    expect(timeZoneNamed(" ".repeat(100_000))).toBeUndefined();
  });
});

describe("a zone's time", () => {
  it("is known by what the runtime calls it in every language, in winter and in summer", () => {
    const unknown: string[] = [];
    for (const zone of Object.keys(times)) {
      for (const locale of locales) {
        for (const month of [0, 6]) {
          const name = nameOfTime(zone, locale, Date.UTC(2026, month));
          if (!/\d/u.test(name) && timeZoneNamed(name) === undefined) unknown.push(name);
        }
      }
    }

    expect(unknown).toEqual([]);
  });

  function nameOfTime(timeZone: string, locale: string, at: number): string {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "long" });
    return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  }
});
