import { locales } from "../locales.ts";
import { countryCodes, countryNamed, countryNames, countryOfName } from "./countries.ts";
import { byFoldedName, foldedName, typedName } from "./folded-name.ts";
import places from "./places.json" with { type: "json" };
import words from "./zone-words.json" with { type: "json" };

/** Zones by what people call them, in the bot's languages. */

/** What the IANA database calls zones for which the runtime keeps an earlier name (CLDR, bcp47/timezone `_iana`). */
const presentNames: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** Every zone once, by its present IANA name. */
export function allTimeZones(): readonly string[] {
  return [...Intl.supportedValuesOf("timeZone").map(presentName), "UTC"];
}

function presentName(zone: string): string {
  return presentNames[zone] ?? zone;
}

/** As people read it: `New York`-like blanks, the present name, and `UTC+05:30` for an offset. */
export function timeZoneTitle(zone: string): string {
  if (/^[+-]/u.test(zone)) return `UTC${zone}`;
  return presentName(zone).replaceAll("_", " ");
}

/** What names are written with; they end in a letter, a digit, a bracket or a full stop. */
const nameSigns = /^['’]?\p{L}[\p{L}\p{M}\p{N} _.,:'’()/+&・＝‐–-]*$/u;

/** The longest name is far shorter. */
const longestText = 80;

/**
 * The zone that the whole text is a name of: an IANA name (aliases and parts too), a city, a country with one zone, a
 * zone's own name or abbreviation, or an offset from UTC. Undefined for what means several zones.
 */
export function timeZoneNamed(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  const typed = typedName(text);
  const offset = offsetNamed(typed);
  if (offset !== undefined) return offset;
  if (!nameSigns.test(typed) || /[^\p{L}\p{M}\p{N}).]$/u.test(typed)) return undefined;
  return named(typed) ?? cityOfCountry(typed);
}

/** Zones that have a name, or words of it, that begin with the text; the best first. */
export function timeZonesFor(text: string): readonly string[] {
  const typed = foldedName(text);
  if (typed === "" || text.length > longestText) return [];
  const exact = timeZoneNamed(text);
  const countries = [...countryNames()].map(
    ([name, code]) => [name, zonesOfCountry(code)] as const,
  );
  const begun = [...zoneNames(), ...countries]
    .flatMap(([name, zones]) => (` ${name}`.includes(` ${typed}`) ? [{ name, zones }] : []))
    .sort((a, b) => rank(a.name, typed) - rank(b.name, typed));
  const found = begun.flatMap(({ zones }) => zones);
  return [...new Set([...(exact === undefined ? [] : [exact]), ...found])];
}

/** Names that begin with the text come first, the shortest of them before longer ones. */
function rank(name: string, typed: string): number {
  return name.length + (name.startsWith(typed) ? 0 : longestText);
}

const zonesByCountry = new Map<string, readonly string[]>();

/** The zones of a country, by its code of two letters. */
export function zonesOfCountry(code: string): readonly string[] {
  // The runtime takes a millisecond for each, which is long for all countries at each key.
  const zones = zonesByCountry.get(code) ?? readZones(code);
  zonesByCountry.set(code, zones);
  return zones;
}

function readZones(code: string): readonly string[] {
  // ECMA-402 has `getTimeZones`; TypeScript's library does not know it yet.
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
    getTimeZones?: () => readonly string[] | undefined;
  };
  return (locale.getTimeZones?.() ?? []).map(presentName);
}

/** No place is further from UTC, and each is so by quarters of an hour. */
const offsetText = /^(?:utc|gmt)? ?([+−–-]|±)(\d{1,2})(?:[:h]?(\d{2}))?$/iu;

function offsetNamed(typed: string): string | undefined {
  const [, sign, hours = "", minutes = "00"] = offsetText.exec(typed) ?? [];
  if (sign === undefined) return undefined;
  const away = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || away % 15 !== 0) return undefined;
  if (away === 0) return "UTC";
  if (sign === "±" || away > (sign === "+" ? 14 : 12) * 60) return undefined;
  return `${sign === "+" ? "+" : "-"}${hours.padStart(2, "0")}:${minutes}`;
}

function named(typed: string): string | undefined {
  // "la", "et" and "eat" are words of sentences; "LA", "ET" and "EAT" are not.
  const isCapital = typed === typed.toUpperCase();
  const name = foldedName(typed);
  const isWord = !isCapital && !shortPlaces.has(name);
  if (isWord && (name.length < 3 || alsoWords.has(name))) return undefined;
  return ofName(name) ?? accepted(typed) ?? ofName(withoutTime(name));
}

/** Their small letters are no word of the five languages. */
const shortPlaces = new Set(["uk", "nz"]);

const alsoWords = new Set(
  "act art cat cot eat hae ist met mit net pet vet wat west wet wit".split(" "),
);

/** "den" and "por" are countries at the Olympic Games, and words of sentences everywhere else; 英 is a part of words. */
const shortWord = /^(?:[a-z]{1,3}|.)$/u;
const shortCountries = new Set(["uk", "uae", "vae"]);

function ofName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const zones = byFoldedName(zoneNames(), name) ?? [];
  if (zones.length === 1) return zones[0];
  const isCountry = zones.length === 0 && (!shortWord.test(name) || shortCountries.has(name));
  const code = isCountry ? byFoldedName(countryNames(), name) : undefined;
  return code === undefined ? undefined : zoneOfCountry(code);
}

/** Java's abbreviations, which the runtime accepts with meanings that surprise (BST as Dhaka), are not names of zones. */
const databaseWords = new Set("cet eet est gmt hst met mst prc roc rok uct utc wet".split(" "));

/** What the runtime knows, in any case, with blanks for underscores and spaces around slashes. */
function accepted(typed: string): string | undefined {
  const name = typed
    .split("/")
    .map((part) => part.trim().replaceAll(" ", "_"))
    .join("/");
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+){0,2}$/iu.test(name)) return undefined;
  if (/^[a-z]{3}$/iu.test(name) && !databaseWords.has(name.toLowerCase())) return undefined;
  return canonical(name) ?? inAnArea(name);
}

const areas =
  "Africa America Asia Atlantic Australia Europe Indian Pacific America/Argentina".split(" ");
/** Parts of names that are ordinary words by themselves. */
const ordinaryWords = new Set(
  "north,south,west,east,center,central,general,easter,midway,wake,troll,victoria,san juan,san luis,la rioja".split(
    ",",
  ),
);

/** The alias that ends so: `Dacca` of `Asia/Dacca`. */
function inAnArea(name: string): string | undefined {
  if (name.includes("/") || ordinaryWords.has(name.toLowerCase())) return undefined;
  // Córdoba is in Spain as well as in Argentina.
  if ((zoneNames().get(foldedName(name)) ?? []).length > 1) return undefined;
  for (const area of areas) {
    const zone = canonical(`${area}/${name}`);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

function canonical(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions();
    return presentName(timeZone);
  } catch {
    return undefined;
  }
}

/** "Paris, France", "Paris (FR)", "Paris France" and "Austin, TX": the city, if it is there. */
function cityOfCountry(typed: string): string | undefined {
  const [city = "", place, ...more] = typed.replace(/\)$/u, "").split(/[,(]/u);
  if (more.length > 0) return undefined;
  if (place !== undefined) return cityIn(city, placeZones(place.trim()));
  const words = typed.split(" ");
  for (let at = 1; at < words.length; at++) {
    const country = countryOfName(words.slice(at).join(" "));
    if (country === undefined) continue;
    return cityIn(words.slice(0, at).join(" "), zonesOfCountry(country));
  }
  return undefined;
}

function cityIn(city: string, there: readonly string[]): string | undefined {
  const zones = zoneNames().get(foldedName(city)) ?? [named(city.trim()) ?? ""];
  const own = zones.filter((zone) => there.includes(zone));
  return own.length === 1 ? own[0] : undefined;
}

/** Zones of the states of the USA, as their post codes have them. */
const states: Readonly<Record<string, string>> = {
  "America/New_York": "CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC TN VA VT WV",
  "America/Chicago": "AL AR FL IA IL IN KS KY LA MI MN MO MS ND NE OK SD TN TX WI",
  "America/Denver": "CO ID KS MT ND NE NM OR SD TX UT WY",
  "America/Los_Angeles": "CA ID NV OR WA",
  "America/Phoenix": "AZ",
  "America/Anchorage": "AK",
  "Pacific/Honolulu": "HI",
};

/** Zones of a country or a state; a code may be both, like CA. */
function placeZones(place: string): readonly string[] {
  const ofStates = Object.keys(states).filter((zone) => states[zone]?.split(" ").includes(place));
  const country = countryNamed(place);
  const ofName = zoneNames().get(foldedName(place)) ?? [];
  return [...ofStates, ...ofName, ...(country === undefined ? [] : zonesOfCountry(country))];
}

const before =
  "heure locale de |heure locale a |hora local de |hora local en |ortszeit |heure de la |heure de l |heure du |heure des |heure de |heure d |heure a |heure |hora de la |hora del |hora de los |hora de |hora en |hora |horario de |huso horario de |fuseau horaire de |fuseau de |time in |zeit in |zeit von ".split(
    "|",
  );
const behind =
  "er zeit| local time| standard time| time zone| timezone| time| normalzeit| ortszeit| zeitzone| zeit| heure locale| hora local|の現地時間|現地時間|標準時|の時間|時間|の時刻".split(
    "|",
  );

/** "London" of "London time", "heure de Londres", "Londoner Zeit" or "ロンドン時間". */
function withoutTime(name: string): string | undefined {
  // The dative of "deutsche Zeit".
  if (name.endsWith("scher zeit")) return name.replace(/er zeit$/u, "e zeit");
  const start = before.find((each) => name.startsWith(each));
  if (start !== undefined) return name.slice(start.length);
  const end = behind.find((each) => name.endsWith(each));
  return end === undefined ? undefined : name.slice(0, -end.length).trim();
}

let known: ReadonlyMap<string, readonly string[]> | undefined;

/** Zones by folded name. Most have one; what two cities are called has both. */
function zoneNames(): ReadonlyMap<string, readonly string[]> {
  known ??= readNames();
  return known;
}

function readNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const add = (name: string, zone: string) => {
    const zones = names.get(name) ?? [];
    if (!zones.includes(zone)) names.set(name, [...zones, zone]);
  };
  // What comes first wins: the zone's own words and names, then those that the runtime gives them, then cities.
  for (const [zone, text] of Object.entries(words)) {
    for (const name of text.split(", ")) add(name, zone);
  }
  for (const [name, zone] of namesOfTime()) if (!names.has(name)) add(name, zone);
  const own = (zone: string) => [zone, zone.slice(zone.indexOf("/") + 1), lastPart(zone)];
  for (const [name, zone] of [
    ...allTimeZones().flatMap((each) => own(each).map((name) => [name, each] as const)),
    ...Object.entries(presentNames).flatMap(([old, zone]) =>
      own(old).map((name) => [name, zone] as const),
    ),
  ]) {
    const folded = foldedName(name);
    if (!names.has(folded) && !ordinaryWords.has(folded)) add(folded, zone);
  }
  const settled = new Set(names.keys());
  for (const [zone, text] of Object.entries(places)) {
    for (const name of text.split(", ")) if (!settled.has(name)) add(name, zone);
  }
  return names;
}

/** One zone for each name of a time that several have: what "Central European Time" stands for. */
const leading =
  "Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Anchorage America/Argentina/Buenos_Aires America/Bogota America/Caracas America/Chicago America/Denver America/Halifax America/Havana America/La_Paz America/Lima America/Los_Angeles America/Mexico_City America/Montevideo America/New_York America/Nuuk America/Santiago America/Sao_Paulo America/St_Johns Asia/Almaty Asia/Baghdad Asia/Bangkok Asia/Dhaka Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jayapura Asia/Jerusalem Asia/Kabul Asia/Karachi Asia/Kathmandu Asia/Kolkata Asia/Kuala_Lumpur Asia/Makassar Asia/Manila Asia/Riyadh Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Taipei Asia/Tashkent Asia/Tehran Asia/Tokyo Asia/Vladivostok Asia/Yakutsk Asia/Yangon Asia/Yekaterinburg Atlantic/Azores Atlantic/Cape_Verde Australia/Adelaide Australia/Darwin Australia/Perth Australia/Sydney Europe/Berlin Europe/Athens Europe/Istanbul Europe/Lisbon Europe/London Europe/Moscow Pacific/Auckland Pacific/Fiji Pacific/Honolulu".split(
    " ",
  );

/** What the runtime calls the times of those zones, in each language, in winter and in summer. */
function* namesOfTime(): Generator<readonly [string, string]> {
  const months = [Date.UTC(2026, 0), Date.UTC(2026, 6)];
  for (const zone of leading) {
    for (const locale of locales) {
      for (const timeZoneName of ["longGeneric", "long"] as const) {
        const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName });
        for (const at of months) {
          const part = format.formatToParts(at).find(({ type }) => type === "timeZoneName");
          const name = foldedName(part?.value ?? "");
          if (!/\d/u.test(name)) yield [name, zone];
        }
      }
    }
  }
}

function lastPart(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1);
}

let zoneByCountry: ReadonlyMap<string, string> | undefined;

/** The zone of a country that has one, or one for nearly all of it. */
function zoneOfCountry(code: string): string | undefined {
  zoneByCountry ??= new Map(
    countryCodes.flatMap((each) => {
      const zone = mainZone(each);
      return zone === undefined ? [] : [[each, zone] as const];
    }),
  );
  return zoneByCountry.get(code);
}

/** Countries whose zones differ only in the past. */
const sameNow: Readonly<Record<string, string>> = {
  ...{ AR: "America/Argentina/Buenos_Aires", CY: "Asia/Nicosia", KZ: "Asia/Almaty" },
  ...{ PS: "Asia/Gaza" },
};

function mainZone(code: string): string | undefined {
  const zones = zonesOfCountry(code);
  if (zones.length < 2) return zones[0];
  const country = new Intl.DisplayNames("fr", { type: "region" }).of(code);
  // For the main zone of a country CLDR gives the country's name: "heure : Allemagne".
  return (
    sameNow[code] ??
    zones.find((zone) => {
      const format = new Intl.DateTimeFormat("fr", {
        timeZone: zone,
        timeZoneName: "shortGeneric",
      });
      return format.format(0).endsWith(`heure : ${country}`);
    })
  );
}
